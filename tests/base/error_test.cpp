#include "edagen/error.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(Error, WhateverItQuotesItIsOneLineOfPrintableText) {
  const std::string what = usage_error("a\nb.json", "'\x1b[2J\xff\t\xc3\xa4\xe2\x82\xac\xc2\x9b'", "x\r").what();
  EXPECT_EQ(what, "a\\nb.json: '\\x1b[2J\\xff\\x09\xc3\xa4\xe2\x82\xac\\xc2\\x9b' (x\\x0d)");
}

TEST(Error, OfALongTextItHasTheBeginningAndTheEndInWholeCharacters) {
  std::string euros;
  for (int i = 0; i < 300'000; ++i) euros += "\xe2\x82\xac";
  const std::string what = usage_error("--rate", "'" + euros + "' is not a rate").what();
  EXPECT_LT(what.size(), 500u);
  EXPECT_TRUE(what.ends_with("\xe2\x82\xac' is not a rate")) << what;
  EXPECT_EQ(what.find("\\x"), std::string::npos) << what;
}

TEST(Error, MarksThatTurnTextAroundAreEscapedAndOtherScriptsAreNot) {
  for (const std::string mark : {"\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\u009b"}) {
    const std::string shown = one_line("a" + mark + "b");
    EXPECT_EQ(shown.find(mark), std::string::npos) << shown;
    EXPECT_TRUE(shown.starts_with("a\\x")) << shown;
  }
  for (const std::string text : {"Z\u00fcrich", "\u0645\u062c\u0644\u062f", "\u65e5\u672c", "\U0001f4be"})
    EXPECT_EQ(one_line(text), text);
}

TEST(Error, WhatIsNoCharacterOfUnicodeIsEscapedByteByByte) {
  for (const std::string text :
       {"\xef\xbf\xbe", "\xef\xbf\xbf", "\xef\xb7\x90", "\xf0\x9f\xbf\xbe", "\xf4\x8f\xbf\xbf", "\xed\xa0\x80",
        "\xed\xbf\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbd", "\xf4\x90\x80\x80"}) {
    const std::string shown = one_line("a" + text + "b");
    EXPECT_TRUE(shown.starts_with("a\\x") && shown.ends_with("b")) << shown;
  }
  for (const std::string text : {"\xef\xbf\xbd", "\xee\x80\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80"})
    EXPECT_EQ(one_line(text), text);
}

}  // namespace
}  // namespace edagen
