#include "cli/option_group.hpp"

#include <gtest/gtest.h>

#include "cli/logging_options.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

struct SomeOptions {
  Nanos time = 120s;
  When when = When::never;
  std::optional<When> maybe;
  std::optional<unsigned> number;
  std::vector<double> rates;

  SomeOptions() {
    OptionGroup group(app, "Some");
    group.duration("--time", time, 1s, "");
    group.choice("--when", when, "");
    group.choice("--maybe", maybe, "");
    group.number("--number", number, whole_number(1, 9), "");
    group.parsed_each(
        "--rate", [this](const std::string& text) { rates.push_back(parse_rate(text, "")); }, "");
  }
  std::string refusal_of(const std::string& words) {
    try {
      app.parse(words);
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return "";
  }

  CLI::App app;
};

TEST(OptionGroup, MakesATypedValueOfEachText) {
  SomeOptions options;
  options.app.parse("--time 1m30s --when always --maybe auto --number 7 --rate 1k --rate 2,000");
  EXPECT_EQ(options.time, 90s);
  EXPECT_EQ(options.when, When::always);
  EXPECT_EQ(options.maybe, When::automatic);
  EXPECT_EQ(options.number, 7u);
  EXPECT_EQ(options.rates, (std::vector<double>{1000, 2000}));
}

TEST(OptionGroup, AWordBehindTheValueOfAnOptionIsNotTakenForAnotherOfItsValues) {
  SomeOptions options;
  std::vector<std::string> directories;
  OptionGroup(options.app).texts("--mount DIR", directories, "");
  options.app.allow_extras();
  options.app.parse("--rate 1k extra --mount /a /b --mount /c");
  EXPECT_EQ(options.rates, (std::vector<double>{1000}));
  EXPECT_EQ(directories, (std::vector<std::string>{"/a", "/c"}));
  EXPECT_EQ(options.app.remaining(), (std::vector<std::string>{"extra", "/b"}));
}

TEST(OptionGroup, WordsWithoutAnOptionAreAllTaken) {
  CLI::App app;
  std::vector<std::string> files;
  OptionGroup(app).texts("FILE", files, "");
  app.parse("a b c");
  EXPECT_EQ(files, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(OptionGroup, NamesTheOptionWhoseTextIsRefused) {
  EXPECT_EQ(SomeOptions().refusal_of("--time x"), "--time: 'x' is not a duration such as 2ms, 10s, 5m or 1h30m");
  EXPECT_EQ(SomeOptions().refusal_of("--time 999ms"), "--time: is below 1 s");
  EXPECT_EQ(SomeOptions().refusal_of("--when nver"),
            "--when: unknown 'nver' (did you mean 'never'? known: auto, always, never)");
  EXPECT_EQ(SomeOptions().refusal_of("--number 10"), "--number: '10' is not a whole number from 1 to 9");
}

TEST(OptionGroup, ShowsADefaultAsItIsTyped) {
  SomeOptions options;
  EXPECT_EQ(options.app.get_option("--time")->get_default_str(), "2m");
  EXPECT_EQ(options.app.get_option("--when")->get_default_str(), "never");
  EXPECT_EQ(options.app.get_option("--maybe")->get_default_str(), "");
  EXPECT_EQ(options.app.get_option("--number")->get_default_str(), "");
}

}  // namespace
}  // namespace edagen
