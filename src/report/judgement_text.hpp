// The judgement of a night as text: for people, for a chat, for a CI system.
#pragma once

#include <string>
#include <vector>

#include "nights/night.hpp"

namespace edagen {

/// For the judgement of a night, which of its runs are invalid, and why: "m-1.json is INVALID: unsteady (the intervals
/// trend: a longer warm-up)", or "m-1.json and 2 more runs are INVALID: ...". A sentence that several have stands in
/// the first of them.
std::vector<std::string> invalid_notes(const Night& night);

/// The first line of a night: "night of 2026-01-31T01:00:00Z, INVALID: unsteady" where has_invalid_figures().
std::string night_title(const Night& night);

/// A table of the figures, and the verdict as the last line.
std::string judgement_text(const NightJudgement& judgement);

/// One line: "regression: home: ops/s at 2 ms mean response -7.9 %".
std::string judgement_line(const NightJudgement& judgement);

/// A headline and the figures that are no "no change"; of many the first 20.
std::string judgement_markdown(const NightJudgement& judgement);

/// A test case for each figure: failed for a regression, skipped where there is no verdict. Without a figure, or a
/// measurement that failed, an error: CI systems take a suite without a case for a good one.
std::string judgement_junit(const NightJudgement& judgement);

}  // namespace edagen
