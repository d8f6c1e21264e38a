// The state of a session as metrics (docs/metrics.md).
#pragma once

#include <string>

#include "live/live_run.hpp"

namespace edagen {

enum class MetricsFormat {
  open_metrics,  ///< OpenMetrics 1.0
  prometheus     ///< Prometheus' text format 0.0.4, which node_exporter reads
};

/// When there are more clients than this, those of a mount are counted together.
inline constexpr std::size_t most_client_metrics = 1000;

std::string metrics_text(const LiveState& state, MetricsFormat format);

}  // namespace edagen
