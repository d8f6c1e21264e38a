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

TEST(TextTable, ACharacterIsAColumnHoweverManyBytesItHas) {
  TextTable table({"mount", "late"});
  table.add({"/mnt/gr\u00f6\u00dfe", "1 \u00b12"});
  table.add({"/mnt/groesse", "10"});
  EXPECT_EQ(table.str(),
            "mount         late\n"
            "/mnt/gr\u00f6\u00dfe    1 \u00b12\n"
            "/mnt/groesse    10\n");
}

}  // namespace
}  // namespace edagen
