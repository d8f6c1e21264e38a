#include "edagen/report/result_document.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/core/json_schema.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(ResultDocument, ALoadPointSaysWhatWasMeasured) {
  const Document point = load_point_json(sample_point());
  EXPECT_EQ(point["operations"], 2001);
  EXPECT_DOUBLE_EQ(point["achieved_ops_per_sec"], 1000.5);
  EXPECT_NEAR(point["mib_per_sec"].get<double>(), 2000 * 8192 / 0x1p20 / 2, 1e-4);
  EXPECT_EQ(point["errors"], (Document{{"ESTALE", 1}}));
  EXPECT_EQ(point["ops"]["stat"]["errors"], (Document{{"ESTALE", 1}}));
  EXPECT_NEAR(point["latency_ms"]["response"]["p50"].get<double>(), 2, 0.02);
  EXPECT_NEAR(point["latency_ms"]["lag"]["p50"].get<double>(), 1, 0.01);
  EXPECT_EQ(point["valid"], false);
  EXPECT_EQ(point["invalid_reasons"], Document({"errors"}));
  EXPECT_EQ(point["intervals"].size(), 2u);
}

TEST(ResultDocument, AnUnpacedPointHasNoRequestedRate) {
  CurvePoint point = sample_point();
  point.stats.requested_ops_per_sec = 0;
  EXPECT_TRUE(load_point_json(point)["requested_ops_per_sec"].is_null());
}

TEST(ResultDocument, ACurveFollowsTheSchema) {
  const Document result = sample_result(sample_curve());
  EXPECT_NO_THROW(check_schema(nlohmann::json(result), "workloads/schema/result.schema.json", "result"));
  EXPECT_EQ(result["at_latency_target"][0]["ops_per_sec"], 39'601);
}

TEST(ResultDocument, ASweepSaysWhatItsRepeatsSayTogether) {
  const Document result = sample_result(sample_sweep());
  EXPECT_NO_THROW(check_schema(nlohmann::json(result), "workloads/schema/result.schema.json", "result"));
  const Document& series = result["series"];
  EXPECT_EQ(series["parameter"], "io-depth");
  ASSERT_EQ(series["points"].size(), 2u);
  EXPECT_EQ(series["points"][1]["value"], 8);
  EXPECT_EQ(series["points"][1]["repeats"], 2);
  EXPECT_NEAR(series["points"][1]["ops_per_sec"]["mean"].get<double>(), 1200.5, 0.01);
  EXPECT_NEAR(series["points"][1]["ops_per_sec"]["standard_deviation"].get<double>(), 800 / std::sqrt(2), 0.01);
  EXPECT_TRUE(sample_result(single_point_curve())["series"].is_null());
  EXPECT_TRUE(sample_result(sample_curve())["series"].is_null());
}

}  // namespace
}  // namespace edagen
