// The memory for reads and writes of a queue.
#pragma once

#include <sys/uio.h>

#include <map>
#include <vector>

#include "base/io_buffer.hpp"
#include "dataset/payload.hpp"
#include "edagen/target.hpp"
#include "target/proc_place.hpp"

namespace edagen {

/// The buffers of one slot. They are aligned to 4 KiB and as large as the kind's largest transfer.
struct SlotBuffers {
  char* read = nullptr;
  char* write = nullptr;
  int read_index = -1, write_index = -1;  ///< indices in extents()
  PayloadStamp* stamp = nullptr;
};

/// Every write in flight has a buffer of its own, so that no data changes on its way to the storage. Read data is not
/// used, so reads share buffers beyond 256 MiB.
class QueueBuffers {
 public:
  /// Throws Error (run) when memory is short.
  QueueBuffers(const std::vector<QueuedProc>& procs, const std::vector<ProcPlace>& places);

  const SlotBuffers& of(std::uint32_t slot) const { return slots_[slot]; }
  std::size_t slots() const { return slots_.size(); }
  /// The extents of all buffers, for registration with the kernel.
  const std::vector<iovec>& extents() const { return extents_; }

 private:
  std::vector<SlotBuffers> slots_;
  std::vector<iovec> extents_;
  std::map<const ProcSpec*, PayloadStamp> stamps_;
  IoBuffer memory_;
};

}  // namespace edagen
