// The journal of a session: where the user says, else in the default place until the results are written.
#pragma once

#include <optional>

#include "base/stuck_watch.hpp"
#include "edagen/run_plan.hpp"
#include "result/journal.hpp"

namespace edagen {

class SessionJournal {
 public:
  /// `place`: as RunPlan::journal.
  SessionJournal(std::optional<Place> place, StuckWatch& watch);

  /// Opens it the first time. Throws Error (usage).
  Journal& lines();
  /// `all_is_written`: nobody needs it any more, unless it was asked for.
  void finish(bool all_is_written);

 private:
  std::optional<Place> place_;
  StuckWatch& watch_;
  std::optional<Journal> journal_;
};

}  // namespace edagen
