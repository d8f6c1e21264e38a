// Memory that is read into and written from.
#pragma once

#include <memory>

#include "edagen/core/units.hpp"

namespace edagen {

struct FreeMemory {
  void operator()(char* memory) const;
};
using IoBuffer = std::unique_ptr<char, FreeMemory>;

/// From this size on a buffer is in large pages where the kernel has them: a direct transfer is then few pieces for the
/// device instead of one for each 4 KiB.
constexpr Bytes large_buffer = 2 * MiB;

/// 4 KiB aligned, contents unspecified; `size` is rounded up. Throws std::bad_alloc.
IoBuffer allocate_io_buffer(Bytes size);

}  // namespace edagen
