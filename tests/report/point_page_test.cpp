#include "report/point_page.hpp"

#include <gtest/gtest.h>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(PointPage, TheRpcsOfAnOpAreThoseOfTheHostWhoseRpcsAreCounted) {
  PointFigures point = point_figures(testing::sample_point());
  NfsFigures& nfs = point.nfs.emplace();
  const double requests = static_cast<double>(point.operations);  // the first of two hosts has done half of the ops
  nfs.mounts.resize(1);
  nfs.mounts[0].rpcs["GETATTR"] = {
      .requests = requests, .per_op = 2, .queue = Millis(0.5), .round_trip = Millis(3), .execute = Millis(4)};
  const std::string page = point_blocks(point).dump();
  EXPECT_NE(page.find(R"("ms per op, on average")"), std::string::npos) << page;
  EXPECT_NE(page.find("[6.0]"), std::string::npos) << "ms of round trips per op, and not 3: " << page;
  EXPECT_NE(page.find("[1.0]"), std::string::npos) << "ms in the queue: " << page;
}

}  // namespace
}  // namespace edagen
