// Runs one piece of work in several threads while the caller reports on it.
#pragma once

#include <functional>
#include <stop_token>

namespace edagen {

/// Calls `work` in `threads` threads, or in as many as the system allows, and returns when all have ended; `meanwhile`
/// is called in this thread about ten times a second and once at the end. `work` gets a token that stops when `stop`
/// does or when another thread has thrown. The first exception is rethrown; so is the system's when there is no thread.
void run_in_parallel(
    std::size_t threads, const std::stop_token& stop, const std::function<void(const std::stop_token&)>& work,
    const std::function<void()>& meanwhile = [] {});

}  // namespace edagen
