#include "report/work_text.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "report/comparison_text.hpp"
#include "report/wrapped_text.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

RpcWork rpc(double per_op, Millis round_trip) {
  return {.per_op = per_op, .queue = Millis(0.01), .round_trip = round_trip, .execute = round_trip + Millis(0.02)};
}

/// Three repeats that differ a little, with this response.
std::vector<RunFigures> runs_of(const WorkFigures& work, Millis response, double rate = 100) {
  std::vector<RunFigures> runs;
  for (std::uint64_t repeat = 1; repeat <= 3; ++repeat) {
    const double scatter = 1 + 0.001 * static_cast<double>(repeat);
    runs.push_back({rate * scatter, 1, response * scatter, 1, {}, repeat});
    runs.back().work = work;
  }
  return runs;
}

WorkFigures nfs_work(double getattrs, Millis service) {
  return {.service = service,
          .ops = {{OpKind::stat, {.per_op = 1, .service = service}}},
          .rpcs = {{"GETATTR", rpc(getattrs, Millis(0.58))}, {"READ", rpc(0.1, Millis(1))}}};
}

ComparisonResult comparison_of(const WorkFigures& baseline, const WorkFigures& variant, Millis response_before,
                               Millis response_after) {
  ComparisonResult comparison;
  add_variant(comparison, "defaults", "rw", runs_of(baseline, response_before));
  add_variant(comparison, "+ nocto,actimeo=600", "nocto", runs_of(variant, response_after));
  return comparison;
}

std::string joined(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  for (auto at = text.find("  "); at != std::string::npos; at = text.find("  ")) text.erase(at, 1);
  return text;
}

