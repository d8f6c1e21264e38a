#include "target/thread_queue.hpp"

#include <fcntl.h>

#include <algorithm>
#include <system_error>

#include "base/beneath.hpp"
#include "target/file_io.hpp"

namespace edagen {

ThreadQueue::ThreadQueue(PosixProcs& shared, const std::vector<QueuedProc>& procs, std::size_t most_threads)
    : shared_(shared), buffers_(procs, shared.places), most_threads_(most_threads), files_(shared.places.size()) {}

ThreadQueue::~ThreadQueue() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    work_.notify_all();
  }
  for (std::thread& thread : threads_) thread.join();
  for (const OpenFiles& files : files_)
    for (const auto& file : files.all()) ::close(file->handle);
}

void ThreadQueue::begin(std::uint32_t slot, std::uint32_t proc, const Op& op) {
  // Stamped here and not in the threads, which would share the stamp.
  if (writes_extent(op)) buffers_.of(slot).stamp->apply(buffers_.of(slot).write, op.length);
  std::lock_guard lock(mutex_);
  submitted_.push_back({slot, proc, op});
  if (idle_ >= submitted_.size() - next_) work_.notify_one();
  else if (threads_.size() < most_threads_) add_thread();
}

std::size_t ThreadQueue::complete(std::span<Completion> done, Nanos timeout) {
  std::unique_lock lock(mutex_);
  if (timeout > Nanos(0)) completed_.wait_for(lock, timeout, [&] { return !finished_.empty(); });
  const std::size_t count = std::min(done.size(), finished_.size());
  std::copy_n(finished_.end() - static_cast<std::ptrdiff_t>(count), count, done.begin());
  finished_.resize(finished_.size() - count);
  return count;
}

/// Adds a thread; when the system refuses, the existing threads go on.
void ThreadQueue::add_thread() {
  try {
    threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {
    if (threads_.empty()) throw;
  }
}

void ThreadQueue::work() {
  pthread_setname_np(pthread_self(), "edagen-io");
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    work_.wait(lock, [&] { return stopping_ || next_ < submitted_.size(); });
    --idle_;
    if (next_ == submitted_.size()) return;  // stopping
    const InFlight current = submitted_[next_++];
    if (next_ == submitted_.size()) {
      submitted_.clear();
      next_ = 0;
    }
    lock.unlock();
    const OpResult result = carry_out(current);
    lock.lock();
    finished_.push_back({current.slot, result});
    completed_.notify_one();
  }
}

OpResult ThreadQueue::carry_out(const InFlight& current) {
  const Op& op = current.op;
  if (op.kind == OpKind::close) return close_session(current);
  OpResult result;
  OpenFile* const file = acquire(current, result);
  if (file == nullptr) return result;
  const SlotBuffers& buffers = buffers_.of(current.slot);
  if (reads_extent(op)) read_extent(result, op, file->handle, buffers.read);
  if (writes_extent(op)) {
    write_extent(result, op, file->handle, buffers.write);
    commit(result, op, file->handle);
  }
  if (op.kind == OpKind::fsync && ::fsync(file->handle) != 0) note(result, errno);
  std::lock_guard lock(mutex_);
  --file->users;
  file->written |= writes_extent(op);
  return result;
}

OpenFile* ThreadQueue::acquire(const InFlight& current, OpResult& result) {
  const PosixProcs::Proc& proc = shared_.procs[current.proc];
  const int flags = open_flags(*proc.place, current.op);
  OpenFiles& files = files_[current.proc];
  const auto find = [&] {
    return current.op.kind == OpKind::open ? nullptr : files.find(current.op.name.index, flags);
  };
  std::unique_ptr<OpenFile> surplus;
  OpenFile* file = nullptr;
  {
    std::unique_lock lock(mutex_);
    while ((file = find()) != nullptr && file->opening) opened_.wait(lock);
    if (file != nullptr) {
      ++file->users;
      return file;
    }
    if (OpenFile* const old = files.surplus(shared_.budget.files_per_queue)) surplus = files.take(old);
    file = files.add({.index = current.op.name.index, .flags = flags, .users = 1, .opening = true});
  }
  int fd = -1;
  if (surplus) close(result, current.proc, *surplus);
  if (result.error == 0) {
    char path[longest_path];
    fd = open_beneath(proc.place->root, proc.write_path(current.op.name, path), flags).release();
    if (fd < 0) note(result, errno);
  }
  std::lock_guard lock(mutex_);
  opened_.notify_all();
  file->handle = fd;
  file->opening = false;
  if (fd >= 0) return file;
  files.take(file);  // one of those that wait opens it again
  return nullptr;
}

OpResult ThreadQueue::close_session(const InFlight& current) {
  OpResult result;
  const OpenFile* found = nullptr;
  {
    std::lock_guard lock(mutex_);
    OpenFiles& files = files_[current.proc];
    found = files.find_session(current.op.name.index, current.op.writing);
    if (found == nullptr && files.surplus(shared_.budget.files_per_queue) != nullptr) return result;  // closed for room
  }
  if (found == nullptr) found = acquire(current, result);  // a proc's first op
  if (found == nullptr) return result;
  std::unique_ptr<OpenFile> file;
  {
    std::lock_guard lock(mutex_);
    file = files_[current.proc].take(found);
  }
  close(result, current.proc, *file);
  return result;
}

void ThreadQueue::close(OpResult& result, std::uint32_t proc, const OpenFile& file) const {
  if (file.written && shared_.places[proc].spec->io.fsync == FsyncWhen::close && ::fsync(file.handle) != 0)
    note(result, errno);
  if (::close(file.handle) != 0) note(result, errno);
}

}  // namespace edagen
