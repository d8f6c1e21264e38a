// The gate: a night against the nights before.
#pragma once

#include <span>

#include "nights/night.hpp"

namespace edagen {

/// `history`: ascending in time; nights that are not before `tonight` are passed over. Thread-safe.
///
/// Each figure is compared as docs/nightly.md says: the mean over the runs of a night, outliers left out, with the
/// variation between and within nights. Where tonight and the history have runs of a reference, ratios to it are
/// compared. The probability of a false regression, gate.false_alarms, is that of the whole night: three quarters of it
/// are shared out evenly among the figures, one quarter among those of op kinds (Bonferroni).
NightJudgement judge(std::span<const Night> history, const Night& tonight, const Gate& gate);

/// Whether the night is worth another run: a regression shows or nearly does (its p is at most ten times the
/// false-alarm rate), or something cannot be told and most of the doubt is variation within the night, or some runs
/// missed a latency target that nights before met. After `runs` of `most` runs. A regression is certain before the last
/// run only at a tenth of the false-alarm rate (Haybittle 1971, Peto 1976), so that looking several times adds next to
/// nothing to it.
bool needs_another_run(const NightJudgement& judgement, std::size_t runs, std::size_t most, std::size_t with_figures);

}  // namespace edagen
