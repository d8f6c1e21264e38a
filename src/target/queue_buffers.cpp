#include "queue_buffers.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "edagen/core/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t most_read_memory = std::size_t{256} << 20;

std::size_t buffer_size(const ProcSpec& spec) {
  const auto largest = static_cast<std::size_t>(spec.largest_transfer() + spec.io.direct_block);  // direct I/O rounds up
  return (largest + page - 1) / page * page;
}

bool reads(const ProcSpec& spec) { return spec.weight(OpKind::read_seq) + spec.weight(OpKind::read_rand) > 0; }
bool writes(const ProcSpec& spec) { return spec.weight(OpKind::write_seq) + spec.weight(OpKind::write_rand) > 0; }

}  // namespace

QueueBuffers::QueueBuffers(const std::vector<QueuedProc>& procs, const std::vector<ProcPlace>& places) {
  std::size_t largest = 0, readers = 0, write_bytes = 0;
  for (const QueuedProc& proc : procs) {
    const ProcSpec& spec = *places[proc.proc].spec;
    largest = std::max(largest, buffer_size(spec));
    if (reads(spec)) readers += proc.depth;
    if (writes(spec)) write_bytes += proc.depth * buffer_size(spec);
  }
  const std::size_t read_buffers = std::min(readers, std::max<std::size_t>(1, most_read_memory / largest));
  size_ = read_buffers * largest + write_bytes;
  memory_ = ::mmap(nullptr, std::max(size_, page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED)
    throw run_error("--io-depth", fmt::format("no memory for {} of buffers", format_bytes(static_cast<Bytes>(size_))));
  ::madvise(memory_, size_, MADV_HUGEPAGE);  // gigabytes are there in seconds, not in minutes
  char* next = static_cast<char*>(memory_);
  const auto extend = [&](std::size_t size) {
    extents_.push_back({next, size});
    next += size;
  };
  for (std::size_t i = 0; i < read_buffers; ++i) extend(largest);
  std::size_t reader = 0;
  for (const QueuedProc& proc : procs) {
    const ProcSpec* const spec = places[proc.proc].spec;
    PayloadStamp& stamp = stamps_
                              .try_emplace(spec, spec->duplicate_percent,
                                           static_cast<std::uint64_t>(now().time_since_epoch().count()) ^
                                               reinterpret_cast<std::uintptr_t>(this))
                              .first->second;
    for (unsigned i = 0; i < proc.depth; ++i) {
      SlotBuffers slot{.stamp = &stamp};
      if (reads(*spec)) {
        slot.read_index = static_cast<int>(reader++ % read_buffers);
        slot.read = static_cast<char*>(extents_[static_cast<std::size_t>(slot.read_index)].iov_base);
      }
      if (writes(*spec)) {
        slot.write_index = static_cast<int>(extents_.size());
        slot.write = next;
        extend(buffer_size(*spec));
        fill_payload(slot.write, buffer_size(*spec), spec->compressible_percent, i);  // the share holds over the slots
      }
      slots_.push_back(slot);
    }
  }
}

QueueBuffers::~QueueBuffers() { ::munmap(memory_, std::max(size_, page)); }

}  // namespace edagen
