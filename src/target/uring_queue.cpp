#include "target/uring_queue.hpp"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "base/beneath.hpp"
#include "edagen/error.hpp"
#include "target/file_io.hpp"

namespace edagen {
namespace {

/// Kernels before 6.1 lack the flags that save interrupts and task switches.
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

/// Whether a later io_uring_enter may succeed.
bool is_passing(int error) { return error == EINTR || error == EAGAIN || error == EBUSY || error == ETIME; }

}  // namespace

std::string UringQueue::refusal() {
  io_uring ring{};
  if (const int failed = set_up(4, ring); failed < 0) return std::strerror(-failed);
  const bool waits = (ring.features & IORING_FEAT_EXT_ARG) != 0;
  io_uring_queue_exit(&ring);
  return waits ? "" : "the kernel's is older than 5.11";
}

UringQueue::UringQueue(PosixProcs& shared, const std::vector<QueuedProc>& procs)
    : shared_(shared), buffers_(procs, shared.places), files_(shared.places.size()), slots_(buffers_.slots()) {
  if (const int failed = set_up(static_cast<unsigned>(slots_.size()), ring_); failed < 0)
    throw run_error("io_uring", std::strerror(-failed), "threads as the I/O engine");
  register_files(procs);
  const std::vector<iovec>& extents = buffers_.extents();
  // Without the right to pin so much memory the queue goes on without fixed buffers.
  fixed_buffers_ = extents.size() <= most_registered_buffers &&
                   io_uring_register_buffers(&ring_, extents.data(), static_cast<unsigned>(extents.size())) == 0;
}

void UringQueue::register_files(const std::vector<QueuedProc>& procs) {
  unsigned count = 0;
  for (const QueuedProc& proc : procs)
    count += OpenFiles::most + 2 * proc.depth;  // open files, and files that are being opened
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
  // Each op is submitted at once: batches end together, and devices idle in between.
  submit();
}

/// Requests that the kernel does not take now stay in the ring; complete() submits them again.
void UringQueue::submit() {
  if (refused_ == 0 && io_uring_sq_ready(&ring_) > 0) check(io_uring_submit(&ring_));
}

/// Checks the result of a call that enters the kernel. When the kernel refuses the ring for good, the ends of ops in
/// flight will never arrive: these ops end now with that errno, and so do all ops that begin later.
void UringQueue::check(int returned) {
  if (returned >= 0 || is_passing(-returned)) return;
  refused_ = -returned;
  waiting_.clear();
  waiting_for_open_.clear();
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot)
    if (slots_[slot].in_flight) fail(slot);
}

void UringQueue::fail(std::uint32_t slot) {
  note(slots_[slot].result, refused_);
  finish(slot);
}

void UringQueue::start(std::uint32_t slot, std::uint32_t proc, const Op& op) {
  Slot& current = slots_[slot];
  current.proc = proc;
  current.op = op;
  current.result = {};
  current.moved = 0;
  current.file = nullptr;
  current.in_flight = true;
  if (refused_ != 0) return fail(slot);
  OpenFiles& files = files_[proc];
  if (op.kind == OpKind::close) {
    if (OpenFile* const file = files.find_session(op.name.index, op.writing)) {
      current.closing = files.take(file);
      return go_to(slot, syncs_at_close(current, *current.closing) ? Stage::evict_sync : Stage::close);
    }
    if (files.surplus(shared_.budget.files_per_queue) != nullptr)
      return finish(slot);  // the file was closed to make room
  }
  current.flags = open_flags(*shared_.procs[proc].place, op);
  const bool uses_file = op.kind != OpKind::open && op.kind != OpKind::close;
  if (uses_file) current.file = files.find(op.name.index, current.flags);
  if (current.file != nullptr) {
    ++current.file->users;
    if (current.file->opening) return waiting_for_open_.push_back(slot);
    return use_file(slot);
  }
  if (OpenFile* const surplus = files.surplus(shared_.budget.files_per_queue)) current.closing = files.take(surplus);
  if (uses_file)
    current.file = files.add({.index = op.name.index, .flags = current.flags, .users = 1, .opening = true});
  if (current.closing == nullptr) return go_to(slot, Stage::open);
  go_to(slot, syncs_at_close(current, *current.closing) ? Stage::evict_sync : Stage::evict);
}

