// Load points at which the host was nearly all busy.
#include <gtest/gtest.h>

#include "report/curve_text.hpp"
#include "report/html.hpp"
#include "report/terminal.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(BusyPoints, AValidLoadPointOnAHostThatWasNearlyAllBusyIsNamedBelowTheTable) {
  Result result = sample_result(sample_curve());
  result.host.cpus = 2;
  const std::string said = "At 1,000 ops/s this host's processors were 95 % busy or more";
  const auto is_said = [&] {
    return std::pair(result_text(result).find(said) != std::string::npos,
                     html_text({result}).find(said) != std::string::npos);
  };
  result.load_points[1].host_busy = 0.94;
  EXPECT_EQ(is_said(), std::pair(false, false));
  result.load_points[1].host_busy = 0.95;
  ASSERT_TRUE(result.load_points[1].valid());
  EXPECT_EQ(is_said(), std::pair(true, true));
  result.target.kind = TargetKind::sim, result.target.model = "regular";
  EXPECT_EQ(is_said(), std::pair(false, false)) << "a model needs no processor in time";
}

TEST(BusyPoints, ManyAreCountedAndBlocksOfASearchAreNotAmongThem) {
  Result result = sample_result(sample_curve_with_shape());
  std::vector<const PointFigures*> points;
  for (PointFigures& point : result.load_points) {
    point.host_busy = 1;
    points.push_back(&point);
  }
  result.host.cpus = 2;
  EXPECT_EQ(
      busy_points_text(result, points),
      "At 7 load points from 100 to 600 ops/s this host's processors were 95 % busy or more: the latency there may be "
      "this host's, and not the storage's");
  points.resize(2);
  EXPECT_TRUE(busy_points_text(result, points).starts_with("At 100, 200 ops/s this host's")) << "by their rates";
}

}  // namespace
}  // namespace edagen
