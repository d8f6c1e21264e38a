#include "report/limit_text.hpp"

#include <gtest/gtest.h>

#include "report/terminal.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(LimitText, OpsThatWaitForTheirOwnProcAreToldFromStorageThatIsSlow) {
  EXPECT_NE(result_text(sample_result(single_point_curve())).find("50 % of the response is waiting"),
            std::string::npos);
}

TEST(LimitText, TheWaitIsNoMoreThanTheResponse) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.latency.lag.mean = 3 * point.latency.response.mean;  // also that of ops that have not ended
  const std::string text = result_text(result);
  EXPECT_NE(text.find("50 % of the response is waiting"), std::string::npos) << text;
}

TEST(LimitText, ProcsThatAreHardlyBusyAreNotWhyOpsWait) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.groups.assign(1, GroupFigures());
  point.groups[0].procs = 1000;
  point.latency.service.p99 = Millis(40);
  const std::string idle = result_text(result);
  EXPECT_NE(
      idle.find("50 % of the response is waiting behind a few slow ops: service is 1.00 ms on average, 40.0 ms at p99, "
                "and procs are 0 % busy"),
      std::string::npos)
      << idle;
  EXPECT_EQ(idle.find("more procs"), std::string::npos) << idle;
  point.groups[0].procs = 2;
  EXPECT_NE(result_text(result).find("more procs (--job-sets) would show the limit"), std::string::npos);
}

}  // namespace
}  // namespace edagen
