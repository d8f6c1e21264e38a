#include "cli/console.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <iostream>
#include <sstream>

#include "support/report_text.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

/// What a console prints of a plan and of its result with two notes, of which the plan has the first.
std::string printed_by(const LoggingOptions& logging) {
  std::ostringstream printed;
  std::streambuf* const before = std::cerr.rdbuf(printed.rdbuf());
  const std::string plan = "  memory   the dataset fits in it\n";
  Result result = testing::sample_result(testing::single_point_curve());
  result.notes = {"the dataset fits in it", "a line is lost"};
  Console console(logging, /*text_to_stderr=*/true);
  console.observe(PlanChecked{plan});
  console.observe(RunFinished{result});
  std::cerr.rdbuf(before);
  return printed.str();
}

TEST(Console, ANoteThatThePlanAboveItHasIsNotPrintedAgain) {
  LoggingOptions logging;
  logging.progress = When::never;
  const std::string both = printed_by(logging);
  EXPECT_NE(both.find("  memory   the dataset fits in it\n"), std::string::npos) << both;
  EXPECT_EQ(both.find("Note: the dataset"), std::string::npos) << both;
  EXPECT_NE(both.find("Note: a line is lost\n"), std::string::npos) << both;
  logging.quiet = true;
  const std::string result_alone = printed_by(logging);
  EXPECT_NE(result_alone.find("Note: the dataset fits in it\n"), std::string::npos) << result_alone;
}

TEST(Console, AFailureIsPrintedOnceWhereTheTextThatHasItIsOnStderr) {
  std::ostringstream printed;
  std::streambuf* const before = std::cerr.rdbuf(printed.rdbuf());
  const auto log_before = spdlog::default_logger();
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("failures", std::make_shared<spdlog::sinks::ostream_sink_st>(printed)));
  LoggingOptions logging;
  logging.progress = When::never;
  Result result = testing::sample_result(testing::single_point_curve());
  result.failure = "h1 (rank 1): is full";
  ComparisonResult comparison = testing::sample_comparison(std::nullopt);
  comparison.failure = "b: is gone";
  Console console(logging, /*text_to_stderr=*/true);
  console.observe(RunFinished{result});
  console.observe(ComparisonFinished{comparison});
  std::cerr.rdbuf(before);
  spdlog::set_default_logger(log_before);
  EXPECT_EQ(testing::count_of("h1 (rank 1): is full", printed.str()), 1) << printed.str();
  EXPECT_EQ(testing::count_of("b: is gone", printed.str()), 1) << printed.str();
}

TEST(Console, TheLiveLineNamesASecondWindowAndNoPhaseOfASliceBesideItsOwn) {
  LoggingOptions logging;
  logging.progress = When::always;
  const IntervalStats stats(1);
  const Interval second{.length = std::chrono::seconds(1), .operations = 10};
  const IntervalEnded ended{true, second, stats};
  ::testing::internal::CaptureStderr();
  {
    Console console(logging, /*text_to_stderr=*/true);
    console.observe(PointBegan{10, ""});
    console.observe(WindowBegan{});
    console.observe(ended);
    console.observe(WindowBegan{.again = true});
    console.observe(ended);
    console.observe(PointBegan{10, "settling of a", /*is_slice=*/true});
    console.observe(WindowBegan{});
    console.observe(ended);
  }
  const std::string shown = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(shown.find("measuring: 10 ops/s"), std::string::npos) << shown;
  EXPECT_NE(shown.find("measuring again (latency trended): 10 ops/s"), std::string::npos) << shown;
  EXPECT_NE(shown.find("step 1, settling of a at 10 ops/s: 10 ops/s"), std::string::npos) << shown;
}

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
  point.invalid = {Invalid::generator_limited, Invalid::unsteady};
  console.observe(PointMeasured{point});
  spdlog::set_default_logger(before);
  EXPECT_EQ(said.str(),
            "39,601 ops/s, latency 1.52 ms\nstep 2, block at 39,600 ops/s: 39,601 ops/s, latency 1.52 ms, INVALID: "
            "generator_limited, unsteady\n");
}

}  // namespace
}  // namespace edagen
