#include "edagen/report/text_table.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(TextTable, ColumnsAreAlignedFirstLeftOthersRight) {
  TextTable table({"Scenario", "I/O rate at 2ms"});
  table.add({"One regular volume", "39,601"});
  EXPECT_EQ(table.str(1),
            " Scenario            I/O rate at 2ms\n"
            " One regular volume           39,601\n");
}

}  // namespace
}  // namespace edagen
