// What the runs of a session share.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "session/leftovers.hpp"
#include "session/session_watch.hpp"

namespace edagen {

class Hosts;

struct SessionState {
  SessionState(EventSink sink, std::stop_token stop_token, Nanos stuck_time, Hosts* all_hosts)
      : emit(std::move(sink)), stop(std::move(stop_token)), stuck_after(stuck_time), hosts(all_hosts) {}

  EventSink emit;
  std::stop_token stop;
  Nanos stuck_after;  ///< calls outside of the measured load that last longer are emitted as hanging
  Hosts* hosts;       ///< that carry out all plans together; nullptr: this one alone
  SessionWatch watch{emit, stuck_after};
  Leftovers leftovers{emit};
};

}  // namespace edagen
