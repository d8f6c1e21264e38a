#include "report/curves_page.hpp"

#include <gtest/gtest.h>

#include "report/curve_ratio.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(CurvesPage, TheRateOfAnInvalidAnswerIsHollowAndNamedSo) {
  Result result = testing::sample_result(testing::sample_curve_with_shape());
  const auto answer_set = [&] {
    Document blocks = Document::array();
    add_curves(blocks, {NamedCurve{"", variant_points(result), result.at_latency_target}});
    return Document(blocks[0]["sets"].back());
  };
  const Document valid = answer_set();
  EXPECT_EQ(valid["label"].get<std::string>(), "rate at 2 ms");
  EXPECT_FALSE(valid["points"][0][2].get<bool>());
  result.at_latency_target[0].invalid = {Invalid::not_demonstrated};
  const Document invalid = answer_set();
  EXPECT_EQ(invalid["label"].get<std::string>(), "rate at 2 ms, INVALID");
  EXPECT_TRUE(invalid["points"][0][2].get<bool>());
}

}  // namespace
}  // namespace edagen