/// Goes on with an op whose file is open.
void UringQueue::use_file(std::uint32_t slot) {
  go_to(slot, slots_[slot].op.kind == OpKind::fsync ? Stage::sync : Stage::transfer);
}

/// The slot cannot open its file: one of those that wait for the file opens it again.
void UringQueue::give_up_opening(std::uint32_t slot) {
  OpenFile* const file = std::exchange(slots_[slot].file, nullptr);
  if (file == nullptr) return;  // an open or a close
  const std::vector<std::uint32_t> waiting = take_waiting_for(file);
  for (const std::uint32_t other : waiting) slots_[other].file = nullptr;
  files_[slots_[slot].proc].take(file);
  for (const std::uint32_t other : waiting)
    if (refused_ == 0) start(other, slots_[other].proc, Op(slots_[other].op));
}

std::vector<std::uint32_t> UringQueue::take_waiting_for(const OpenFile* file) {
  const auto waits_for_another = [&](std::uint32_t slot) { return slots_[slot].file != file; };
  const auto first = std::stable_partition(waiting_for_open_.begin(), waiting_for_open_.end(), waits_for_another);
  std::vector<std::uint32_t> slots(first, waiting_for_open_.end());
  waiting_for_open_.erase(first, waiting_for_open_.end());
  return slots;
}

std::size_t UringQueue::complete(std::span<Completion> done, Nanos timeout) {
  if (refused_ == 0) enter(timeout);
  else if (finished_.empty() && timeout > Nanos(0)) std::this_thread::sleep_for(timeout);
  reap();
  const std::size_t count = std::min(done.size(), finished_.size());
  for (std::size_t i = 0; i < count; ++i) {
    done[i] = {finished_.back(), slots_[finished_.back()].result};
    finished_.pop_back();
  }
  return count;
}

/// Submits requests, and waits when nothing has completed yet.
void UringQueue::enter(Nanos timeout) {
  if (!finished_.empty() || timeout < Nanos(0)) {
    submit();
  } else if (timeout == Nanos(0)) {
    check(io_uring_submit_and_get_events(&ring_));
  } else {
    __kernel_timespec wait{.tv_sec = timeout.count() / 1'000'000'000, .tv_nsec = timeout.count() % 1'000'000'000};
    io_uring_cqe* first = nullptr;
    check(io_uring_submit_and_wait_timeout(&ring_, &first, 1, &wait, nullptr));
  }
}

void UringQueue::reap() {
  unsigned head = 0, seen = 0;
  io_uring_cqe* completion = nullptr;
  io_uring_for_each_cqe(&ring_, head, completion) {
    if (refused_ == 0) continue_slot(static_cast<std::uint32_t>(io_uring_cqe_get_data64(completion)), completion->res);
    ++seen;
  }
  io_uring_cq_advance(&ring_, seen);
  // Completions make room in the ring.
  for (const std::uint32_t slot : std::exchange(waiting_, {}))
    if (refused_ == 0) go_to(slot, slots_[slot].stage);
}

