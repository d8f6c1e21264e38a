// What the two clients of rpc_rate have in common.
#pragma once

#include <cstdint>
#include <functional>

#include "edagen/clock.hpp"

namespace edagen::bench {

struct Load {
  unsigned connections = 1, depth = 1;  ///< depth: calls in flight on each
  double seconds = 1;
};

struct Rate {
  double per_second = 0;            ///< of time
  double per_processor_second = 0;  ///< of the client's thread
};

/// `run` handles what is ready until a time; `count` is the number of RPCs so far.
Rate measure(const Load& load, const std::uint64_t& count, const std::function<void(TimePoint)>& run);

Rate rate_of_edagen(std::uint16_t port, const Load& load);
/// 0 where libnfs is not there.
Rate rate_of_libnfs(std::uint16_t port, const Load& load);

}  // namespace edagen::bench
