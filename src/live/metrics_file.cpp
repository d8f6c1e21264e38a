#include "live/metrics_file.hpp"

#include <spdlog/spdlog.h>

#include "edagen/error.hpp"
#include "live/background.hpp"
#include "live/metrics_text.hpp"
#include "session/outputs.hpp"

namespace edagen {

MetricsFile::MetricsFile(Place place, const LiveRun& run, StuckWatch& watch)
    : place_(std::move(place)),
      run_(run),
      watch_(watch),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

void MetricsFile::work(const std::stop_token& stop) {
  yield_to_the_load();
  while (!stop.stop_requested()) {
    std::unique_lock lock(mutex_);
    due_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    write();
  }
}

void MetricsFile::write() {
  const std::uint64_t version = run_.version();
  if (version == 0 || (version == written_ && !is_over_)) return;  // 0: nothing was begun, nothing is to be touched
  StuckWatch::Thread self(watch_);
  self.call_started("writing " + place_.name, place_.path);
  try {
    LiveState state = run_.state();
    if (is_over_) state.stage = Stage::is_over;  // however it has ended
    // No fsync(2) each second: it would disturb a load on the same disk.
    write_text(place_, metrics_text(state, MetricsFormat::prometheus), false);
    written_ = version;
  } catch (const Error& error) {
    if (!failed_) spdlog::error("{}", error.what());
    failed_ = true;
  }
}

bool MetricsFile::finish() {
  if (!thread_.joinable()) return !failed_;
  thread_.request_stop();
  thread_.join();
  is_over_ = true;
  write();
  return !failed_;
}

}  // namespace edagen