TEST(WorkText, TheWinnerIsExplainedByWhatItSavesAndByWhatTheNfsViewDoesNotExplain) {
  const ComparisonResult comparison =
      comparison_of(nfs_work(0.93, Millis(1.1)), nfs_work(0.01, Millis(0.49)), Millis(1.2), Millis(0.59));
  const std::string text = work_text(comparison);
  EXPECT_NE(
      joined(text).find("+ nocto,actimeo=600 saves 0.92 GETATTR per op of 0.600 ms each: 0.552 of the 0.610 ms by "
                        "which its service is shorter; the NFS view does not explain 0.0580 ms of it"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("GETATTR  defaults"), std::string::npos) << text;
  EXPECT_EQ(text.find("READ"), std::string::npos) << "it does not differ" << text;
  EXPECT_NE(comparison_text(comparison).find(text), std::string::npos);
  for (const std::string& line : testing::lines_of(text)) EXPECT_LE(columns_of(line), terminal_columns) << line;
}

TEST(WorkText, RpcsThatTakeLongerAndRunBesideOpsAreSaidToDoSo) {
  WorkFigures slow = nfs_work(0.93, Millis(1.3));
  slow.rpcs["READ"] = rpc(0.1, Millis(6));
  const std::string text =
      joined(work_text(comparison_of(nfs_work(0.93, Millis(1.1)), slow, Millis(1.2), Millis(1.4))));
  EXPECT_NE(text.find("+ nocto,actimeo=600: each READ takes 5.00 ms longer: 0.500 ms, which is more than the 0.200 ms "
                      "by which its service is longer; its RPCs differ by 0.300 ms more than its service: some of them "
                      "run beside ops"),
            std::string::npos)
      << text;
}

TEST(WorkText, WhereOneKindMakesMoreThanTheWholeOthersTakeTheRestBack) {
  WorkFigures slow = nfs_work(3, Millis(2.1));
  slow.rpcs["READ"] = rpc(0.1, Millis(0.5));
  slow.rpcs["ACCESS"] = rpc(0.01, Millis(1));
  WorkFigures before = nfs_work(1, Millis(1.1));
  before.rpcs["ACCESS"] = rpc(0.2, Millis(1));
  const std::string text = joined(work_text(comparison_of(before, slow, Millis(1.2), Millis(2.2))));
  EXPECT_NE(
      text.find("adds 2 GETATTR per op of 0.600 ms each: 1.20 ms, less 0.244 ms of other RPCs, which is more than "
                "the 1.00 ms by which its service is longer"),
      std::string::npos)
      << text;
}

TEST(WorkText, WhereTheKindsThatAreNamedAreFewOfTheRpcsThatDifferTheOthersAreNamedWithThem) {
  WorkFigures before = nfs_work(0.93, Millis(1.1)), after = nfs_work(0.744, Millis(0.98));
  before.rpcs["LOOKUP"] = rpc(0.1, Millis(0.01)), after.rpcs["LOOKUP"] = rpc(0.02, Millis(0.01));
  before.rpcs["ACCESS"] = rpc(0.1, Millis(0.01)), after.rpcs["ACCESS"] = rpc(0.041, Millis(0.01));
  const std::string text = joined(work_text(comparison_of(before, after, Millis(1.2), Millis(1.05))));
  EXPECT_NE(text.find("saves 0.186 GETATTR per op of 0.600 ms each: "), std::string::npos) << text;
  EXPECT_NE(text.find("by which its service is shorter; all RPCs together: 0.325 fewer per op (others: 0.08 fewer "
                      "LOOKUP, 0.059 fewer ACCESS)"),
            std::string::npos)
      << text;
}

TEST(WorkText, WithoutNfsKindsOfOpExplain) {
  WorkFigures before{
      .service = Millis(1), .ops = {{OpKind::stat, {0.5, Millis(1)}}, {OpKind::open, {0.5, Millis(1)}}}, .rpcs = {}};
  WorkFigures after = before;
  after.ops[OpKind::open].service = Millis(0.2);
  after.service = Millis(0.6);
  const std::string text = joined(work_text(comparison_of(before, after, Millis(1.1), Millis(0.7))));
  EXPECT_NE(text.find("+ nocto,actimeo=600: each open takes 0.800 ms less: 0.400 of the 0.400 ms by which its service "
                      "is shorter"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("open defaults 50 % 1.00 0.500"), std::string::npos) << text;
}

TEST(WorkText, AWaitForProcsIsNoServiceThatDiffers) {
  const WorkFigures work = nfs_work(0.9, Millis(1));
  const std::string text = joined(work_text(comparison_of(work, work, Millis(9), Millis(2))));
  EXPECT_NE(text.find("the service makes no difference (1.00 ms against 1.00): ops wait 7.01 ms less for their procs"),
            std::string::npos)
      << text;
}

TEST(WorkText, ARunThatIsLeftOutMakesNoWaitOfAServiceThatDiffers) {
  std::vector<RunFigures> before = runs_of(nfs_work(0.93, Millis(1.1)), Millis(1.2)),
                          after = runs_of(nfs_work(0.01, Millis(0.49)), Millis(0.59));
  before.push_back({100, 1, Millis(50), 1, {Invalid::generator_paused}, 4});
  after.push_back({100, 1, Millis(0.59), 1, {}, 4});
  ComparisonResult comparison;
  add_variant(comparison, "defaults", "rw", before);
  add_variant(comparison, "b", "nocto", after);
  const std::string text = joined(work_text(comparison));
  EXPECT_NE(text.find("b saves 0.92 GETATTR per op"), std::string::npos) << text;
  EXPECT_EQ(text.find("ops wait"), std::string::npos) << text;
}

TEST(WorkText, AServiceThatDiffersTheOtherWayIsNotSaidToMakeNoDifference) {
  const std::string text =
      joined(work_text(comparison_of(nfs_work(0.9, Millis(1)), nfs_work(0.9, Millis(3)), Millis(9), Millis(8))));
  EXPECT_EQ(text.find("makes no difference"), std::string::npos) << text;
}

TEST(WorkText, AtALatencyTargetTheRpcsOfAnOpAreComparedEachAtItsOwnRate) {
  ComparisonResult comparison;
  comparison.at_latency_target = "2ms";
  add_variant(comparison, "defaults", "rw", runs_of(nfs_work(0.93, Millis(1.5)), Millis(2), 100));
  add_variant(comparison, "b", "nocto", runs_of(nfs_work(0.01, Millis(1.5)), Millis(2), 200));
  EXPECT_NE(joined(work_text(comparison))
                .find("b saves 0.92 GETATTR per op of 0.600 ms each: 0.552 of the 0.552 ms by "
                      "which the RPCs of an op are shorter, each at its own rate"),
            std::string::npos)
      << work_text(comparison);
}

TEST(WorkText, OfInvalidRunsTheNumbersOfRpcsAreComparedAndNotTheirTimes) {
  ComparisonResult comparison;
  for (const double getattrs : {0.93, 0.01}) {
    std::vector<RunFigures> runs = runs_of(nfs_work(getattrs, Millis(1)), Millis(1));
    for (RunFigures& run : runs) run.invalid = {Invalid::generator_paused};
    add_variant(comparison, getattrs > 0.5 ? "defaults" : "b", "rw", runs);
  }
  EXPECT_EQ(joined(work_text(comparison)),
            " b saves 0.92 GETATTR per op; times are not compared, as runs are invalid ");
  for (RunFigures& run : comparison.variants[1].runs)
    run.work->rpcs["GETATTR"].per_op = 0.4 * static_cast<double>(run.repeat);
  EXPECT_EQ(joined(work_text(comparison)).find("saves"), std::string::npos) << "one run has more: chance";
  comparison.variants.clear();
  for (const double getattrs : {0.93, 0.744}) {
    WorkFigures work = nfs_work(getattrs, Millis(1));
    work.rpcs["LOOKUP"] = rpc(0.5, Millis(1));
    std::vector<RunFigures> runs = runs_of(work, Millis(1));
    for (RunFigures& run : runs) run.invalid = {Invalid::generator_paused};
    if (getattrs < 0.9) runs[0].work->rpcs["LOOKUP"].per_op = 0.083;
    add_variant(comparison, getattrs > 0.9 ? "defaults" : "b", "rw", runs);
  }
  EXPECT_NE(joined(work_text(comparison))
                .find("b saves 0.186 GETATTR per op; all RPCs together: 0.325 fewer per op (others: 0.139 fewer "
                      "LOOKUP); times are not compared"),
            std::string::npos)
      << work_text(comparison);
  comparison.variants.clear();
  std::vector<RunFigures> failed = runs_of(nfs_work(0.93, Millis(1)), Millis(1));
  for (RunFigures& run : failed) run.invalid = {Invalid::errors};
  add_variant(comparison, "defaults", "rw", failed);
  add_variant(comparison, "b", "rw", runs_of(nfs_work(0, Millis(1)), Millis(1)));
  EXPECT_EQ(work_text(comparison), "");
}

TEST(WorkText, WithoutAVerdictOrWithoutWorkNothingIsExplained) {
  const WorkFigures work = nfs_work(0.9, Millis(1));
  EXPECT_EQ(work_text(comparison_of(work, work, Millis(2), Millis(2))), "");
  EXPECT_EQ(work_text({}), "");
  ComparisonResult old = comparison_of(nfs_work(0.93, Millis(1.1)), nfs_work(0, Millis(0.5)), Millis(1), Millis(0.5));
  for (VariantFigures& variant : old.variants) variant.work.reset(), variant.work_against_first.reset();
  EXPECT_EQ(work_text(old), "");
  Document blocks = Document::array();
  add_work(blocks, old);
  EXPECT_TRUE(blocks.empty());
}

TEST(WorkText, APageHasAllKindsOfAllVariants) {
  Document blocks = Document::array();
  add_work(blocks, comparison_of(nfs_work(0.93, Millis(1.1)), nfs_work(0, Millis(0.5)), Millis(1.2), Millis(0.6)));
  const std::string page = blocks.dump();
  EXPECT_NE(page.find("What an op takes"), std::string::npos);
  EXPECT_NE(page.find(R"("READ")"), std::string::npos);
  EXPECT_NE(page.find("saves 0.93 GETATTR"), std::string::npos);
}

}  // namespace
}  // namespace edagen
