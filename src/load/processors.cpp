#include "load/processors.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <thread>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

Nanos process_cpu_time() { return time_of(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace

UsedProcessors::UsedProcessors() : used_(process_cpu_time()), host_(host_time()), throttled_(throttled_times()) {}

double UsedProcessors::by_process() const {
  return to_seconds(process_cpu_time() - used_) / std::max(1e-9, to_seconds(now() - since_));
}

double UsedProcessors::share_of_host() const {
  const HostTime host = host_time();
  return host.all > host_.all ? (host.busy - host_.busy) / (host.all - host_.all) : 0;
}

double UsedProcessors::throttled_share() const {
  return std::min(
      1.0, to_seconds(most_throttled(throttled_, throttled_times())) / std::max(1e-9, to_seconds(now() - since_)));
}

/// proc(5), stat: user nice system idle iowait irq softirq steal. Time that the hypervisor took away (steal) counts as
/// busy.
UsedProcessors::HostTime UsedProcessors::host_time() {
  std::ifstream file("/proc/stat");
  std::string name;
  std::array<double, 8> ticks{};
  if (!(file >> name)) return {};
  for (double& value : ticks)
    if (!(file >> value)) return {};
  HostTime time;
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    time.all += ticks[i];
    if (i != 3 && i != 4) time.busy += ticks[i];
  }
  return time;
}

CpuMeter::CpuMeter() : used_(process_cpu_time()) {}

bool CpuMeter::saturated(std::size_t workers) {
  const TimePoint at = now();
  if (at - since_ >= std::chrono::milliseconds(10)) {
    const Nanos used = process_cpu_time();
    processors_ = to_seconds(used - used_) / to_seconds(at - since_);
    since_ = at;
    used_ = used;
  }
  const double available = std::min<double>(std::thread::hardware_concurrency(), static_cast<double>(workers));
  return processors_ > 0.9 * available;
}

}  // namespace edagen
