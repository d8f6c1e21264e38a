#include "session/lock_watch.hpp"

#include <system_error>
#include <utility>

namespace edagen {

LockWatch::LockWatch(const Dataset& dataset, std::stop_token stop, Nanos every)
    : dataset_(dataset), every_(every), on_stop_(std::move(stop), [this] { ends_.request_stop(); }) {
  try {
    watcher_ = std::jthread([this](const std::stop_token& over) { watch(over); });
  } catch (const std::system_error&) {  // the system refuses another thread: the last look is the only one
  }
}

void LockWatch::watch(const std::stop_token& over) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      over_.wait_for(lock, over, every_, [] { return false; });
    }
    if (over.stop_requested()) return;
    const std::optional<Error> loss = look(over);
    if (!loss) continue;
    {
      std::lock_guard lock(mutex_);
      loss_ = loss;
    }
    ends_.request_stop();
    return;
  }
}

/// What cannot be looked at is no loss: a server that does not answer, or too few descriptors.
std::optional<Error> LockWatch::look(const std::stop_token& stop) const {
  try {
    return dataset_.loss_of_lock(stop);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::optional<Error> LockWatch::loss() const {
  std::lock_guard lock(mutex_);
  return loss_;
}

void LockWatch::end() {
  watcher_.request_stop();
  if (watcher_.joinable()) watcher_.join();
}

std::optional<Error> LockWatch::last_look() {
  end();
  const std::optional<Error> seen = loss();
  return seen ? seen : look(ends_.get_token());
}

}  // namespace edagen
