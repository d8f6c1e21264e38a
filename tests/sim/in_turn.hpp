// A load whose rate changes while it stays up.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "edagen/load_runner.hpp"
#include "fakes/station_setup.hpp"

namespace edagen::testing {

/// Blocks of a load that stays up, at two rates in turn: of each rate, the mean response in ms over all ops.
inline std::array<double, 2> in_turn(LoadRunner& runner, std::array<double, 2> rates, Nanos block, int blocks) {
  std::array<LatencyHistogram, 2> responses;
  for (int i = 0; i < blocks; ++i) {
    const std::size_t which = static_cast<std::size_t>(i % 2);
    LoadPoint load = poisson(rates[which], block);
    load.stays_up = true;
    const RunStats stats = runner.run(load, ignore_events);
    const double expected = rates[which] * to_seconds(block);
    EXPECT_NEAR(static_cast<double>(stats.groups[0].due), expected, 5 * std::sqrt(expected)) << "block " << i;
    EXPECT_EQ(stats.ops.response().count(), stats.groups[0].due) << "every op that was due, once";
    EXPECT_EQ(stats.ops.outstanding(), 0u);
    responses[which].merge(stats.ops.response());
  }
  return {responses[0].mean() / 1e6, responses[1].mean() / 1e6};
}

}  // namespace edagen::testing
