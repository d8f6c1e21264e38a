// Times: nanoseconds on the machine's monotonic clock, and computed times.
#pragma once

#include <algorithm>
#include <chrono>

namespace edagen {

using Nanos = std::chrono::nanoseconds;
using NanosF =
    std::chrono::duration<double, std::nano>;  ///< for means and estimates, in which parts of a nanosecond count
using Millis = std::chrono::duration<double, std::milli>;
using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;
using TimePoint = std::chrono::time_point<Clock, Nanos>;

inline TimePoint now() { return Clock::now(); }

constexpr double to_seconds(Nanos d) { return Seconds(d).count(); }
constexpr double to_millis(Nanos d) { return Millis(d).count(); }
/// Times above 290 years, which only tampered documents have, become 290 years.
constexpr Nanos from_seconds(double s) {
  constexpr double longest = 290.0 * 365 * 86400;
  return Nanos(static_cast<Nanos::rep>(std::clamp(s, -longest, longest) * 1e9));
}

}  // namespace edagen
