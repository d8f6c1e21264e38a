#include "nfs_client/nfs_queue.hpp"

#include <algorithm>
#include <cerrno>
#include <unordered_set>

#include "edagen/error.hpp"

namespace edagen {
namespace {

/// Connections that are made at once, so that none is dropped because a server has no room for so many at a time.
constexpr std::size_t most_connecting = 64;
constexpr Nanos stop_check = std::chrono::milliseconds(20);

}  // namespace

NfsQueue::NfsQueue(const std::vector<std::unique_ptr<NfsProc>>& all_procs, const std::vector<QueuedProc>& procs,
                   AllCounters& counters, const NfsTargetOptions& options)
    : all_procs_(all_procs), loop_(counters, options), ops_(loop_) {
  std::size_t slots = 0;
  Bytes largest = 0;  // of one WRITE: servers may differ, and procs of one kind share their payload
  for (const QueuedProc& queued : procs) largest = std::max(largest, all_procs_[queued.proc]->settings().write_size);
  std::unordered_set<const NfsIdentity*> met;
  for (const QueuedProc& queued : procs) {
    NfsProc& proc = *all_procs_[queued.proc];
    proc.payload = &loop_.payload(*proc.place->spec, largest);
    procs_.push_back(&proc);
    slots += queued.depth;
    if (met.insert(proc.identity).second) identities_.push_back(proc.identity);
  }
  in_flight_.resize(slots);
  finished_.reserve(slots);
  try {
    connect(options);
  } catch (...) {
    for (NfsIdentity* const identity : identities_) identity->disconnect();
    throw;
  }
}

NfsQueue::~NfsQueue() {
  for (NfsIdentity* const identity : identities_) identity->disconnect();
  in_flight_.clear();
  for (NfsProc* const proc : procs_) {
    proc->files.ops_are_gone();
    proc->payload = nullptr;
  }
}

void NfsQueue::connect(const NfsTargetOptions& options) {
  const TimePoint deadline = now() + options.connect_timeout;
  for (std::size_t i = 0; i < identities_.size(); ++i) {
    identities_[i]->connect(loop_.rpc(), options.retransmit_after);
    if (i >= most_connecting) wait_for_connection(*identities_[i - most_connecting], deadline, options.stop);
  }
  for (NfsIdentity* const identity : identities_) {
    wait_for_connection(*identity, deadline, options.stop);
    for (std::size_t i = 0; i < identity->connections(); ++i) identity->publish(i);  // before a window begins
  }
}

void NfsQueue::wait_for_connection(const NfsIdentity& identity, TimePoint deadline, const std::stop_token& stop) {
  while (!identity.is_connected()) {
    if (stop.stop_requested()) throw run_error(identity.server().name, "the run ends before all clients are connected");
    if (now() >= deadline) {
      const ConnectErrorText text = identity.connect_error();
      throw run_error(identity.server().name, text.what, text.hint);
    }
    loop_.run_until(std::min(deadline, now() + stop_check));
  }
}

void NfsQueue::begin(std::uint32_t slot, std::uint32_t proc, const Op& op) {
  InFlight& current = in_flight_[slot];
  current.op = op;
  current.proc = all_procs_[proc].get();
  current.has_looked_up_again = false;
  current.task = ops_.carry_out(*current.proc, op);
  current.task.start(*this, slot);
}

std::coroutine_handle<> NfsQueue::task_ended(std::uint32_t slot) {
  finished_.push_back(slot);
  return std::noop_coroutine();
}

std::size_t NfsQueue::complete(std::span<Completion> done, Nanos timeout) {
  if (timeout < Nanos(0)) return take(done);
  if (timeout == Nanos(0)) {
    loop_.poll();
    return take(done);
  }
  const TimePoint until = now() + timeout;
  for (;;) {
    if (const std::size_t count = take(done); count > 0 || now() >= until) return count;
    loop_.run_until(until);
  }
}

std::size_t NfsQueue::take(std::span<Completion> done) {
  std::size_t count = 0;
  while (count < done.size() && !finished_.empty()) {
    const std::uint32_t slot = finished_.back();
    finished_.pop_back();
    if (tries_again(slot)) continue;
    InFlight& current = in_flight_[slot];
    done[count++] = {slot, current.task.value()};
    current.task = {};
  }
  return count;
}

bool NfsQueue::tries_again(std::uint32_t slot) {
  InFlight& current = in_flight_[slot];
  if (current.task.value().error != ESTALE || current.has_looked_up_again) return false;
  current.has_looked_up_again = true;
  loop_.counters(current.proc->identity->server_number()).stale_handles.add(1);
  ops_.forget(*current.proc, current.op);
  current.task = ops_.carry_out(*current.proc, current.op);
  current.task.start(*this, slot);
  return true;
}

std::vector<int> NfsQueue::commit_all() {
  std::vector<Task<int>> tasks;
  tasks.reserve(procs_.size());
  Join join;
  for (NfsProc* const proc : procs_) {
    join.expect_another();
    tasks.push_back(ops_.commit_all(*proc));
    tasks.back().start(join, 0);
  }
  const std::stop_token& stop = loop_.options().stop;
  while (!join.await_ready() && !stop.stop_requested()) loop_.run_until(now() + stop_check);
  if (!join.await_ready()) return {EINTR};
  std::vector<int> errors;
  for (const Task<int>& task : tasks)
    if (task.value() != 0) errors.push_back(task.value());
  return errors;
}

}  // namespace edagen
