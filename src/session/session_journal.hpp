// The journal of a session: at the place that the plan names, else in the default place until the results are written.
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
  /// What a result notes of lines that the journal lacks, or of a journal of the plan that is gone.
  std::vector<std::string> notes() const;
  /// The plan names a place for the journal, and the journal or lines of it are missing, which is logged.
  bool is_incomplete() const;
  /// Removes a journal for which the plan names no place, if `all_is_written` elsewhere; else names it. The first call
  /// counts: an error that comes later does not make a removed journal the only record.
  void finish(bool all_is_written);

 private:
  std::string write_failure() const;

  std::optional<Place> place_;
  StuckWatch& watch_;
  const EventSink& emit_;
  std::optional<Journal> journal_;
  bool finished_ = false;
};

}  // namespace edagen
