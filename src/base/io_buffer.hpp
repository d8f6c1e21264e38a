// Memory that is read into and written from.
#pragma once

#include <memory>

#include "edagen/units.hpp"

namespace edagen {

using IoBuffer = std::shared_ptr<char>;

/// 4 KiB aligned, contents unspecified; `size` is rounded up to 4 KiB. Throws std::bad_alloc. Thread-safe.
/// In large pages where the kernel has them: a direct transfer is then few pieces for the device instead of one for
/// each 4 KiB. Small buffers share a large page, which is freed with the last of them.
IoBuffer allocate_io_buffer(Bytes size);

}  // namespace edagen
