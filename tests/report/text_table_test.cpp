#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(TextTable, ColumnsOfWordsAreAlignedLeftThoseOfFiguresRight) {
  TextTable table({"Scenario", "I/O rate at 2ms"});
  table.add({"One regular volume", "39,601"});
  EXPECT_EQ(table.str(1),
            " Scenario            I/O rate at 2ms\n"
            " One regular volume           39,601\n");
  TextTable described({"op", "share %", "what"}, {0, 2});
  described.add({"stat", "39", "attributes"});
  EXPECT_EQ(described.str(),
            "op    share %  what\n"
            "stat       39  attributes\n");
}

}  // namespace
}  // namespace edagen
