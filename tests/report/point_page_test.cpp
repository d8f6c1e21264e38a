#include "report/point_page.hpp"

#include <gtest/gtest.h>

#include "report/point_text.hpp"
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

TEST(PointPage, OfSeveralHostsTheNfsViewNamesTheOneWhoseRpcsAreCounted) {
  PointFigures point = point_figures(testing::sample_point());
  point.nfs.emplace();
  point.invalid.clear();
  EXPECT_TRUE(nfs_text(point).starts_with("\nNFS view\n")) << nfs_text(point);
  point.hosts.resize(2);
  point.hosts[0].name = "h1", point.hosts[1].name = "h2";
  EXPECT_TRUE(nfs_text(point).starts_with("\nNFS view of h1 (rank 0)\n")) << nfs_text(point);
  EXPECT_NE(point_blocks(point).dump().find("NFS view of h1 (rank 0)"), std::string::npos);
  point.invalid = {Invalid::unsteady};
  EXPECT_TRUE(nfs_text(point).starts_with("\nNFS view of h1 (rank 0), INVALID\n")) << nfs_text(point);
}

TEST(PointPage, AWindowThatWasMeasuredAgainIsNamed) {
  PointFigures point = point_figures(testing::sample_point());
  EXPECT_EQ(point_blocks(point).dump().find("trended"), std::string::npos);
  point.first_window = Seconds(20);
  EXPECT_NE(point_blocks(point).dump().find("as the latency trended, a first window of 20 s does not count"),
            std::string::npos);
}

TEST(PointPage, TheTablesOfAnInvalidLoadPointAreMarked) {
  PointFigures point = point_figures(testing::sample_point(1000, Purpose::load_point, 0));
  point.invalid = {Invalid::unsteady};
  EXPECT_TRUE(latency_parts(point).starts_with("  ms, INVALID ")) << latency_parts(point);
  EXPECT_TRUE(op_table(point).str().starts_with("op, INVALID ")) << op_table(point).str();
  point.invalid.clear();
  EXPECT_TRUE(latency_parts(point).starts_with("  latency in ms ")) << latency_parts(point);
  EXPECT_TRUE(op_table(point).str().starts_with("op ")) << op_table(point).str();
}

TEST(PointPage, TheFiguresOfAnInvalidLoadPointBeginWithThat) {
  PointFigures point = point_figures(testing::sample_point(1000, Purpose::load_point, 0));
  point.invalid.clear();
  EXPECT_EQ(point_blocks(point).dump().find("INVALID"), std::string::npos);
  point.invalid = {Invalid::unsteady, Invalid::errors};
  EXPECT_NE(point_blocks(point).dump().find("INVALID (unsteady, errors): 1,000 ops/s"), std::string::npos)
      << point_blocks(point)[0].dump();
}

}  // namespace
}  // namespace edagen
