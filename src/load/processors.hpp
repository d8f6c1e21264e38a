// The use of this host's processors.
#pragma once

#include <cstddef>
#include <istream>
#include <vector>

#include "base/usable_processors.hpp"
#include "edagen/clock.hpp"
#include "load/throttling.hpp"

namespace edagen {

/// The time of processors since the host began, in ticks.
struct ProcessorTime {
  double busy = 0, all = 0;
};
/// The sum over the processors with these numbers, which ascend, from the text of /proc/stat (proc(5)). Where the text
/// does not have all of them, as in a container that numbers its own, the sum over all processors; 0: not known. Time
/// that the hypervisor took away (steal) counts as busy.
ProcessorTime processor_time(std::istream& stat, const std::vector<std::size_t>& numbers);

/// The use since construction. Not thread-safe.
class UsedProcessors {
 public:
  UsedProcessors();

  double by_process() const;  ///< processors that this process used
  /// Share of the time of the processors that this process may use that was not idle, whoever used it; 0 when unknown.
  double share_of_host() const;
  /// Share of the time in which the limit of processors of this process's container held it up; 1: all the time, on one
  /// processor or more.
  double throttled_share() const;

 private:
  TimePoint since_ = now();
  Nanos used_;
  ProcessorTime host_;
  ThrottledTimes throttled_;
};

/// Measures whether workers wait for processors, and not for blocked ops. Not thread-safe.
class CpuMeter {
 public:
  CpuMeter();
  bool saturated(std::size_t workers);

 private:
  TimePoint since_ = now();
  Nanos used_;
  double processors_ = 0;
  double usable_ = static_cast<double>(usable_processor_count());
};

}  // namespace edagen
