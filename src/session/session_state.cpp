#include "session/session_state.hpp"

#include <spdlog/spdlog.h>

#include <iterator>

namespace edagen {

SessionState::SessionState(EventSink sink, std::stop_token stop_token, Nanos stuck_time, Hosts* all_hosts,
                           WriteFailures failures)
    : emit(std::move(sink)),
      stop(std::move(stop_token)),
      stuck_after(stuck_time),
      hosts(all_hosts),
      write_failures(std::move(failures)) {
  if (hosts) {
    hosts->stop_when_told(stop, [this] { stop_anywhere.request_stop(); });
    on_stop.emplace(stop, [this] { stop_anywhere.request_stop(); });
    stop = stop_anywhere.get_token();
  }
  watch.end_with(stop);
}

SessionState::~SessionState() {
  if (!hosts) return;
  // Otherwise the others wait for another message, until the end reaches them.
  const bool is_sound = !others_ended && !hosts->failure() && std::uncaught_exceptions() == exceptions;
  if (hosts->leads() && is_sound) order({.what = PlanOrder::What::quit});
  hosts->stop_when_told({}, nullptr);
}

/// Hosts::conclude() gives the other hosts seconds only, and a removal may last longer.
void SessionState::await_removal_elsewhere(const std::string& variant) {
  try {
    hosts->meet();
  } catch (const Error& error) {
    cleanup_incomplete = true;
    spdlog::error("the dataset of {} may not be removed on all hosts: {}", variant, error.what());
  }
}

std::vector<std::string> SessionState::notes_of(const SessionJournal& journal) {
  std::vector<std::string> notes = journal.notes();
  StuckWatch::Thread self(watch);
  self.call_started("looking at what was written meanwhile", "");
  if (write_failures) std::ranges::move(write_failures(), std::back_inserter(notes));
  return notes;
}

}  // namespace edagen
