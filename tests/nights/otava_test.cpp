// The nights of docs/design/gate.md through Apache Otava, so that what stands beside edagen's figures there can be seen
// again.
#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

/// The number after `words` in the line that has `begin`.
double number_after(const std::string& text, const std::string& begin, const std::string& words) {
  const std::size_t line = text.find(begin), at = line == std::string::npos ? line : text.find(words, line);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + words.size()));
}

TEST(OtavaOnModelledNights, FindsALossOfFivePercentWhereNightsVaryByOnePercent) {
  EDAGEN_SLOW_TEST();
  const TemporaryDirectory here;
  const std::string python = here / "venv/bin/python3";
  const Outcome made = shell("python3 -m venv " + (here / "venv") + " && " + python +
                             " -m pip install --quiet apache-otava==0.8.0 2>&1");
  if (made.status != 0) EDAGEN_SKIP("apache-otava cannot be installed: " + made.out + made.err);
  const Outcome nights = shell(build_path("bench/nights 60 --csv ") + (here / "nights.csv"));
  ASSERT_EQ(nights.status, 0) << nights.err;
  const Outcome otava = shell(python + " " + source_path("bench/nights_otava --histories 60 ") + (here / "nights.csv"));
  ASSERT_EQ(otava.status, 0) << otava.err;
  const std::string row = "sd 1.0 %";
  EXPECT_LT(number_after(otava.out, row, ": "), 15) << otava.out;
  EXPECT_GT(number_after(otava.out, row, "after 1 / 3 / 10 nights in "), 70) << otava.out;
  EXPECT_GE(number_after(otava.out, "sd 3.0 %", "after 1 / 3 / 10 nights in "), 0) << otava.out;
}

}  // namespace
}  // namespace edagen::testing
