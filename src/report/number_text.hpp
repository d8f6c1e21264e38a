// Numbers as several reports write them.
#pragma once

#include <fmt/format.h>

#include <string>

#include "edagen/units.hpp"

namespace edagen {

/// "+1.5 %" of 0.015
inline std::string signed_percent(double change) { return fmt::format("{:+.1f} %", 100 * change); }

/// "16,204" or "2.01"
inline std::string value_text(double value) {
  return value >= 1000 ? format_count(value) : fmt::format("{:.3g}", value);
}

}  // namespace edagen
