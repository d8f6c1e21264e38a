// The use of this host's processors.
#pragma once

#include "edagen/clock.hpp"
#include "load/throttling.hpp"

namespace edagen {

/// The use since construction. Not thread-safe.
class UsedProcessors {
 public:
  UsedProcessors();

  double by_process() const;  ///< processors that this process used
  double share_of_host()
      const;  ///< share of the time of all processors that was not idle, whoever used it; 0 when unknown
  /// Share of the time in which the limit of processors of this process's container held it up; 1: all the time, on one
  /// processor or more.
  double throttled_share() const;

 private:
  struct HostTime {
    double busy = 0, all = 0;  ///< ticks
  };
  static HostTime host_time();

  TimePoint since_ = now();
  Nanos used_;
  HostTime host_;
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
};

}  // namespace edagen
