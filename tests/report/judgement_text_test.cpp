#include "report/judgement_text.hpp"

#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen {
namespace {

NightJudgement sample(double rate) {
  const auto history = testing::sample_history(20);
  Night tonight = testing::sample_night(20, {testing::sample_rate(rate)});
  return judge(history, tonight, {});
}

TEST(JudgementText, EndsWithTheVerdict) {
  const std::string text = judgement_text(sample(900));
  EXPECT_NE(text.find("\nregression: m: ops/s -9"), std::string::npos) << text;
  EXPECT_NE(judgement_text(sample(1001)).find("no loss larger than"), std::string::npos);
}

TEST(JudgementText, JUnitHasAFailureForARegressionAndASkipForWhatCannotBeTold) {
  EXPECT_NE(judgement_junit(sample(900)).find("failures=\"1\""), std::string::npos);
  EXPECT_NE(judgement_junit(sample(900)).find("<failure message=\"m: ops/s"), std::string::npos);
  EXPECT_NE(judgement_junit(judge({}, testing::sample_night(1, {testing::sample_rate(1)}), {})).find("<skipped"),
            std::string::npos);
}

TEST(JudgementText, NamesAreTextInEveryFormat) {
  NightJudgement judgement = sample(900);
  judgement.figures[0].measurement = "a<b>|\x1b[31m\"&";
  EXPECT_EQ(judgement_junit(judgement).find("<b>"), std::string::npos);
  EXPECT_NE(judgement_junit(judgement).find("a&lt;b&gt;|\\x1b[31m&quot;&amp;"), std::string::npos);
  EXPECT_NE(judgement_markdown(judgement).find("a\\<b\\>\\|"), std::string::npos);
  EXPECT_EQ(judgement_text(judgement).find('\x1b'), std::string::npos);
}

TEST(JudgementText, MarkdownIsShort) {
  EXPECT_EQ(judgement_markdown(sample(1001)).find('|'), std::string::npos) << "nothing to tell of";
  EXPECT_NE(judgement_markdown(sample(900)).find("| m: ops/s |"), std::string::npos);
}

}  // namespace
}  // namespace edagen
