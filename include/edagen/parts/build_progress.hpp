// How far the building of a dataset is.
#pragma once

#include <cstdint>

#include "edagen/clock.hpp"

namespace edagen {

struct BuildProgress {
  std::uint64_t directories_done = 0, directories = 0;
  std::uint64_t files_done = 0;
  double bytes_done = 0, bytes = 0;
  Nanos elapsed{0};

  /// 0 to 1
  double share() const {
    if (bytes > 0) return bytes_done / bytes;
    return directories > 0 ? static_cast<double>(directories_done) / static_cast<double>(directories) : 1;
  }
};

}  // namespace edagen
