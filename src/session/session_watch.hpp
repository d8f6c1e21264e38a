// Names calls that hang to the observer of a session.
#pragma once

#include "base/stuck_watch.hpp"
#include "edagen/session_observer.hpp"

namespace edagen {

class SessionWatch : public StuckWatch {
 public:
  /// `observer` outlives this.
  explicit SessionWatch(SessionObserver& observer, Nanos stuck_after = std::chrono::seconds(30))
      : StuckWatch(stuck_after, [&observer](const std::string& call, Nanos age) { observer.hanging(call, age); }) {}
};

}  // namespace edagen
