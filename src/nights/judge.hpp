// The gate: a night against the nights before.
#pragma once

#include <span>

#include "nights/night.hpp"

namespace edagen {

/// `history`: ascending in time; nights that are not before `tonight` are left out. Thread-safe.
///
/// The rules are those of docs/design/gate.md. gate.false_alarms is the probability of a false regression in a whole
/// night: three quarters of it are shared evenly by the figures, one quarter by those of op kinds (Bonferroni).
NightJudgement judge(std::span<const Night> history, const Night& tonight, const Gate& gate);

/// Whether a measurement is run again after `runs` of `most` runs, of which `with_figures` have figures: while p of a
/// regression is at most ten times the false-alarm rate, or a figure without a verdict varies more within nights than
/// between them, or some runs missed a latency target that nights before met. A regression ends the night before its
/// last run only at a tenth of the false-alarm rate (Haybittle 1971, Peto 1976), so that repeated tests add next to
/// nothing to it.
bool needs_another_run(const NightJudgement& judgement, std::size_t runs, std::size_t most, std::size_t with_figures);

}  // namespace edagen
