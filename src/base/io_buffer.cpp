#include "base/io_buffer.hpp"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace edagen {
namespace {

constexpr Bytes large_page = 2 * MiB;

IoBuffer large_pages(Bytes size) {
  const auto unit = static_cast<std::size_t>(large_page);
  const auto rounded = static_cast<std::size_t>(round_up(size, large_page));
  // One large page more than needed: the unaligned ends are unmapped again.
  void* const mapped =
      ::mmap(nullptr, rounded + unit, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  char* const first = static_cast<char*>(mapped);
  const std::size_t before = (unit - reinterpret_cast<std::uintptr_t>(first) % unit) % unit;
  if (before > 0) ::munmap(first, before);
  ::munmap(first + before + rounded, unit - before);
  ::madvise(first + before, rounded, MADV_HUGEPAGE);
  return {first + before, [rounded](char* pages) { ::munmap(pages, rounded); }};
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
