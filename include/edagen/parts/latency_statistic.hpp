// Which figure of the latencies is meant by "at 2 ms": the mean or a percentile, of response or service.
#pragma once

#include <string>
#include <string_view>

#include "edagen/parts/op_stats.hpp"

namespace edagen {

struct LatencyStatistic {
  double percentile = 0;  ///< 0: the mean
  bool service = false;   ///< else response

  double of(const LatencyHistogram& latency) const {  ///< ns
    return percentile == 0 ? latency.mean() : static_cast<double>(latency.percentile(percentile).count());
  }
  double of(const OpStats& ops) const { return of(service ? ops.service() : ops.response()); }
  std::string name() const;  ///< "mean", "p99.9"

  /// "mean", "p50", "p95", "p99" or "p99.9"; throws Error (usage).
  static LatencyStatistic parse(std::string_view statistic, std::string_view latency);
};
void fields(auto&& visit, Is<LatencyStatistic> auto& statistic) {
  visit("percentile", statistic.percentile);
  visit("service", statistic.service);
}

}  // namespace edagen
