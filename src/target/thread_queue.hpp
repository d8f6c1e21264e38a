// Many ops at once by threads that block, for hosts that do not allow io_uring.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "target/open_files.hpp"
#include "target/posix_worker.hpp"
#include "target/queue_buffers.hpp"

namespace edagen {

/// The number of threads is the largest number of ops in flight so far, up to a limit.
class ThreadQueue final : public TargetQueue {
 public:
  ThreadQueue(PosixProcs& shared, const std::vector<QueuedProc>& procs, std::size_t most_threads);
  ~ThreadQueue() override;

  void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) override;
  std::size_t complete(std::span<Completion> done, Nanos timeout) override;

 private:
  struct InFlight {
    std::uint32_t slot = 0, proc = 0;
    Op op;
  };

  void add_thread();
  void work();
  OpResult carry_out(const InFlight& current);
  OpResult close_session(const InFlight& current);
  /// Finds or opens the op's file and counts the op as its user. Returns nullptr on an error, which is in the result.
  /// A file that another op is opening is waited for: it is opened once for all of them.
  OpenFile* acquire(const InFlight& current, OpResult& result);
  void close(OpResult& result, std::uint32_t proc, const OpenFile& file) const;

  PosixProcs& shared_;
  QueueBuffers buffers_;
  const std::size_t most_threads_;

  std::mutex mutex_;
  std::condition_variable work_, completed_, opened_;
  std::vector<OpenFiles> files_;     ///< by proc
  std::vector<InFlight> submitted_;  ///< threads take ops from `next_` on
  std::size_t next_ = 0;
  std::vector<Completion> finished_;
  std::size_t idle_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace edagen