/// Handles the return of the slot's request.
void UringQueue::continue_slot(std::uint32_t slot, int returned) {
  Slot& current = slots_[slot];
  const int error = returned < 0 ? -returned : 0;
  switch (current.stage) {
    case Stage::evict_sync:
      note(current.result, error);
      return go_to(slot, current.op.kind == OpKind::close ? Stage::close : Stage::evict);
    case Stage::evict:
    case Stage::close:
      note(current.result, error);
      if (fixed_files_) free_handles_.push_back(current.closing->handle);
      current.closing.reset();
      if (current.stage == Stage::close) return finish(slot);
      if (current.result.error == 0) return go_to(slot, Stage::open);
      finish(slot);
      return give_up_opening(slot);
    case Stage::open: {
      if (error != 0) {
        note(current.result, error);
        if (fixed_files_) free_handles_.push_back(current.handle);
        finish(slot);
        return give_up_opening(slot);
      }
      const int handle = fixed_files_ ? current.handle : returned;
      if (current.file == nullptr) {
        OpenFile* const file =
            files_[current.proc].add({.index = current.op.name.index, .flags = current.flags, .handle = handle});
        if (current.op.kind == OpKind::open) return finish(slot);
        current.closing = files_[current.proc].take(file);  // the close is a proc's first op
        return go_to(slot, Stage::close);
      }
      current.file->handle = handle;
      current.file->opening = false;
      const std::vector<std::uint32_t> waiting = take_waiting_for(current.file);
      use_file(slot);
      for (const std::uint32_t other : waiting)
        if (refused_ == 0) use_file(other);
      return;
    }
    case Stage::transfer: {
      const bool reading = reads_extent(current.op);
      if (error == EINTR || error == EAGAIN) return go_to(slot, Stage::transfer);
      if (returned <= 0) note(current.result, error != 0 ? error : reading ? short_read_error : short_write_error);
      else (reading ? current.result.bytes_read : current.result.bytes_written) += returned, current.moved += returned;
      if (current.result.error == 0 && current.moved < current.op.length) return go_to(slot, Stage::transfer);
      if (current.result.error == 0 && current.op.commit) return go_to(slot, Stage::sync);
      return finish(slot);
    }
    case Stage::sync: note(current.result, error); return finish(slot);
  }
}

/// Makes the slot's next request. When the ring is full, the slot waits until completions make room.
void UringQueue::go_to(std::uint32_t slot, Stage stage) {
  Slot& current = slots_[slot];
  current.stage = stage;
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  if (sqe == nullptr) {
    submit();
    if (refused_ != 0) return;  // the op has ended already
    sqe = io_uring_get_sqe(&ring_);
  }
  if (sqe == nullptr) return waiting_.push_back(slot);
  switch (stage) {
    case Stage::open: prepare_open(slot, sqe); break;
    case Stage::transfer: prepare_transfer(slot, sqe); break;
    case Stage::sync: prepare_sync(current.file->handle, sqe); break;
    case Stage::evict_sync: prepare_sync(current.closing->handle, sqe); break;
    case Stage::evict:
    case Stage::close: prepare_close(current.closing->handle, sqe); break;
  }
  io_uring_sqe_set_data64(sqe, slot);
}

void UringQueue::prepare_open(std::uint32_t slot, io_uring_sqe* sqe) {
  Slot& current = slots_[slot];
  const PosixProcs::Proc& proc = shared_.procs[current.proc];
  proc.write_path(current.op.name, current.path);
  current.how = beneath(current.flags);
  if (fixed_files_) {
    current.handle = free_handles_.back();
    free_handles_.pop_back();
    current.how.flags &= ~std::uint64_t{O_CLOEXEC};  // registered files have no such flag
    io_uring_prep_openat2_direct(sqe, proc.place->root, current.path, &current.how,
                                 static_cast<unsigned>(current.handle));
  } else {
    io_uring_prep_openat2(sqe, proc.place->root, current.path, &current.how);
  }
}

void UringQueue::prepare_transfer(std::uint32_t slot, io_uring_sqe* sqe) {
  Slot& current = slots_[slot];
  const SlotBuffers& buffers = buffers_.of(slot);
  const auto length = static_cast<unsigned>(current.op.length - current.moved);
  const auto offset = static_cast<std::uint64_t>(current.op.offset + current.moved);
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
}

void UringQueue::prepare_sync(int handle, io_uring_sqe* sqe) {
  io_uring_prep_fsync(sqe, handle, 0);
  use_handle(sqe);
}

void UringQueue::prepare_close(int handle, io_uring_sqe* sqe) {
  if (fixed_files_) io_uring_prep_close_direct(sqe, static_cast<unsigned>(handle));
  else io_uring_prep_close(sqe, handle);
}

void UringQueue::finish(std::uint32_t slot) {
  Slot& current = slots_[slot];
  current.in_flight = false;
  if (current.file != nullptr) --current.file->users;
  finished_.push_back(slot);
}

void UringQueue::use_handle(io_uring_sqe* sqe) const {
  if (fixed_files_) io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
}

bool UringQueue::syncs_at_close(const Slot& slot, const OpenFile& file) const {
  return file.written && shared_.places[slot.proc].spec->io.fsync == FsyncWhen::close;
}

}  // namespace edagen
