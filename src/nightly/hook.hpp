// A command of the user's that gets a verdict.
#pragma once

#include <stop_token>
#include <string>

#include "edagen/clock.hpp"
#include "nights/night.hpp"

namespace edagen {

struct Hook {
  std::string command;    ///< for sh; empty: none
  std::string directory;  ///< in which it runs; empty: this process's
  Nanos most = std::chrono::seconds(60);
};

/// Runs the command (run_user_command) with EDAGEN_VERDICT ("regression", ...), EDAGEN_SUMMARY (one line) and
/// EDAGEN_MARKDOWN in its environment and the judgement as JSON on its stdin. What goes wrong is logged; false then,
/// and when it exits with another status than 0.
bool run_hook(const Hook& hook, const NightJudgement& judgement, const std::stop_token& stop);

}  // namespace edagen
