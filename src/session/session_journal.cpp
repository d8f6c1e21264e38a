#include "session/session_journal.hpp"

#include <spdlog/spdlog.h>

namespace edagen {

SessionJournal::SessionJournal(std::optional<Place> place, StuckWatch& watch)
    : place_(std::move(place)), watch_(watch) {}

Journal& SessionJournal::lines() {
  if (!journal_) {
    StuckWatch::Thread self(watch_);
    self.begins("opening " + (place_ ? place_->name : "the journal"), place_ ? place_->path : "");
    if (place_) journal_.emplace(place_->path);
    else journal_.emplace(Journal::in_default_place());
  }
  return *journal_;
}

void SessionJournal::finish(bool all_is_written) {
  if (place_ || !journal_) return;
  if (all_is_written) journal_->remove();
  else spdlog::info("the journal is {}", journal_->path());
}

}  // namespace edagen
