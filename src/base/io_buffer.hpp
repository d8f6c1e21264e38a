// Memory for reads and writes.
#pragma once

#include <memory>

#include "edagen/units.hpp"

namespace edagen {

using IoBuffer = std::shared_ptr<char>;

/// Memory aligned to 4 KiB with unspecified contents; `size` is rounded up to 4 KiB. Throws std::bad_alloc.
/// Thread-safe. The memory is in large pages when the kernel has them: a direct transfer is then few pieces for the
/// device, not one for each 4 KiB. Small buffers share a large page, which is freed with the last of them.
IoBuffer allocate_io_buffer(Bytes size);

}  // namespace edagen
