#include "cli/console.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <sstream>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(Console, StepsAreToldWithNumbersAsTheTablesHaveThem) {
  std::ostringstream said;
  const auto before = spdlog::default_logger();
  const auto log =
      std::make_shared<spdlog::logger>("console_test", std::make_shared<spdlog::sinks::ostream_sink_st>(said));
  log->set_pattern("%v");
  log->set_level(spdlog::level::debug);
  spdlog::set_default_logger(log);
  PointFigures point = testing::sample_result(testing::single_point_curve()).load_points.front();
  point.achieved_ops_per_sec = 39'601.4;
  point.statistic.value = Millis(1.5234);
  point.invalid = {};
  LoggingOptions talk;
  talk.progress = When::never;
  Console console(talk, true);
  console.observe(PointMeasured{point});
  console.observe(PointBegan{39'600, "block"});
  console.observe(PointMeasured{point});
  spdlog::set_default_logger(before);
  EXPECT_EQ(said.str(),
            "39,601 ops/s, latency 1.52 ms\nstep 2, block at 39,600 ops/s: 39,601 ops/s, latency 1.52 ms\n");
}

}  // namespace
}  // namespace edagen
