// Bytes in the unit that people see.
#pragma once

#include "edagen/units.hpp"

namespace edagen {

constexpr double to_mib(Bytes bytes) { return static_cast<double>(bytes) / static_cast<double>(MiB); }
constexpr double mib_per_sec(Bytes bytes, Nanos time) { return to_mib(bytes) / to_seconds(time); }

}  // namespace edagen
