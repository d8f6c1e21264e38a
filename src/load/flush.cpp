#include "load/flush.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace edagen {

bool flush(Target& target, Nanos stuck_after, const std::stop_token& stop, const EventSink& emit, RunStats* counted) {
  constexpr int longest = 10;  // times as long as an op may take, since there may be gigabytes to write
  struct Flush {
    std::vector<int> failures;
    Nanos time{0};
    std::atomic<bool> done{false};
  };
  const auto flush = std::make_shared<Flush>();
  const TimePoint start = now();
  std::thread thread([flush, start, &target] {
    flush->failures = target.sync();
    flush->time = now() - start;
    flush->done.store(true, std::memory_order_release);
  });
  bool reported = false;
  while (!flush->done.load(std::memory_order_acquire)) {
    const Nanos waited = now() - start;
    if (waited >= stuck_after && !std::exchange(reported, true)) emit(OpStuck{"all files", OpKind::fsync, waited});
    if (stop.stop_requested() || waited >= longest * stuck_after) {
      thread.detach();
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  thread.join();
  if (counted == nullptr) return true;
  counted->sync_time = flush->time;
  counted->sync_errors = flush->failures;
  for (const int error : flush->failures) {
    counted->ops.record_error(OpKind::fsync, error);
    emit(OpFailed{"all files, at the end", OpKind::fsync, error});
  }
  return true;
}

}  // namespace edagen
