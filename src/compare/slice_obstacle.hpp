// Why a comparison cannot be made by slices, as its first loads have shown.
#pragma once

#include <cstddef>
#include <string>

namespace edagen {

struct SliceObstacle {
  std::size_t variant = 0;  ///< that shows it
  std::string what;         ///< of it, and what mends that where something does
};

}  // namespace edagen
