#include "result/load_table.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

class LoadTables : public ::testing::Test {
 protected:
  LoadTable read(const std::string& text) { return read_load_table(folder_.write("table.csv", text)); }
  std::string refusal(const std::string& text) {
    return testing::error_of([&] { read(text); });
  }

  testing::TemporaryDirectory folder_;
};

void expect_points(const LoadTable& table, const std::vector<std::pair<double, double>>& points) {
  ASSERT_EQ(table.points.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_DOUBLE_EQ(table.points[i].rate, points[i].first);
    EXPECT_DOUBLE_EQ(table.points[i].latency.count(), points[i].second);
  }
}

TEST_F(LoadTables, AsTheyArePublishedAreReadByTheirHead) {
  const LoadTable table = read(
      "Business Metric,Requested Op Rate,Achieved Op Rate,Avg Lat (ms),Total KBps,Valid Run\n"
      "20,9000,\"8,999.5\",0.61,1,VALID\r\n"
      "10,4500,4499,0.52,1,VALID\n\n");
  EXPECT_EQ(table.name, "table.csv");
  expect_points(table, {{4499, 0.52}, {8999.5, 0.61}});
}

TEST_F(LoadTables, MayBeRateAndLatencyWithAHeadOrWithout) {
  expect_points(read("# of a colleague\n100,1.5\n200,2\n"), {{100, 1.5}, {200, 2}});
  expect_points(read("iops\tlat_us\n100\t1500\n"), {{100, 1.5}});
  expect_points(read("latency_ms;rate\n1.5;100\n"), {{100, 1.5}});
}

TEST_F(LoadTables, NumbersWithCommasThatWouldBeTakenForColumnsAreRefused) {
  for (const char* const text : {"rate,latency_ms\n20,500,1.2\n", "rate;latency_ms\n20500,5;1,97\n", "20,500,1.2\n",
                                 "rate\tlatency_ms\n20,500\t1.2\n"})
    EXPECT_NE(refusal(text).find("has more than 2 columns"), std::string::npos) << text << refusal(text);
  expect_points(read("rate,latency_ms\n\"20,500\",1.2,\n"), {{20500, 1.2}});
}

TEST_F(LoadTables, OfEdagenAreReadWithoutTheBlocksOfTheSearch) {
  expect_points(read("Purpose,Achieved Op Rate,Avg Lat (ms)\nclimb,10,1\nblock,20,2\nshape,30,3\nload point,40,4\n"
                     "demonstration,50,5\n"),
                {{30, 3}, {40, 4}});
}

TEST_F(LoadTables, OfFioHaveAPointForEachGroupOfJobsThatRanTogether) {
  const LoadTable table = read(R"({"jobs": [
    {"jobname": "a", "groupid": 0, "read": {"iops": 300, "lat_ns": {"mean": 1000000}}, "write": {"iops": 0}},
    {"jobname": "b", "groupid": 0, "read": {"iops": 0}, "write": {"iops": 100, "lat_ns": {"mean": 5000000}}},
    {"jobname": "c", "groupid": 1, "read": {"iops": 50, "clat_ns": {"mean": 500000}}}]})");
  expect_points(table, {{50, 0.5}, {400, 2}});
}

TEST_F(LoadTables, ThatCannotBeReadAreRefusedWithTheLine) {
  EXPECT_NE(refusal("rate,latency\n100,x\n").find("table.csv:2"), std::string::npos);
  EXPECT_NE(refusal("rate,latency\n100\n").find("too few columns"), std::string::npos);
  EXPECT_NE(refusal("rate,latency\n0,1\n").find("above 0"), std::string::npos);
  EXPECT_NE(refusal("name,latency\na,1\n").find("no column of rates"), std::string::npos);
  EXPECT_NE(refusal("rate,colour\n1,1\n").find("no column of latencies"), std::string::npos);
  EXPECT_NE(refusal("").find("has no load point"), std::string::npos);
  EXPECT_NE(refusal("{\"fio version\": \"fio-3\"}").find("no result of fio"), std::string::npos);
  EXPECT_NE(refusal(R"({"jobs": [{"jobname": "a", "read": {"iops": 5}}]})").find("no mean latency"), std::string::npos);
  EXPECT_NE(refusal(R"({"jobs": [{"jobname": 5, "read": "x"}]})").find("no result of fio"), std::string::npos);
  EXPECT_FALSE(refusal("{").empty());
}

}  // namespace
}  // namespace edagen
