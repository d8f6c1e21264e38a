// Numbers as several reports write them: in digits, never in powers of ten.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "edagen/units.hpp"

namespace edagen {

/// "3.1 %" of 0.0312, "100 %" of 0.996, "1,200 %" of 12.
inline std::string percent_text(double share) {
  const double percent = 100 * share, size = std::abs(percent);
  if (size >= 9.95) return format_count(percent) + " %";
  return size > 0 && size < 0.001 ? "below 0.001 %" : fmt::format("{:.2g} %", percent);
}

/// "+1.5 %" of 0.015; of what is no change as it is shown "0.0 %"
inline std::string signed_percent(double change) {
  const double percent = 100 * change;
  if (fmt::format("{:.1f}", std::abs(percent)) == "0.0") return "0.0 %";
  return std::abs(percent) < 999.5 ? fmt::format("{:+.1f} %", percent)
                                   : (percent > 0 ? "+" : "") + format_count(percent) + " %";
}

/// A figure in three digits, as those beside it: "16,204", "2.01" or "2.00".
inline std::string value_text(double value) {
  if (value >= 99.95) return format_count(value);
  return value > 0 && value < 0.0001 ? fmt::format("{:.7f}", value) : fmt::format("{:#.3g}", value);
}

/// A number that is mostly a whole one, in three digits at most: "16,204", "20", "2.21"
inline std::string short_text(double value) {
  return value >= 999.5 ? format_count(value) : fmt::format("{:.3g}", value);
}

/// "1.04x", "16.5x", "10.0x"
inline std::string multiple_text(double ratio) {
  return (ratio >= 0.1 && ratio < 9.995 ? fmt::format("{:.2f}", ratio) : value_text(ratio)) + "x";
}

}  // namespace edagen
