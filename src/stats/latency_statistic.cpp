#include "edagen/parts/latency_statistic.hpp"

#include <fmt/format.h>

#include "edagen/error.hpp"

namespace edagen {

std::string LatencyStatistic::name() const { return percentile == 0 ? "mean" : fmt::format("p{:g}", percentile); }

LatencyStatistic LatencyStatistic::parse(std::string_view statistic, std::string_view latency) {
  if (latency != "response" && latency != "service")
    throw usage_error("latency", fmt::format("'{}' is not response or service", latency));
  for (const double percentile : {0.0, 50.0, 95.0, 99.0, 99.9}) {
    const LatencyStatistic candidate{percentile, latency == "service"};
    if (candidate.name() == statistic) return candidate;
  }
  throw usage_error("latency statistic", fmt::format("'{}' is not mean, p50, p95, p99 or p99.9", statistic));
}

}  // namespace edagen
