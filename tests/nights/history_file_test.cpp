#include "nights/history_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nights/judge.hpp"
#include "nights/night_json.hpp"
#include "support/document_schema.hpp"
#include "support/error_of.hpp"
#include "support/sample_nights.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

TEST(HistoryFile, NightsAreReadBackAsTheyWereKept) {
  const TemporaryDirectory here;
  auto nights = sample_history(6);
  nights.back().judgement = judge(std::span(nights).first(5), nights.back(), {});
  nights[2].measurements[0].runs[0].figures[0].value.reset();
  nights[3].measurements[0].runs[0].invalid = {Invalid::achieved_rate_low, Invalid::mix_off};
  nights[4].measurements[0].runs[0].bounds = {BoundCause::procs};
  for (const Night& night : nights) append_night(here.path(), night);
  const History history = read_history(here.path());
  ASSERT_EQ(history.nights.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(to_json(history.nights[i]), to_json(nights[i])) << i;
  EXPECT_EQ(history.nights[3].measurements[0].runs[0].invalid, nights[3].measurements[0].runs[0].invalid);
  EXPECT_EQ(history.nights[4].measurements[0].runs[0].bounds, nights[4].measurements[0].runs[0].bounds);
}

TEST(HistoryFile, ANightWhoseLossIsBeyondAnyDoubtIsReadBack) {
  const TemporaryDirectory here;
  Gate gate;
  gate.nights = 200;
  Night tonight = sample_night(200, {sample_rate(100)});
  tonight.judgement = judge(sample_history(200), tonight, gate);
  EXPECT_EQ(tonight.judgement->verdict, NightVerdict::regression);
  append_night(here.path(), tonight);
  ASSERT_EQ(read_history(here.path()).nights.size(), 1u) << "its p is about 1e-240";
}

TEST(HistoryFile, ALongHistoryIsReadInItsOrderAndNamesTheFirstLineThatIsBroken) {
  const TemporaryDirectory here;
  std::string text, broken;
  for (const Night& night : sample_history(300)) text += dumped(to_json(night)) + "\n\n";
  const std::string file = here.write("many.jsonl", text + "{\n");
  const History history = read_history(file);
  ASSERT_EQ(history.nights.size(), 300u);
  EXPECT_TRUE(std::ranges::is_sorted(history.nights, {}, &Night::started_at));
  EXPECT_EQ(history.left_out, 1u);
  EXPECT_TRUE(history.broken_end);
  for (int i = 0; i < 300; ++i) broken += "{\n";
  const std::string error = error_of([&] { read_history(here.write("none.jsonl", broken)); });
  EXPECT_NE(error.find("none.jsonl:1"), std::string::npos) << "it holds no night: " << error;
}

TEST(HistoryFile, AJudgementFitsItsSchema) {
  const auto nights = sample_history(6);
  const NightJudgement judgement = judge(std::span(nights).first(5), nights.back(), {});
  EXPECT_NO_THROW(check_document<NightJudgement>(nlohmann::json(to_json(judgement))));
}

TEST(HistoryFile, APartOfALineThatACrashHasLeftSpoilsNoOther) {
  const TemporaryDirectory here;
  const auto nights = sample_history(3);
  append_night(here.path(), nights[0]);
  append_night(here.path(), nights[1]);
  std::ofstream(here / nights_file, std::ios::app) << dumped(to_json(nights[2])).substr(0, 100);
  append_night(here.path(), nights[2]);
  const History history = read_history(here.path());
  EXPECT_EQ(history.nights.size(), 3u);
  EXPECT_EQ(history.left_out, 1u);
}

TEST(HistoryFile, LinesOfSeveralFilesPutTogetherAreSortedAndEachNightIsThereOnce) {
  const TemporaryDirectory here;
  const auto nights = sample_history(4);
  std::string text;
  for (const std::size_t i : {2u, 0u, 3u, 1u, 2u}) text += dumped(to_json(nights[i])) + "\n";
  const History history = read_history(here.write("all.jsonl", text));
  ASSERT_EQ(history.nights.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(history.nights[i].started_at, nights[i].started_at);
}

TEST(HistoryFile, ALineThatNamesAFigureTwiceIsBroken) {
  const TemporaryDirectory here;
  const auto nights = sample_history(6);
  const auto left_out = [&](const auto& spoil) {
    Night night = nights.back();
    night.judgement = judge(std::span(nights).first(5), night, {});
    spoil(night);
    const std::string line = dumped(to_json(night)) + "\n";
    return read_history(here.write("a.jsonl", dumped(to_json(nights[0])) + "\n" + line)).left_out;
  };
  EXPECT_EQ(left_out([](const Night&) {}), 0u);
  EXPECT_EQ(left_out([](Night& night) {
              auto& figures = night.measurements[0].runs[0].figures;
              figures.push_back(NightFigure(figures[0]));
            }),
            1u);
  EXPECT_EQ(left_out([](Night& night) {
              auto& figures = night.judgement->figures;
              figures.push_back(FigureVerdict(figures[0]));
            }),
            1u);
}

TEST(HistoryFile, ABrokenLastLineIsToldApartFromOthers) {
  const TemporaryDirectory here;
  const auto nights = sample_history(2);
  const std::string line = dumped(to_json(nights[0])) + "\n";
  EXPECT_FALSE(read_history(here.write("a.jsonl", "{\n" + line)).broken_end);
  EXPECT_TRUE(read_history(here.write("b.jsonl", line + dumped(to_json(nights[1])).substr(0, 90))).broken_end);
}

TEST(HistoryFile, NightsOfAClockThatRanAheadAreApart) {
  const TemporaryDirectory here;
  auto nights = sample_history(6);
  nights[3].started_at = "9999-12-31T23:59:59Z";
  nights[3].finished_at = nights[3].started_at;
  for (const Night& night : nights) append_night(here.path(), night);
  const History history = read_history(here.path());
  ASSERT_EQ(history.nights.size(), 5u);
  EXPECT_EQ(history.nights.back().started_at, nights[5].started_at);
  EXPECT_EQ(history.ahead.size(), 1u);
  EXPECT_EQ(left_out_in_words(history), "nights of the future left out: 1");
  const History early = read_history(here.path(), "1970-01-01T00:00:00Z");
  EXPECT_EQ(early.nights.size(), 6u) << "then it is the clock of now that is wrong";
  keep_nights(here.path(), 5);
  EXPECT_EQ(read_history(here.path(), "~").nights.size(), 5u);
}

TEST(HistoryFile, NightsOfManyHostsAtOneTimeAreEachKept) {
  const TemporaryDirectory here;
  auto nights = sample_history(2);
  std::string text;
  for (int i = 0; i < 300; ++i) {
    nights[0].host = nights[1].host = "host" + std::to_string(i % 150);
    text += dumped(to_json(nights[0])) + "\n" + dumped(to_json(nights[1])) + "\n";
  }
  EXPECT_EQ(read_history(here.write("a.jsonl", text)).nights.size(), 300u);
}

TEST(HistoryFile, AFileWithoutANightIsRefused) {
  const TemporaryDirectory here;
  EXPECT_THROW(read_history(here.write("a.jsonl", "{}\n")), Error);
  EXPECT_THROW(read_history(here / "none.jsonl"), Error);
  EXPECT_TRUE(read_history(here.write("b.jsonl", "")).nights.empty());
}

TEST(HistoryFile, OldLinesGoWhenThereAreTooMany) {
  const TemporaryDirectory here;
  const auto nights = sample_history(8);
  for (const Night& night : nights) append_night(here.path(), night);
  keep_nights(here.path(), 5);
  const History history = read_history(here.path());
  ASSERT_EQ(history.nights.size(), 5u);
  EXPECT_EQ(history.nights[0].started_at, nights[3].started_at);
}

TEST(HistoryFile, ALineThatIsBrokenStaysAsItIsAndKeepsNoOldOneFromGoing) {
  const TemporaryDirectory here;
  const auto nights = sample_history(8);
  const std::string broken = dumped(to_json(nights[2])).substr(0, 100);
  for (const Night& night : nights) {
    append_night(here.path(), night);
    if (night.started_at == nights[1].started_at) std::ofstream(here / nights_file, std::ios::app) << broken << "\n";
  }
  keep_nights(here.path(), 5);
  const History history = read_history(here.path());
  ASSERT_EQ(history.nights.size(), 5u);
  EXPECT_EQ(history.nights[0].started_at, nights[3].started_at);
  EXPECT_EQ(history.left_out, 1u);
  EXPECT_TRUE(read_text_file(here / nights_file, MiB).starts_with(broken + "\n"));
}

TEST(HistoryFile, AHistoryOfTooManyBytesLosesItsOldestNights) {
  const TemporaryDirectory here;
  const auto nights = sample_history(10);
  for (const Night& night : nights) append_night(here.path(), night);
  const Bytes line = dumped(to_json(nights[0])).size();
  keep_nights(here.path(), 100, 4 * line + 3 * line / 4);
  const History history = read_history(here.path());
  ASSERT_EQ(history.nights.size(), 4u);
  EXPECT_EQ(history.nights.back().started_at, nights.back().started_at);
  keep_nights(here.path(), 100, 1);
  EXPECT_EQ(read_history(here.path()).nights.size(), 1u) << "the last one stays";
  EXPECT_FALSE(has_too_many_bytes(here.path()));
}

TEST(HistoryFile, ANightThatIsAddedLaterIsPutWhereReadingItWouldPutIt) {
  const TemporaryDirectory here;
  const auto nights = sample_history(3);
  append_night(here.path(), nights[0]);
  append_night(here.path(), nights[2]);
  History history = read_history(here.path());
  Night ahead;
  ahead.started_at = "2999-12-31T23:59:59Z";
  add_nights(history, {nights[1], ahead});
  ASSERT_EQ(history.nights.size(), 3u);
  EXPECT_EQ(history.nights[1].started_at, nights[1].started_at);
  ASSERT_EQ(history.ahead.size(), 1u);
  History empty;
  add_nights(empty, {ahead});
  EXPECT_TRUE(empty.nights.empty()) << "it has measured nothing: it does not say that the clock of now is wrong";
}

}  // namespace
}  // namespace edagen::testing
