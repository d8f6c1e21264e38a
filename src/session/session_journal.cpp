#include "session/session_journal.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <utility>

#include "edagen/units.hpp"

namespace edagen {

namespace {

/// Once: the journal of each later run makes the directory newer than what was left before. Afterwards with -v alone.
void log_left_behind() {
  namespace fs = std::filesystem;
  const std::vector<std::string> left = Journal::left_behind();
  if (left.empty()) return;
  const fs::path directory = fs::path(left.back()).parent_path();
  std::error_code none;
  const bool is_news = fs::last_write_time(left.back(), none) >= fs::last_write_time(directory, none);
  spdlog::log(is_news ? spdlog::level::info : spdlog::level::debug,
              "{} of earlier runs {} left: edagen report {} reads the last, rm {}/*.jsonl removes them when no edagen "
              "is running here or on another host with this directory",
              counted(left.size(), "journal"), left.size() == 1 ? "is" : "are", left.back(), directory.string());
}

}  // namespace

SessionJournal::SessionJournal(std::optional<Place> place, StuckWatch& watch, const EventSink& emit)
    : place_(std::move(place)), watch_(watch), emit_(emit) {}

Journal& SessionJournal::lines() {
  if (!journal_) {
    StuckWatch::Thread self(watch_);
    self.call_started("opening " + (place_ ? place_->name : "the journal"), place_ ? place_->path : "");
    if (place_) journal_.emplace(place_->path, place_->directory);
    else {
      log_left_behind();
      journal_.emplace(Journal::in_default_place());
    }
    if (journal_->path() != "-") emit_(JournalOpened{journal_->path()});
  }
  return *journal_;
}

/// Why the journal is not whole, or not where the plan has it; empty: it is.
std::string SessionJournal::write_failure() const {
  if (!journal_) return "";
  StuckWatch::Thread self(watch_);
  self.call_started("looking at the journal", journal_->path());
  return place_ ? journal_->lack() : journal_->lost();
}

std::vector<std::string> SessionJournal::notes() const {
  const std::string failure = write_failure();
  return failure.empty() ? std::vector<std::string>()
                         : std::vector{fmt::format("journal {}: {}", journal_->path(), failure)};
}

bool SessionJournal::is_incomplete() const {
  if (!place_ || !journal_) return false;
  StuckWatch::Thread self(watch_);
  self.call_started("storing the journal", place_->path);
  const std::string failure = journal_->lack_in_storage();
  if (!failure.empty()) spdlog::error("{} {}: {}", place_->name, place_->path, failure);
  return !failure.empty();
}

void SessionJournal::finish(bool all_is_written) {
  if (place_ || !journal_ || std::exchange(finished_, true)) return;
  if (all_is_written || !journal_->has_figures()) journal_->remove();
  else spdlog::error("the journal is {}", journal_->path());  // nothing else has what was measured: also said with -q
}

}  // namespace edagen
