// A StuckWatch that tells people on stderr.
#pragma once

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>

#include "edagen/core/stuck_watch.hpp"
#include "edagen/core/units.hpp"
#include "edagen/engine/engine.hpp"

namespace edagen {

class ToldWatch : public StuckWatch {
 public:
  /// `live`: a live line is drawn that has to make room.
  explicit ToldWatch(Nanos stuck_after = EngineOptions().stuck_after, bool live = false)
      : StuckWatch(stuck_after, [live](const std::string& what, Nanos age) {
          if (live) std::fputs("\r\033[K", stderr);
          spdlog::warn("stuck for {}: {}", format_duration(age), what);
        }) {}
};

}  // namespace edagen
