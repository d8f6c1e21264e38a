#include "session/stall_notes.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

/// A variant of three runs, of which the second has this response, in ms.
ComparisonResult comparison_with(double response) {
  ComparisonResult comparison;
  std::vector<RunFigures> runs;
  for (const double each : {0.1, response, 0.1})
    runs.push_back(RunFigures{1000, 1, Millis(each), 0, {}, runs.size() + 1});
  add_variant(comparison, "a", "a", runs);
  return comparison;
}

TEST(StallNotes, AWholeRunThatStalledHasWhenItBeganAndWhenAndForHowLongItsOpsWaited) {
  Result result = testing::sample_result(testing::single_point_curve());
  result.started_at = "2026-01-31T12:00:00Z";
  result.load_points.back().intervals = testing::stalled_intervals();
  StallNotes notes;
  notes.add("a", 2, result);
  EXPECT_EQ(
      notes.notes_of(comparison_with(17)),
      std::vector<std::string>{"a, repeat 2, which began at 2026-01-31T12:00:00Z, stalled: from about 2 s into its "
                               "window on, ops waited for up to 3 s"});
  EXPECT_TRUE(notes.notes_of(comparison_with(0.2)).empty()) << "it took about as long as the others";
  ComparisonResult at_target = comparison_with(17);
  at_target.at_latency_target = "2ms";
  EXPECT_TRUE(notes.notes_of(at_target).empty()) << "each run has a load of its own";
}

TEST(StallNotes, AStallThatNoTimeOfTheWindowShowsHasTheLongestResponse) {
  Result result = testing::sample_result(testing::single_point_curve());
  result.load_points.back().intervals.clear();
  result.load_points.back().latency.response.max = Millis(812);
  StallNotes notes;
  notes.add("a", 2, result);
  const std::vector<std::string> found = notes.notes_of(comparison_with(17));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].ends_with(", stalled: the longest response is 812 ms")) << found[0];
}

}  // namespace
}  // namespace edagen
