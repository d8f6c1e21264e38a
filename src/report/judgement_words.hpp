// How a figure of a night is named, what is said of its change and why it is not compared, for all forms of a
// judgement.
#pragma once

#include <string>

#include "nights/night.hpp"

namespace edagen {

/// "projects: ops/s", or "ops/s" of `edagen check`, whose measurement has no name.
std::string name_of(const FigureVerdict& figure);

/// Tonight's value, "> 3,500" where it is a lower bound. The figure has one.
std::string now_text(const FigureVerdict& figure);

/// "-20.8 %", or "> +80.2 %" of a lower bound. The figure has a change.
std::string size_text(const FigureVerdict& figure);

/// " against the reference" after a change of the ratio to it; "" after that of the value itself. Each change that does
/// not stand beside its expected value has it, in a history as in the verdict of a night.
inline const char* reference_text(bool against_reference) { return against_reference ? " against the reference" : ""; }

/// "a loss of 2 % or more would show": the smallest loss that is shown in 90 of 100 nights.
std::string would_show_text(double smallest_visible);

/// "-25 % to -16 %", or "> +64 %" of a lower bound; "" where there is none.
std::string interval_text(const FigureVerdict& figure);

/// "projects: ops/s -20.8 % against the reference; one of the runs is invalid"
std::string change_text(const FigureVerdict& figure);

/// "mail: no such mount"
std::string failure_text(const MeasurementFailure& failure);

/// Whether nights were there that a figure could have been compared with, had they been alike. A figure with an
/// expected value has nights that are alike, and its note has why there is no verdict.
bool has_only_incomparable_nights(const FigureVerdict& figure);

/// Why a figure that has nights before can be compared with none of them, and what allows it; "" of other figures.
std::string why_not_compared(const FigureVerdict& figure, const NightJudgement& judgement);

}  // namespace edagen
