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

/// Does nothing for `length` seconds after each `gap(random)` seconds.
template <class Gap>
EndOfService with_stops(std::uint64_t seed, double length, Gap gap) {
  struct Stops {
    Random random;
    std::vector<double> begin{0};  ///< ns, ascending; the first is none
  };
  return [stops = std::make_shared<Stops>(Stops{Random(seed)}), length = 1e9 * length, gap](double start, double work) {
    std::vector<double>& begin = stops->begin;
    double end = start + work;
    while (begin.back() < end + length) begin.push_back(begin.back() + 1e9 * gap(stops->random));
    for (auto stop = std::upper_bound(begin.begin() + 1, begin.end(), start - length);
         stop != begin.end() && *stop < end; ++stop)
      end += std::min(length, *stop + length - start);
    return end;
  };
}

/// 0.2 s every 5 to 20 s.
inline EndOfService with_pauses(std::uint64_t seed) {
  return with_stops(seed, 0.2, [](Random& random) { return 5 + 15 * random.uniform(); });
}

/// What the processors of a shared virtual machine were seen to do: each second has a speed of its own, of 0.9 to 1.1,
/// and every 3 s on average they do nothing for 28 ms.
inline EndOfService with_other_guests(std::uint64_t seed) {
  const EndOfService stops =
      with_stops(seed, 0.028, [](Random& random) { return 0.028 - 3 * std::log1p(-random.uniform()); });
  const EndOfService speeds = with_speed([seed](double seconds) {
    return 0.9 + 0.2 * Random(derive_seed(seed, static_cast<std::uint64_t>(seconds))).uniform();
  });
  return [stops, speeds](double start, double work) { return stops(start, speeds(start, work) - start); };
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

/// A speed that varies by 20 % with three periods of 20 s to 5 min.
inline EndOfService with_slow_changes(std::uint64_t seed) {
  Random random(seed);
  struct Wave {
    double period, phase;
  };
  std::vector<Wave> waves;
  for (int i = 0; i < 3; ++i)
    waves.push_back({20 * std::exp(std::log(15.0) * random.uniform()), 6.2832 * random.uniform()});
  return with_speed([waves](double seconds) {
    double sum = 0;
    for (const Wave& wave : waves) sum += std::sin(6.2832 * seconds / wave.period + wave.phase);
    return 1 + 0.2 * sum / 3;
  });
}

/// The same, and pauses of 0.2 s every 20 to 60 s.
inline EndOfService with_disturbance(std::uint64_t seed) {
  const EndOfService stops = with_stops(seed, 0.2, [](Random& random) { return 20 + 40 * random.uniform(); });
  return [stops, slow = with_slow_changes(seed)](double start, double work) {
    return stops(start, slow(start, work) - start);
  };
}

}  // namespace edagen::testing
