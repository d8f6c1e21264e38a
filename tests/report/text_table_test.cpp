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

TEST(TextTable, APageHasColumnsAndStylesThatATerminalHasNoRoomFor) {
  TextTable table({"load", {"p95", Shown::on_page}, {"no.", Shown::in_text}, "valid"}, {0, 3});
  table.add({"1", "2.0", "7", {"yes", "good"}});
  EXPECT_EQ(table.str(),
            "load  no.  valid\n"
            "1       7  yes\n");
  EXPECT_EQ(table.block("answer").dump(),
            R"({"table":[["1","2.0",{"text":"yes","style":"good"}]],"heads":["load","p95","valid"],"style":"answer"})");
}

}  // namespace
}  // namespace edagen
