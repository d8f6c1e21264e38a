// A StuckWatch that tells people on stderr.
#pragma once

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "base/stuck_watch.hpp"
#include "edagen/units.hpp"

namespace edagen {

class ToldWatch : public StuckWatch {
 public:
  explicit ToldWatch(Nanos stuck_after = std::chrono::seconds(30))
      : StuckWatch(stuck_after, [](const std::string& what, Nanos age) {
          spdlog::warn("stuck for {}: {}", format_duration(age), what);
        }) {}
};

}  // namespace edagen
