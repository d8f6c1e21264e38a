// A command of the user's that gets a verdict.
#pragma once

#include "base/user_command.hpp"
#include "nights/night.hpp"

namespace edagen {

/// Runs the command with EDAGEN_VERDICT ("regression", ...), EDAGEN_SUMMARY (one line) and EDAGEN_MARKDOWN as its
/// environment and the judgement as JSON on its stdin. What goes wrong is logged; false then, and when it exits with
/// another status than 0.
bool run_hook(UserCommand hook, const NightJudgement& judgement, const std::stop_token& stop);

}  // namespace edagen
