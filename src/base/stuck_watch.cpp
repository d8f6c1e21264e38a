#include "base/stuck_watch.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace edagen {
namespace {

constexpr Nanos look_every = std::chrono::milliseconds(50);
constexpr Nanos patience = std::chrono::seconds(5);

}  // namespace

StuckWatch::Thread::Thread(StuckWatch& watch) : watch_(watch) {
  std::lock_guard lock(watch_.mutex_);
  watch_.threads_.push_back(this);
}

StuckWatch::Thread::~Thread() {
  std::lock_guard lock(watch_.mutex_);
  watch_.threads_.remove(this);
}

void StuckWatch::Thread::call_started(std::string_view what, std::string_view path, std::string_view leaf) {
  std::lock_guard lock(mutex_);
  char* end = text_.data();
  const auto add = [&](std::string_view part) {
    const std::size_t room = static_cast<std::size_t>(text_.data() + text_.size() - end);
    end = static_cast<char*>(std::memcpy(end, part.data(), std::min(part.size(), room))) + std::min(part.size(), room);
  };
  add(what);
  add(" ");
  add(path);
  if (!leaf.empty()) add("/"), add(leaf);
  length_ = static_cast<std::size_t>(end - text_.data());
  calls_.store((calls_.load(std::memory_order_relaxed) + 2) | 1, std::memory_order_relaxed);
}

void StuckWatch::Thread::pause() {
  calls_.store((calls_.load(std::memory_order_relaxed) + 1) & ~std::uint64_t{1}, std::memory_order_relaxed);
}

StuckWatch::StuckWatch(Nanos stuck_after, Stuck stuck)
    : stuck_after_(stuck_after), stuck_(std::move(stuck)), watcher_([this](const std::stop_token& ended) {
        while (!ended.stop_requested()) {
          std::this_thread::sleep_for(look_every);
          look();
        }
      }) {}

StuckWatch::~StuckWatch() = default;

void StuckWatch::end_with(std::stop_token stop, std::function<void(const std::string&)> abandon) {
  std::lock_guard lock(mutex_);
  stop_ = std::move(stop);
  abandon_ = std::move(abandon);
}

void StuckWatch::look() {
  const TimePoint at = now();
  std::lock_guard lock(mutex_);
  for (Thread* const thread : threads_) {
    const std::uint64_t calls = thread->calls_.load(std::memory_order_relaxed);
    if (calls != thread->seen_) {
      thread->seen_ = calls;
      thread->since_ = at;
      thread->reported_ = false;
    }
    const Nanos age = at - thread->since_;
    if (calls % 2 == 0 || age < std::min(patience, stuck_after_)) continue;
    const bool ending = abandon_ && stop_.stop_requested();
    if (age < stuck_after_ && !ending) continue;
    std::string what;
    {
      std::lock_guard text(thread->mutex_);
      what.assign(thread->text_.data(), thread->length_);
    }
    if (!std::exchange(thread->reported_, true)) stuck_(what, age);
    if (ending) std::exchange(abandon_, nullptr)(what);
  }
}

}  // namespace edagen
