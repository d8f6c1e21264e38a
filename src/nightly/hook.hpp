// A command of the user's that is told a verdict.
#pragma once

#include <string>

#include "edagen/clock.hpp"
#include "nights/night.hpp"

namespace edagen {

/// Runs `command` by sh with EDAGEN_VERDICT ("regression", ...), EDAGEN_SUMMARY (one line) and EDAGEN_MARKDOWN in its
/// environment and the judgement as JSON on its stdin; it may write to this process's stderr alone. Killed after
/// `most`. What goes wrong is logged; false then, and when it exits with another status than 0.
bool run_hook(const std::string& command, const NightJudgement& judgement, Nanos most = std::chrono::seconds(60));

}  // namespace edagen
