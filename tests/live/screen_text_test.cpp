#include "live/screen_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "base/utf8.hpp"
#include "edagen/units.hpp"
#include "support/sample_result.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

constexpr double seconds_of_load = 70, kinds_of_op = op_kind_count;
constexpr double ops_of_a_second = kinds_of_op * (kinds_of_op + 1) / 2;  ///< one of the first kind, two of the next

class ScreenText : public ::testing::Test {
 protected:
  ScreenText() {
    Result header = sample_header();
    header.target.mounts.assign(2, header.target.mounts.front());
    header.target.mounts[1].path = "/mnt/" + std::string(100, 'b') + "/end";
    header.clients = 40;
    run_.observe(LoadTimeExpected{90s});
    run_.observe(LoadBegan{header});
    run_.observe(PointBegan{12'000.0, "block"});
    AtTarget answer;
    answer.target = 2ms;
    answer.ops_per_sec = 40'800, answer.low = 39'900, answer.high = 41'700;
    run_.observe(AnswerEstimated{answer});
    run_.observe(WindowBegan{});
    for (int second = 0; second < seconds_of_load; ++second) {
      IntervalStats stats(1);
      stats.clients.resize(40);
      for (std::size_t i = 0; i < all_op_kinds().size(); ++i)
        for (std::size_t n = 0; n <= i; ++n) {
          const OpResult result{n == 0 ? ESTALE : 0, 8192, 0};
          stats.ops.record(all_op_kinds()[i], {1500us, 900us, 600us}, result);
          stats.clients[(i + n) % 40].counts.count(result);
          stats.clients[(i + n) % 40].time(all_op_kinds()[i],
                                           Nanos(1'500'000 + 1000 * static_cast<std::int64_t>((i + n) % 40)), 900us);
        }
      run_.observe(IntervalEnded{true,
                                 Interval{.start = second * 1s,
                                          .length = 1s,
                                          .operations = stats.ops.operations(),
                                          .errors = stats.ops.error_count(),
                                          .bytes = stats.ops.bytes_read(),
                                          .response_mean = NanosF(1.5e6)},
                                 stats});
    }
  }
  std::vector<std::string> lines(ScreenView view, ScreenSize size = {80, 24}, bool blocks = false) const {
    return screen_lines(run_.state(), view, size, *run_.state().load_began + 30s, blocks, true);
  }
  std::string text(ScreenView view, ScreenSize size = {80, 24}) const {
    std::string all;
    for (const std::string& line : lines(view, size)) all += line + "\n";
    return all;
  }
  LiveRun run_{{}};
};

TEST_F(ScreenText, IsNoLargerThanTheTerminalWhateverThereIsToShow) {
  for (const ScreenSize size : {ScreenSize{80, 24}, ScreenSize{120, 40}, ScreenSize{60, 16}, ScreenSize{300, 100}})
    for (const ScreenView view : {ScreenView::ops, ScreenView::mounts, ScreenView::clients, ScreenView::hosts})
      for (const bool blocks : {false, true}) {
        const auto all = lines(view, size, blocks);
        EXPECT_LT(all.size(), size.rows);
        EXPECT_GT(all.size(), 10u);
        for (const std::string& line : all) EXPECT_LE(columns_of(line), size.columns) << line;
      }
}

TEST_F(ScreenText, SaysTheLoadPointTimesRatesLatenciesErrorsAndTheEstimate) {
  const std::string all = text(ScreenView::ops);
  for (const char* const part :
       {"30 s, about 1 min 0 s left", "load point 1, block at 12,000 ops/s: measuring", "response         1.50     1.5",
        "service", "at 2 ms: 40,800 ops/s, 95 %: 39,900 to 41,700\n"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  for (const std::string& part : {format_count(ops_of_a_second) + " ops/s", format_count(kinds_of_op) + " errors",
                                  format_count(seconds_of_load * kinds_of_op) + " since the start"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
}

TEST_F(ScreenText, AWindowThatIsMeasuredAgainIsNamedAndASliceHasNoOtherPhaseThanItsOwn) {
  run_.observe(WindowBegan{.again = true});
  const std::string again = text(ScreenView::ops);
  EXPECT_NE(again.find("block at 12,000 ops/s: measuring again for "), std::string::npos) << again;
  EXPECT_NE(again.find(" s (latency trended)\n"), std::string::npos) << again;
  run_.observe(PointBegan{2000.0, "settling of a", /*is_slice=*/true});
  run_.observe(WindowBegan{});
  const std::string slice = text(ScreenView::ops);
  EXPECT_NE(slice.find("settling of a at 2,000 ops/s: under load for "), std::string::npos) << slice;
  EXPECT_EQ(slice.find("measuring"), std::string::npos) << slice;
}

TEST_F(ScreenText, WhereThisHostIsTheLimitNoRateIsClaimed) {
  AtTarget answer;
  answer.target = 2ms;
  answer.ops_per_sec = answer.low = answer.high = 40'800;
  answer.limit = RateLimit::host;
  run_.observe(AnswerEstimated{answer});
  const std::string all = text(ScreenView::ops);
  EXPECT_NE(all.find("at 2 ms: not known by now: this host is the limit\n"), std::string::npos) << all;
  EXPECT_EQ(all.find("40,800"), std::string::npos) << all;
  IntervalStats stats(1);
  stats.hosts.resize(2);
  run_.observe(IntervalEnded{true, Interval{.length = 1s}, stats});
  const std::string of_two = text(ScreenView::ops);
  EXPECT_NE(of_two.find("at 2 ms: not known by now: a host is the limit\n"), std::string::npos) << of_two;
}

TEST_F(ScreenText, ALowerBoundHasNoInterval) {
  AtTarget answer;
  answer.target = 2ms;
  answer.ops_per_sec = 40'800, answer.low = 39'900, answer.high = 41'700;
  answer.limit = RateLimit::procs;
  run_.observe(AnswerEstimated{answer});
  const std::string all = text(ScreenView::ops);
  EXPECT_NE(all.find("at 2 ms: at least 40,800 ops/s\n"), std::string::npos) << all;
}

TEST_F(ScreenText, TheKindsOfOpThatThereAreMostOfComeFirstAndTheRestIsCounted) {
  const std::string all = text(ScreenView::ops);
  EXPECT_LT(all.find("\nfsync "), all.find("\nlock ")) << all;
  EXPECT_LT(all.find("\nlock "), all.find("\nlink ")) << all;
  EXPECT_EQ(all.find("\nopen "), std::string::npos) << all;
  EXPECT_NE(all.find("more\n"), std::string::npos) << all;
  EXPECT_NE(text(ScreenView::ops, {80, 60}).find("\nopen "), std::string::npos);
}

TEST_F(ScreenText, MountsAndClientsHaveViewsOfTheirOwn) {
  const std::string mounts = text(ScreenView::mounts), clients = text(ScreenView::clients, {80, 80});
  EXPECT_NE(mounts.find("/mnt/a "), std::string::npos) << mounts;
  EXPECT_NE(mounts.find("/end "), std::string::npos) << mounts;  // of a long path the end
  EXPECT_NE(clients.find("\n39 on ..."), std::string::npos) << clients;
  EXPECT_NE(clients.find("\n0 on /mnt/a"), std::string::npos) << clients;
  EXPECT_LT(clients.find("\n39 on ..."), clients.find("\n0 on /mnt/a")) << "the slowest comes first";
  EXPECT_NE(mounts.find(" | "), std::string::npos) << mounts;
  EXPECT_NE(mounts.find("0.900"), std::string::npos) << mounts;
}

TEST_F(ScreenText, APathOfWideCharactersHasTheColumnsOfAnyOther) {
  for (const std::string odd : {"", "x"}) {  // the cut is between two characters, or within one
    Result header = sample_header();
    header.target.mounts.assign(2, header.target.mounts.front());
    header.target.mounts[1].path = "/mnt/";
    for (int i = 0; i < 20; ++i) header.target.mounts[1].path += "\u5bb9";
    header.target.mounts[1].path += odd;
    run_.observe(LoadBegan{header});
    IntervalStats stats(1);
    stats.clients.resize(2);
    run_.observe(IntervalEnded{true, Interval{.length = 1s}, stats});
    const std::vector<std::string> all = lines(ScreenView::mounts);
    const auto head =
        std::ranges::find_if(all, [](const std::string& line) { return line.starts_with("mount "); }) - all.begin();
    ASSERT_LT(static_cast<std::size_t>(head) + 2, all.size());
    EXPECT_NE(all[static_cast<std::size_t>(head) + 2].find("\u5bb9" + odd + " "), std::string::npos);
    for (std::size_t i = 1; i <= 2; ++i)
      EXPECT_EQ(columns_of(all[static_cast<std::size_t>(head) + i]), columns_of(all[static_cast<std::size_t>(head)]));
  }
}

TEST_F(ScreenText, WithoutSeveralHostsThereIsNoViewOfThem) {
  EXPECT_EQ(text(ScreenView::ops).find("h hosts"), std::string::npos);
  EXPECT_EQ(text(ScreenView::hosts), text(ScreenView::ops));
  EXPECT_EQ(first_view(run_.state()), ScreenView::ops);
  EXPECT_EQ(view_after(ScreenView::clients, run_.state()), ScreenView::ops);
}

TEST_F(ScreenText, EachHostHasARowWithItsRateLatencyAndLatenessTheSlowestFirst) {
  IntervalStats stats(1);
  for (std::uint64_t rank = 0; rank < 20; ++rank)
    stats.hosts.push_back({.name = "host" + std::to_string(rank) + std::string(40, 'x'),
                           .length = 2s,
                           .counts = {1000, rank, 2 << 20},
                           .response_mean = NanosF(1e6 + 1e3 * static_cast<double>(rank)),
                           .generator_lag_mean = NanosF(5e4)});
  stats.hosts[5] = {.name = "slow",
                    .length = 1s,
                    .counts = {1000, 7, 4 << 20},
                    .response_mean = NanosF(250e6),
                    .generator_lag_mean = NanosF(20e6)};
  stats.hosts[6] = {.name = "silent"};
  run_.observe(IntervalEnded{true, Interval{.start = 70s, .length = 2s, .operations = 19'000}, stats});
  const std::vector<std::string> all = lines(ScreenView::hosts);
  EXPECT_LE(all.size(), 23u);
  for (const std::string& line : all) EXPECT_LE(columns_of(line), 80u) << line;
  const std::string seen = text(ScreenView::hosts);
  const std::size_t silent = seen.find("\n6 on silent"), slow = seen.find("\n5 on slow "), next = seen.find("\n19 on ");
  ASSERT_NE(next, std::string::npos) << seen;
  EXPECT_LT(silent, slow) << seen;
  EXPECT_LT(slow, next) << seen;
  const std::string row = seen.substr(slow + 1, seen.find('\n', slow + 1) - slow - 1);
  std::istringstream cells(row);
  std::vector<std::string> words;
  for (std::string word; cells >> word;) words.push_back(word);
  EXPECT_EQ(words, (std::vector<std::string>{"5", "on", "slow", "1,000", "5.3", "%", "4.0", "7", "250", "20.0"}))
      << row;
  EXPECT_NE(seen.find("more\n"), std::string::npos) << seen;
  EXPECT_NE(seen.find("h hosts"), std::string::npos) << seen;
  EXPECT_EQ(first_view(run_.state()), ScreenView::hosts);
  EXPECT_EQ(view_after(ScreenView::clients, run_.state()), ScreenView::hosts);
  EXPECT_EQ(view_after(ScreenView::hosts, run_.state()), ScreenView::ops);
}

TEST_F(ScreenText, TheHistoryHasAColumnForEachSecondOfTheLastMinute) {
  const std::string all = text(ScreenView::ops, {100, 30});
  EXPECT_NE(all.find("ops/s        " + std::string(60, '#') + fmt::format(" to {}\n", ops_of_a_second)),
            std::string::npos)
      << all;
}

TEST_F(ScreenText, InANarrowTerminalTheHistoryIsShorterAndItsNumberWhole) {
  EXPECT_NE(text(ScreenView::ops, {80, 24}).find(std::string(53, '#') + fmt::format(" to {}\n", ops_of_a_second)),
            std::string::npos)
      << text(ScreenView::ops, {80, 24});
}

TEST(HistoryText, TheHighestValueIsFullAndSecondsWithoutOpsAreEmpty) {
  EXPECT_EQ(history_text({0, 1, 4, 8, -1}, false), "__-# ");
  EXPECT_EQ(history_text({4, 8}, true), "\u2584\u2588");
  EXPECT_EQ(history_text({}, true), "");
}

}  // namespace
}  // namespace edagen::testing
