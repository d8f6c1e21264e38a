#include "edagen/core/io_buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace edagen {

void FreeMemory::operator()(char* memory) const { std::free(memory); }

IoBuffer allocate_io_buffer(Bytes size) {
  const Bytes unit = size >= large_buffer ? large_buffer : 4 * KiB;
  const auto rounded = static_cast<std::size_t>(round_up(size, unit));
  IoBuffer buffer(static_cast<char*>(std::aligned_alloc(static_cast<std::size_t>(unit), rounded)));
  if (!buffer) throw std::bad_alloc();
  if (size >= large_buffer) ::madvise(buffer.get(), rounded, MADV_HUGEPAGE);
  return buffer;
}

}  // namespace edagen
