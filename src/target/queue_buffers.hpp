// The memory that the ops of a queue read into and write from.
#pragma once

#include <sys/uio.h>

#include <map>
#include <vector>

#include "base/io_buffer.hpp"
#include "dataset/payload.hpp"
#include "edagen/target.hpp"
#include "target/proc_place.hpp"

namespace edagen {

/// Where one slot's data goes. Buffers are 4 KiB aligned and as large as the kind's largest transfer.
struct SlotBuffers {
  char* read = nullptr;
  char* write = nullptr;
  int read_index = -1, write_index = -1;  ///< in extents()
  PayloadStamp* stamp = nullptr;
};

/// Every write in flight has a buffer of its own, so that no data changes on its way to the storage. What is read is
/// not looked at: beyond 256 MiB reads share buffers.
class QueueBuffers {
 public:
  /// Throws Error (run) when there is no memory.
  QueueBuffers(const std::vector<QueuedProc>& procs, const std::vector<ProcPlace>& places);

  const SlotBuffers& of(std::uint32_t slot) const { return slots_[slot]; }
  std::size_t slots() const { return slots_.size(); }
  /// Of all buffers, for their registration with the kernel.
  const std::vector<iovec>& extents() const { return extents_; }

 private:
  std::vector<SlotBuffers> slots_;
  std::vector<iovec> extents_;
  std::map<const ProcSpec*, PayloadStamp> stamps_;
  IoBuffer memory_;
};

}  // namespace edagen
