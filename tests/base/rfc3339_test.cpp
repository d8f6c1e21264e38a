#include "base/rfc3339.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(Rfc3339, IsReadAsItIsWritten) {
  EXPECT_EQ(rfc3339(std::time_t{1'769'821'200}), "2026-01-31T01:00:00Z");
  EXPECT_EQ(parse_rfc3339("2026-01-31T01:00:00Z"), 1'769'821'200);
}

TEST(Rfc3339, HasMillisecondsOfATimeThatHasThem) {
  EXPECT_EQ(rfc3339(std::chrono::sys_time<std::chrono::milliseconds>(1'769'821'200'025ms)), "2026-01-31T01:00:00.025Z");
}

TEST(Rfc3339, IsNotReadFromOtherForms) {
  for (const char* const text : {"", "2026-01-31", "2026-01-31T01:00:00", "2026-01-31T01:00:00Z ",
                                 "2026-13-31T01:00:00Z", "2026-02-29T01:00:00Z", "2026-1-31T01:00:00Z"})
    EXPECT_EQ(parse_rfc3339(text), std::nullopt) << text;
}

}  // namespace
}  // namespace edagen
