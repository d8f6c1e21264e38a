// A StuckWatch for code that has to have one: nothing hangs, nobody is told.
#pragma once

#include "base/stuck_watch.hpp"

namespace edagen::testing {

class QuietWatch : public StuckWatch {
 public:
  QuietWatch() : StuckWatch(std::chrono::minutes(10), [](const std::string&, Nanos) {}) {}
};

}  // namespace edagen::testing
