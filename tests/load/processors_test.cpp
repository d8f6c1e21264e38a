#include "load/processors.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace edagen {
namespace {

double busy_share(const std::string& stat, const std::vector<std::size_t>& numbers) {
  std::istringstream text(stat);
  const ProcessorTime time = processor_time(text, numbers);
  return time.all > 0 ? time.busy / time.all : -1;
}

TEST(Processors, TheBusyShareIsOfThoseThatMayBeUsed) {
  const std::string stat =
      "cpu  300 50 100 1500 40 4 3 3 9 9\n"
      "cpu0 0 0 0 1000 0 0 0 0 9 9\n"
      "cpu1 300 50 100 500 40 4 3 3 0 0\n"
      "intr 12 0 3\n"
      "ctxt 5\n";
  EXPECT_DOUBLE_EQ(busy_share(stat, {1}), 0.46) << "all but idle and iowait";
  EXPECT_DOUBLE_EQ(busy_share(stat, {0}), 0);
  EXPECT_DOUBLE_EQ(busy_share(stat, {0, 1}), 0.23);
}

TEST(Processors, TheBusyShareIsOfAllWhereThoseThatMayBeUsedAreNotListed) {
  const std::string stat = "cpu  30 0 0 70 0 0 0 0\ncpu0 30 0 0 70 0 0 0 0\n";
  EXPECT_DOUBLE_EQ(busy_share(stat, {}), 0.3);
  EXPECT_DOUBLE_EQ(busy_share(stat, {4, 5}), 0.3) << "of a container that numbers its own";
  EXPECT_EQ(busy_share("", {0}), -1) << "not known";
}

}  // namespace
}  // namespace edagen
