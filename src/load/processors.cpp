#include "load/processors.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

Nanos process_cpu_time() { return time_of(CLOCK_PROCESS_CPUTIME_ID); }

ProcessorTime processor_time_now() {
  std::ifstream file("/proc/stat");
  return processor_time(file, usable_processors());
}

}  // namespace

/// Columns: user nice system idle iowait irq softirq steal.
ProcessorTime processor_time(std::istream& stat, const std::vector<std::size_t>& numbers) {
  ProcessorTime of_all, of_these;
  std::size_t found = 0;
  for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
    const bool is_of_all = line.starts_with("cpu ");
    std::istringstream words(line.substr(3));
    std::size_t number = 0;
    if (!is_of_all && (!(words >> number) || !std::ranges::binary_search(numbers, number))) continue;
    if (!is_of_all) ++found;
    ProcessorTime& time = is_of_all ? of_all : of_these;
    double ticks = 0;
    for (std::size_t i = 0; i < 8 && words >> ticks; ++i) {
      time.all += ticks;
      if (i != 3 && i != 4) time.busy += ticks;
    }
  }
  return found > 0 && found == numbers.size() ? of_these : of_all;
}

UsedProcessors::UsedProcessors()
    : used_(process_cpu_time()), host_(processor_time_now()), throttled_(throttled_times()) {}

double UsedProcessors::by_process() const {
  return to_seconds(process_cpu_time() - used_) / std::max(1e-9, to_seconds(now() - since_));
}

double UsedProcessors::share_of_host() const {
  const ProcessorTime host = processor_time_now();
  return host.all > host_.all ? (host.busy - host_.busy) / (host.all - host_.all) : 0;
}

double UsedProcessors::throttled_share() const {
  return std::min(
      1.0, to_seconds(most_throttled(throttled_, throttled_times())) / std::max(1e-9, to_seconds(now() - since_)));
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
  return processors_ > 0.9 * std::min(usable_, static_cast<double>(workers));
}

}  // namespace edagen
