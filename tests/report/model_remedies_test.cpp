// What mends the answers of simulated volumes.
#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "report/comparison_reasons.hpp"
#include "report/judgement_text.hpp"
#include "support/sample_nights.hpp"

namespace edagen {
namespace {

constexpr const char* other_load = "less other load on the storage";

TEST(ModelRemedies, AComparisonOfSimulatedVolumesBlamesNoOtherLoad) {
  for (const char* const what : {"sim:regular", "/mnt/a"}) {
    ComparisonResult comparison;
    comparison.at_latency_target = "2ms";
    add_variant(comparison, "a", what,
                {RunFigures{1000, 1, Millis(1), 0, {Invalid::not_demonstrated, Invalid::imprecise}}});
    const std::string text = invalid_runs_text(comparison);
    EXPECT_EQ(text.find(other_load) == std::string::npos, std::string(what) == "sim:regular") << text;
    EXPECT_NE(text.find("a longer search (--search-time)"), std::string::npos) << text;
  }
}

TEST(ModelRemedies, ANightOfSimulatedVolumesBlamesNoOtherLoad) {
  Night night = testing::with_runs(1, {1000}, 0.002);
  night.measurements[0].runs[0].invalid = {Invalid::not_demonstrated, Invalid::imprecise};
  EXPECT_NE(invalid_notes(night).front().find(other_load), std::string::npos) << invalid_notes(night).front();
  night.measurements[0].comparable["volume"] = "sim:regular #1234";
  const std::string note = invalid_notes(night).front();
  EXPECT_EQ(note.find(other_load), std::string::npos) << note;
  EXPECT_NE(note.find(": a lower --latency-target, or a longer search (--search-time))"), std::string::npos) << note;
}

}  // namespace
}  // namespace edagen
