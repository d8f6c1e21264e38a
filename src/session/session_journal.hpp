// The journal of a session: where the user says, else in the default place until the results are written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/event.hpp"
#include "edagen/run_plan.hpp"
#include "result/journal.hpp"

namespace edagen {

class SessionJournal {
 public:
  /// `place`: as RunPlan::journal. `watch` and `emit` outlive this.
  SessionJournal(std::optional<Place> place, StuckWatch& watch, const EventSink& emit);

  /// Opens it the first time. Throws Error (usage).
  Journal& lines();
  /// What a result is to say of the lines that the journal lacks, or of one that was asked for and is gone.
  std::vector<std::string> notes() const;
  /// It was asked for, and it or lines are missing, which is told.
  bool is_incomplete() const;
  /// `all_is_written`: nobody needs it any more, unless it was asked for.
  void finish(bool all_is_written);

 private:
  std::string lack() const;

  std::optional<Place> place_;
  StuckWatch& watch_;
  const EventSink& emit_;
  std::optional<Journal> journal_;
};

}  // namespace edagen
