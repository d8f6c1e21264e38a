#include "target/queue_buffers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_read_memory = std::size_t{256} << 20;

std::size_t slot_buffer_size(const ProcSpec& spec) {
  return static_cast<std::size_t>(
      round_up(spec.largest_transfer() + spec.io.direct_block, 4 * KiB));  // direct I/O rounds up
}

bool reads(const ProcSpec& spec) { return spec.weight(OpKind::read_seq) + spec.weight(OpKind::read_rand) > 0; }
bool writes(const ProcSpec& spec) { return spec.weight(OpKind::write_seq) + spec.weight(OpKind::write_rand) > 0; }

}  // namespace

QueueBuffers::QueueBuffers(const std::vector<QueuedProc>& procs, const std::vector<ProcPlace>& places) {
  std::size_t largest = 0, readers = 0, write_bytes = 0;
  for (const QueuedProc& proc : procs) {
    const ProcSpec& spec = *places[proc.proc].spec;
    largest = std::max(largest, slot_buffer_size(spec));
    if (reads(spec)) readers += proc.depth;
    if (writes(spec)) write_bytes += proc.depth * slot_buffer_size(spec);
  }
  const std::size_t read_buffers = std::min(readers, std::max<std::size_t>(1, most_read_memory / largest));
  const auto size = static_cast<Bytes>(read_buffers * largest + write_bytes);
  try {
    memory_ = allocate_io_buffer(size);
  } catch (const std::bad_alloc&) {
    throw run_error("I/O depth", fmt::format("no memory for {} of buffers", format_bytes(size)));
  }
  char* next = memory_.get();
  const auto extend = [&](std::size_t length) {
    extents_.push_back({next, length});
    next += length;
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
        extend(slot_buffer_size(*spec));
        fill_payload(slot.write, slot_buffer_size(*spec), spec->compressible_percent,
                     i);  // the share of duplicates holds over all slots
      }
      slots_.push_back(slot);
    }
  }
}

}  // namespace edagen
