#include "nfs_client/client_loop.hpp"

#include <algorithm>

namespace edagen {

PayloadRing& ClientLoop::payload(const ProcSpec& spec, Bytes largest) {
  const auto stamp =
      static_cast<std::uint64_t>(now().time_since_epoch().count()) ^ reinterpret_cast<std::uintptr_t>(this);
  return payloads_.try_emplace(&spec, largest, spec.duplicate_percent, spec.compressible_percent, stamp).first->second;
}

void ClientLoop::poll() {
  repeat_delayed();
  rpc_.poll();
}

void ClientLoop::run_until(TimePoint until) {
  repeat_delayed();
  rpc_.run_until(delayed_.empty() ? until : std::min(until, delayed_.front().until));
}

void ClientLoop::delay(RepeatableCall& call) { delayed_.push_back({now() + options_.jukebox_wait, &call}); }

void ClientLoop::repeat_delayed() {
  if (delayed_.empty() || delayed_.front().until > now()) return;
  const TimePoint at = now();
  const auto waits = std::ranges::find_if(delayed_, [&](const Delayed& delayed) { return delayed.until > at; });
  const std::vector<Delayed> due(delayed_.begin(), waits);
  delayed_.erase(delayed_.begin(), waits);
  for (const Delayed& delayed : due) delayed.call->make();
}

}  // namespace edagen
