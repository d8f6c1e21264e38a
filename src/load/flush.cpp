#include "load/flush.hpp"

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace edagen {
namespace {

/// Carries out `work` in a thread of its own. False when it does not end within `longest` or until `stop`: then the
/// thread is left behind. `what`: for the report after `stuck_after`.
bool ends_in_time(const std::function<void()>& work, const std::string& what, Nanos stuck_after, Nanos longest,
                  const std::stop_token& stop, const EventSink& emit) {
  struct State {
    std::exception_ptr failure;
    std::atomic<bool> done{false};
  };
  const auto state = std::make_shared<State>();
  const TimePoint start = now();
  std::thread thread([state, work] {
    try {
      work();
    } catch (...) {
      state->failure = std::current_exception();
    }
    state->done.store(true, std::memory_order_release);
  });
  bool reported = false;
  while (!state->done.load(std::memory_order_acquire)) {
    const Nanos waited = now() - start;
    if (waited >= stuck_after && !std::exchange(reported, true)) emit(OpStuck{what, OpKind::fsync, waited});
    if (stop.stop_requested() || waited >= longest) {
      thread.detach();
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  thread.join();
  if (state->failure) std::rethrow_exception(state->failure);
  return true;
}

}  // namespace

bool flush(Target& target, Nanos stuck_after, const std::stop_token& stop, const EventSink& emit, RunStats* counted) {
  constexpr int longest = 10;  // times as long as an op may take, since there may be gigabytes to write
  struct Flush {
    std::vector<int> failures;
    Nanos time{0};
  };
  const auto flush = std::make_shared<Flush>();
  const auto work = [flush, &target, start = now()] {
    flush->failures = target.sync();
    flush->time = now() - start;
  };
  if (!ends_in_time(work, "all files", stuck_after, longest * stuck_after, stop, emit)) return false;
  if (counted == nullptr) return true;
  counted->sync_time = flush->time;
  counted->sync_errors = flush->failures;
  for (const int error : flush->failures) {
    counted->ops.record_error(OpKind::fsync, error);
    emit(OpFailed{"all files, at the end", OpKind::fsync, error});
  }
  return true;
}

bool drop_caches(Target& target, Nanos stuck_after, const std::stop_token& stop, const EventSink& emit) {
  return ends_in_time([&target] { target.drop_caches(); }, "all files, before the caches are dropped", stuck_after,
                      Nanos::max(), stop, emit);
}

}  // namespace edagen
