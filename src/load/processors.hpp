// What is used of this host's processors.
#pragma once

#include "edagen/clock.hpp"

namespace edagen {

/// Since it was made. Not thread-safe.
class UsedProcessors {
 public:
  UsedProcessors();

  double by_process() const;     ///< processors that this process used
  double share_of_host() const;  ///< of all processors' time, what was not idle, whoever used it; 0 when not known
  /// Of the time, the limit of processors of this process's container held it up; 1: all the time, on one processor or
  /// more.
  double throttled_share() const;

 private:
  struct HostTime {
    double busy = 0, all = 0;  ///< ticks
  };
  static HostTime host_time();

  TimePoint since_ = now();
  Nanos used_;
  HostTime host_;
  Nanos throttled_;
};

/// Says whether the processors, not blocked ops, are what workers wait for. Not thread-safe.
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
