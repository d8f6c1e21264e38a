#include "session/session_journal.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace edagen {

SessionJournal::SessionJournal(std::optional<Place> place, StuckWatch& watch, SessionObserver& observer)
    : place_(std::move(place)), watch_(watch), observer_(observer) {}

Journal& SessionJournal::lines() {
  if (!journal_) {
    StuckWatch::Thread self(watch_);
    self.begins("opening " + (place_ ? place_->name : "the journal"), place_ ? place_->path : "");
    if (place_) journal_.emplace(place_->path);
    else journal_.emplace(Journal::in_default_place());
    if (journal_->path() != "-") observer_.journal_opened(journal_->path());
  }
  return *journal_;
}

std::vector<std::string> SessionJournal::notes() const {
  const std::string lost = journal_ ? journal_->lost() : "";
  return lost.empty() ? std::vector<std::string>() : std::vector{fmt::format("journal {}: {}", journal_->path(), lost)};
}

bool SessionJournal::is_incomplete() const {
  if (!place_ || notes().empty()) return false;
  spdlog::error("{} {}: {}", place_->name, place_->path, journal_->lost());
  return true;
}

void SessionJournal::finish(bool all_is_written) {
  if (place_ || !journal_) return;
  if (all_is_written) journal_->remove();
  else spdlog::info("the journal is {}", journal_->path());
}

}  // namespace edagen
