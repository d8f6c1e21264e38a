// Many ops at once by io_uring, with registered files and buffers when the system allows them.
#pragma once

#include <liburing.h>
#include <linux/openat2.h>

#include "target/open_files.hpp"
#include "target/posix_worker.hpp"
#include "target/queue_buffers.hpp"

namespace edagen {

/// Only the thread that made the ring may use it.
class UringQueue final : public TargetQueue {
 public:
  UringQueue(PosixProcs& shared, const std::vector<QueuedProc>& procs);
  ~UringQueue() override;
  /// The reason why io_uring cannot be used here; empty when it can.
  static std::string refusal();

  void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) override;
  std::size_t complete(std::span<Completion> done, Nanos timeout) override;

 private:
  enum class Stage : std::uint8_t { evict_sync, evict, open, transfer, sync, close };
  /// An op in flight, which is a chain of requests, one at a time.
  struct Slot {
    Stage stage = Stage::transfer;
    bool in_flight = false;
    std::uint32_t proc = 0;
    Op op;
    OpResult result;
    Bytes moved = 0;
    OpenFile* file = nullptr;  ///< also while the file is being opened; of opens and closes none
    std::unique_ptr<OpenFile> closing;
    int flags = 0, handle = -1;  ///< those of the file that is being opened
    open_how how{};
    char path[longest_path];
  };

  void start(std::uint32_t slot, std::uint32_t proc, const Op& op);
  void continue_slot(std::uint32_t slot, int returned);
  void go_to(std::uint32_t slot, Stage stage);
  void use_file(std::uint32_t slot);
  void give_up_opening(std::uint32_t slot);
  std::vector<std::uint32_t> take_waiting_for(const OpenFile* file);
  void prepare_open(std::uint32_t slot, io_uring_sqe* sqe);
  void prepare_transfer(std::uint32_t slot, io_uring_sqe* sqe);
  void prepare_sync(int handle, io_uring_sqe* sqe);
  void prepare_close(int handle, io_uring_sqe* sqe);
  void use_handle(io_uring_sqe* sqe) const;
  void finish(std::uint32_t slot);
  void fail(std::uint32_t slot);
  void enter(Nanos timeout);
  void reap();
  void submit();
  void check(int returned);
  bool syncs_at_close(const Slot& slot, const OpenFile& file) const;
  void register_files(const std::vector<QueuedProc>& procs);

  PosixProcs& shared_;
  QueueBuffers buffers_;
  io_uring ring_{};
  bool fixed_files_ = false, fixed_buffers_ = false;
  std::vector<int> free_handles_;  ///< numbers of registered files
  std::vector<OpenFiles> files_;   ///< by proc
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> finished_;
  std::vector<std::uint32_t> waiting_;           ///< slots that wait for room in the ring
  std::vector<std::uint32_t> waiting_for_open_;  ///< slots whose file another slot is opening
  int refused_ = 0;                              ///< the errno with which the kernel has refused the ring for good
};

}  // namespace edagen
