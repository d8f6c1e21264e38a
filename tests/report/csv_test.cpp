#include "report/csv.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(Csv, HasAHeadAndALineForEachPointWithTheKnownColumns) {
  const std::string text = csv_text(testing::sample_result(testing::sample_curve()));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  for (const char* const column : {"Requested Op Rate", "Achieved Op Rate", "Avg Lat (ms)", "Total KBps", "Valid Run"})
    EXPECT_NE(text.find(column), std::string::npos) << column;
  EXPECT_NE(text.find("eda_mixed,posix,load point,,1,10,500,500.5,2.00"), std::string::npos) << text;
  EXPECT_NE(csv_text(testing::sample_result(testing::sample_sweep())).find("posix,load point,io-depth 8,2,10,"),
            std::string::npos);
  EXPECT_NE(text.find("\"edagen --phase mixed, \"\"quoted\"\"\""), std::string::npos) << text;
}

}  // namespace
}  // namespace edagen
