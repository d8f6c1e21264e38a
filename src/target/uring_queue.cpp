#include "uring_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "edagen/core/error.hpp"
#include "edagen/core/beneath.hpp"
#include "file_io.hpp"

namespace edagen {
namespace {

/// Kernels before 6.1 do not know the flags that save interrupts and task switches.
int set_up(unsigned entries, io_uring& ring) {
  int failed = 0;
  for (const unsigned flags : {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, 0u}) {
    io_uring_params params{};
    params.flags = flags | IORING_SETUP_CLAMP;
    failed = io_uring_queue_init_params(entries, &ring, &params);
    if (failed != -EINVAL) return failed;
  }
  return failed;
}

constexpr std::size_t most_registered_buffers = 16384;

}  // namespace

std::string io_uring_refusal() {
  io_uring ring{};
  if (const int failed = set_up(4, ring); failed < 0) return std::strerror(-failed);
  const bool waits = (ring.features & IORING_FEAT_EXT_ARG) != 0;
  io_uring_queue_exit(&ring);
  return waits ? "" : "the kernel's is older than 5.11";
}

UringQueue::UringQueue(PosixProcs& shared, const std::vector<QueuedProc>& procs)
    : shared_(shared), buffers_(procs, shared.places), files_(shared.places.size()), slots_(buffers_.slots()) {
  if (const int failed = set_up(static_cast<unsigned>(slots_.size()), ring_); failed < 0)
    throw run_error("io_uring", std::strerror(-failed), "--io-engine threads");
  register_files(procs);
  const std::vector<iovec>& extents = buffers_.extents();
  // Without the right to pin so much memory it goes on without.
  fixed_buffers_ = extents.size() <= most_registered_buffers &&
                   io_uring_register_buffers(&ring_, extents.data(), static_cast<unsigned>(extents.size())) == 0;
}

void UringQueue::register_files(const std::vector<QueuedProc>& procs) {
  unsigned count = 0;
  for (const QueuedProc& proc : procs) count += OpenFiles::most + 2 * proc.depth;  // open, and being opened
  if (io_uring_register_files_sparse(&ring_, count) != 0) return;
  fixed_files_ = true;
  for (int handle = static_cast<int>(count); handle-- > 0;) free_handles_.push_back(handle);
}

UringQueue::~UringQueue() {
  if (!fixed_files_)
    for (const OpenFiles& files : files_)
      for (const auto& file : files.all()) ::close(file->handle);
  io_uring_queue_exit(&ring_);
}

void UringQueue::begin(std::uint32_t slot, std::uint32_t proc, const Op& op) {
  start(slot, proc, op);
  // At once, not in batches: what begins together ends together, and devices idle in between.
  io_uring_submit(&ring_);
}

void UringQueue::start(std::uint32_t slot, std::uint32_t proc, const Op& op) {
  Slot& begun = slots_[slot];
  begun.proc = proc;
  begun.op = op;
  begun.result = {};
  begun.moved = 0;
  begun.file = nullptr;
  OpenFiles& files = files_[proc];
  if (op.kind == OpKind::close) {
    OpenFile* const file = files.find_session(op.name.index, op.writing);
    if (file == nullptr) return finish(slot);
    begun.closing = files.take(file);
    if (syncs_at_close(begun, *begun.closing)) return start_sync(slot, Stage::evict_sync, begun.closing->handle);
    return start_close(slot, Stage::close);
  }
  begun.flags = open_flags(*shared_.procs[proc].place, op);
  if (op.kind != OpKind::open) begun.file = files.find(op.name.index, begun.flags);
  if (begun.file != nullptr) {
    ++begun.file->users;
    return op.kind == OpKind::fsync ? start_sync(slot, Stage::sync, begun.file->handle) : start_transfer(slot);
  }
  if (OpenFile* const surplus = files.surplus(shared_.budget.files_per_queue)) {
    begun.closing = files.take(surplus);
    if (syncs_at_close(begun, *begun.closing)) return start_sync(slot, Stage::evict_sync, begun.closing->handle);
    return start_close(slot, Stage::evict);
  }
  start_open(slot);
}

std::size_t UringQueue::complete(std::span<Completion> done, Nanos timeout) {
  if (!finished_.empty() || timeout < Nanos(0)) {
    if (io_uring_sq_ready(&ring_) > 0) io_uring_submit(&ring_);
  } else if (timeout == Nanos(0)) {
    io_uring_submit_and_get_events(&ring_);
  } else {
    __kernel_timespec wait{.tv_sec = timeout.count() / 1'000'000'000, .tv_nsec = timeout.count() % 1'000'000'000};
    io_uring_cqe* first = nullptr;
    io_uring_submit_and_wait_timeout(&ring_, &first, 1, &wait, nullptr);
  }
  unsigned head = 0, seen = 0;
  io_uring_cqe* completion = nullptr;
  io_uring_for_each_cqe(&ring_, head, completion) {
    go_on(static_cast<std::uint32_t>(io_uring_cqe_get_data64(completion)), completion->res);
    ++seen;
  }
  io_uring_cq_advance(&ring_, seen);
  const std::size_t count = std::min(done.size(), finished_.size());
  for (std::size_t i = 0; i < count; ++i) {
    done[i] = {finished_.back(), slots_[finished_.back()].result};
    finished_.pop_back();
  }
  return count;
}

/// The slot's request has returned.
void UringQueue::go_on(std::uint32_t slot, int returned) {
  Slot& current = slots_[slot];
  const int error = returned < 0 ? -returned : 0;
  switch (current.stage) {
    case Stage::evict_sync:
      note(current.result, error);
      return start_close(slot, current.op.kind == OpKind::close ? Stage::close : Stage::evict);
    case Stage::evict: case Stage::close:
      note(current.result, error);
      if (fixed_files_) free_handles_.push_back(current.closing->handle);
      current.closing.reset();
      if (current.stage == Stage::close || current.result.error != 0) return finish(slot);
      return start_open(slot);
    case Stage::open: {
      if (error != 0) {
        note(current.result, error);
        if (fixed_files_) free_handles_.push_back(current.handle);
        return finish(slot);
      }
      OpenFile* const file = files_[current.proc].add(
          {.index = current.op.name.index, .flags = current.flags, .handle = fixed_files_ ? current.handle : returned});
      if (current.op.kind == OpKind::open) return finish(slot);
      current.file = file;
      ++file->users;
      return current.op.kind == OpKind::fsync ? start_sync(slot, Stage::sync, file->handle) : start_transfer(slot);
    }
    case Stage::transfer: {
      const bool reading = reads_extent(current.op);
      if (error == EINTR || error == EAGAIN) return start_transfer(slot);
      if (returned <= 0) note(current.result, error != 0 ? error : reading ? short_read_error : short_write_error);
      else (reading ? current.result.bytes_read : current.result.bytes_written) += returned, current.moved += returned;
      if (current.result.error == 0 && current.moved < current.op.length) return start_transfer(slot);
      if (current.result.error == 0 && current.op.commit) return start_sync(slot, Stage::sync, current.file->handle);
      return finish(slot);
    }
    case Stage::sync:
      note(current.result, error);
      return finish(slot);
  }
}

void UringQueue::start_open(std::uint32_t slot) {
  Slot& current = slots_[slot];
  const PosixProcs::Proc& proc = shared_.procs[current.proc];
  proc.write_path(current.op.name, current.path);
  current.how = beneath(current.flags);
  io_uring_sqe* const sqe = request(slot, Stage::open);
  if (fixed_files_) {
    current.handle = free_handles_.back();
    free_handles_.pop_back();
    current.how.flags &= ~std::uint64_t{O_CLOEXEC};  // registered files have no such flag
    io_uring_prep_openat2_direct(sqe, proc.place->root, current.path, &current.how, static_cast<unsigned>(current.handle));
  } else {
    io_uring_prep_openat2(sqe, proc.place->root, current.path, &current.how);
  }
  io_uring_sqe_set_data64(sqe, slot);
}

void UringQueue::start_transfer(std::uint32_t slot) {
  Slot& current = slots_[slot];
  const SlotBuffers& buffers = buffers_.of(slot);
  const auto length = static_cast<unsigned>(current.op.length - current.moved);
  const auto offset = static_cast<std::uint64_t>(current.op.offset + current.moved);
  io_uring_sqe* const sqe = request(slot, Stage::transfer);
  const int handle = current.file->handle;
  if (reads_extent(current.op)) {
    char* const into = buffers.read + current.moved;
    if (fixed_buffers_) io_uring_prep_read_fixed(sqe, handle, into, length, offset, buffers.read_index);
    else io_uring_prep_read(sqe, handle, into, length, offset);
  } else {
    if (current.moved == 0) buffers.stamp->apply(buffers.write, current.op.length);
    current.file->written = true;
    const char* const from = buffers.write + current.moved;
    if (fixed_buffers_) io_uring_prep_write_fixed(sqe, handle, from, length, offset, buffers.write_index);
    else io_uring_prep_write(sqe, handle, from, length, offset);
  }
  use_handle(sqe);
  io_uring_sqe_set_data64(sqe, slot);
}

void UringQueue::start_sync(std::uint32_t slot, Stage stage, int handle) {
  io_uring_sqe* const sqe = request(slot, stage);
  io_uring_prep_fsync(sqe, handle, 0);
  use_handle(sqe);
  io_uring_sqe_set_data64(sqe, slot);
}

void UringQueue::start_close(std::uint32_t slot, Stage stage) {
  const int handle = slots_[slot].closing->handle;
  io_uring_sqe* const sqe = request(slot, stage);
  if (fixed_files_) io_uring_prep_close_direct(sqe, static_cast<unsigned>(handle));
  else io_uring_prep_close(sqe, handle);
  io_uring_sqe_set_data64(sqe, slot);
}

void UringQueue::finish(std::uint32_t slot) {
  Slot& current = slots_[slot];
  if (current.file != nullptr) --current.file->users;
  finished_.push_back(slot);
}

io_uring_sqe* UringQueue::request(std::uint32_t slot, Stage stage) {
  slots_[slot].stage = stage;
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  while (sqe == nullptr) {
    io_uring_submit(&ring_);
    sqe = io_uring_get_sqe(&ring_);
  }
  return sqe;
}

void UringQueue::use_handle(io_uring_sqe* sqe) const {
  if (fixed_files_) io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
}

bool UringQueue::syncs_at_close(const Slot& slot, const OpenFile& file) const {
  return file.written && shared_.places[slot.proc].spec->io.fsync == FsyncWhen::close;
}

}  // namespace edagen
