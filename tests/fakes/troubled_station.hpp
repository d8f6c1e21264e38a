// Stations that are not the same all the time: what they make of service that begins at `start` and takes `work` at
// full speed (StationModel::end_of_service).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "edagen/parts/random.hpp"

namespace edagen::testing {

using EndOfService = std::function<double(double start, double work)>;  ///< ns

/// Its speed, by the second.
inline EndOfService with_speed(std::function<double(double seconds)> speed) {
  return [speed = std::move(speed)](double start, double work) {
    for (;;) {
      const double second = std::floor(start / 1e9), now = speed(second), end = (second + 1) * 1e9;
      if (start + work / now <= end) return start + work / now;
      work -= (end - start) * now;
      start = end;
    }
  };
}

/// Does nothing for 0.2 s every 5 to 20 s.
inline EndOfService with_pauses(std::uint64_t seed) {
  struct Pauses {
    Random random;
    std::vector<double> begin{0};  ///< ns, ascending; the first is none
  };
  static constexpr double length = 0.2e9;
  return [pauses = std::make_shared<Pauses>(Pauses{Random(seed)})](double start, double work) {
    std::vector<double>& begin = pauses->begin;
    double end = start + work;
    while (begin.back() < end + length) begin.push_back(begin.back() + 1e9 * (5 + 15 * pauses->random.uniform()));
    for (auto pause = std::upper_bound(begin.begin() + 1, begin.end(), start - length);
         pause != begin.end() && *pause < end; ++pause)
      end += std::min(length, *pause + length - start);
    return end;
  };
}

/// Speeds of 1 and 0.8 in turn, 10 s each.
inline EndOfService with_two_speeds(std::uint64_t) {
  return with_speed([](double seconds) { return std::fmod(seconds, 20) < 10 ? 1.0 : 0.8; });
}

/// Slower by a fifth in the end, after 120 s.
inline EndOfService with_drift(std::uint64_t) {
  return with_speed([](double seconds) { return 1 - 0.2 * std::min(seconds / 120, 1.0); });
}

/// Burst credits for 60 s, then half the speed.
inline EndOfService with_credits(std::uint64_t) {
  return with_speed([](double seconds) { return seconds < 60 ? 1.0 : 0.5; });
}

}  // namespace edagen::testing
