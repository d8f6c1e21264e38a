#include "edagen/core/io_buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <mutex>
#include <new>

namespace edagen {
namespace {

constexpr Bytes large_page = 2 * MiB;

IoBuffer large_pages(Bytes size) {
  const auto rounded = static_cast<std::size_t>(round_up(size, large_page));
  IoBuffer pages(static_cast<char*>(std::aligned_alloc(static_cast<std::size_t>(large_page), rounded)), std::free);
  if (!pages) throw std::bad_alloc();
  ::madvise(pages.get(), rounded, MADV_HUGEPAGE);
  return pages;
}

}  // namespace

IoBuffer allocate_io_buffer(Bytes size) {
  const Bytes needed = round_up(size, 4 * KiB);
  if (needed >= large_page) return large_pages(needed);
  static std::mutex mutex;
  static std::weak_ptr<char> latest;
  static Bytes used = 0;
  std::lock_guard lock(mutex);
  IoBuffer pages = latest.lock();
  if (!pages || used + needed > large_page) {
    latest = pages = large_pages(large_page);
    used = 0;
  }
  char* const start = pages.get() + used;
  used += needed;
  return {std::move(pages), start};
}

}  // namespace edagen
