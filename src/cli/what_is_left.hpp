// What a process that ends at once leaves behind.
#pragma once

#include <functional>
#include <mutex>

#include "edagen/session_observer.hpp"

namespace edagen {

class WhatIsLeft final : public SessionObserver {
 public:
  void can_tell_what_is_left(const std::function<void()>& tell) override {
    const std::lock_guard lock(mutex_);
    tell_ = tell;
  }
  /// Has the session say which datasets there are, to all its observers. From any thread.
  void tell() {
    const std::lock_guard lock(mutex_);
    if (tell_) tell_();
  }

 private:
  std::mutex mutex_;
  std::function<void()> tell_;
};

}  // namespace edagen
