#include "compare/work.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

WorkFigures work_with(double getattrs, Millis each, Millis service) {
  return {.service = service,
          .ops = {{OpKind::stat, {.per_op = 1, .service = service}}},
          .rpcs = {{"GETATTR", {.per_op = getattrs, .queue = Millis(0.1), .round_trip = each, .execute = each}}}};
}

RunFigures run_with(const WorkFigures& work, std::vector<Invalid> invalid = {}, std::uint64_t repeat = 1) {
  RunFigures run{100, 1, work.service, 1, std::move(invalid), repeat};
  run.work = work;
  return run;
}

TEST(Work, NumberAndTimeOfAKindAddUpToItsDifferenceAndTheRestIsUnexplained) {
  const WorkDifference difference =
      work_difference(work_with(1, Millis(0.6), Millis(1)), work_with(0.5, Millis(0.8), Millis(0.7)));
  ASSERT_EQ(difference.rpcs.size(), 1u);
  const KindDifference& getattr = difference.rpcs[0];
  EXPECT_NEAR(getattr.by_number.count(), -0.35, 1e-12);
  EXPECT_NEAR(getattr.by_time.count(), 0.15, 1e-12);
  EXPECT_NEAR(getattr.service().count(), 0.5 * 0.8 - 1 * 0.6, 1e-12);
  EXPECT_NEAR(difference.unexplained->count(), -0.3 + 0.2, 1e-12);
  EXPECT_NEAR(difference.ops[0].service().count(), difference.service.count(), 1e-12);
}

TEST(Work, AKindThatOneLacksDiffersByItsNumberAloneAndTheLargestDifferenceIsFirst) {
  WorkFigures less = work_with(0.9, Millis(0.6), Millis(1));
  const WorkFigures more = [&] {
    WorkFigures work = less;
    work.rpcs["WRITE"] = {.per_op = 2, .queue = Millis(0), .round_trip = Millis(3), .execute = Millis(3)};
    return work;
  }();
  const WorkDifference gone = work_difference(more, less);
  ASSERT_EQ(gone.rpcs.size(), 2u);
  EXPECT_EQ(gone.rpcs[0].kind, "WRITE");
  EXPECT_EQ(gone.rpcs[0].by_number, Millis(-6));
  EXPECT_EQ(gone.rpcs[0].by_time, Millis(0));
  EXPECT_EQ(work_difference(less, more).rpcs[0].by_number, Millis(6));
}

TEST(Work, WithoutRpcsNothingIsUnexplained) {
  WorkFigures local = work_with(1, Millis(1), Millis(1));
  local.rpcs.clear();
  EXPECT_FALSE(work_difference(local, work_with(1, Millis(1), Millis(1))).unexplained);
}

TEST(Work, TheMeanIsOverTheRunsThatSaySomethingOfTheStorage) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a",
              {run_with(work_with(1, Millis(1), Millis(2))), run_with(work_with(3, Millis(2), Millis(4)), {}, 2),
               run_with(work_with(9, Millis(9), Millis(9)), {Invalid::errors}, 3)});
  add_variant(comparison, "b", "/mnt/b", {run_with(work_with(9, Millis(9), Millis(9)), {Invalid::errors})});
  const VariantFigures& a = comparison.variants[0];
  ASSERT_TRUE(a.work);
  EXPECT_EQ(a.work->service, Millis(3));
  EXPECT_DOUBLE_EQ(a.work->rpcs.at("GETATTR").per_op, 2);
  EXPECT_DOUBLE_EQ(a.work->rpcs.at("GETATTR").round_trip.count(), (1 * 1 + 3 * 2) / 4.0) << "each RPC counts as much";
  EXPECT_FALSE(comparison.variants[1].work);
  EXPECT_FALSE(comparison.variants[1].work_against_first);
}

TEST(Work, IsOfTheLoadPointThatIsComparedAllMountsTogether) {
  PointFigures point;
  point.latency.service.mean = Millis(2);
  point.ops[OpKind::stat].share = 0.9;
  point.ops[OpKind::stat].latency.emplace().service.mean = Millis(1);
  point.ops[OpKind::open].share = 0.1;  // no op of this kind has ended in time
  NfsFigures& nfs = point.nfs.emplace();
  for (const double time : {1.0, 3.0}) {
    NfsMountFigures& mount = nfs.mounts.emplace_back();
    mount.rpcs["READ"] = {.requests = 10, .per_op = 0.5, .round_trip = Millis(time), .execute = Millis(time)};
  }
  const WorkFigures work = work_of(point);
  EXPECT_EQ(work.ops.size(), 1u);
  EXPECT_EQ(work.ops.at(OpKind::stat).service, Millis(1));
  EXPECT_DOUBLE_EQ(work.rpcs.at("READ").per_op, 1);
  EXPECT_DOUBLE_EQ(work.rpcs.at("READ").execute.count(), 2);
}

TEST(Work, IsInTheDocumentAndReadBack) {
  ComparisonResult comparison;
  add_variant(comparison, "a", "/mnt/a", {run_with(work_with(1, Millis(1), Millis(2)))});
  add_variant(comparison, "b", "/mnt/b", {run_with(work_with(0.5, Millis(1), Millis(1)))});
  const Document document = to_json(comparison);
  EXPECT_EQ(document["variants"][1]["work_against_first"]["rpcs"][0]["by_number_ms"], -0.5);
  EXPECT_EQ(document["variants"][0]["runs"][0]["work"]["rpcs"]["GETATTR"]["per_op"], 1);
  EXPECT_EQ(to_json(from_json<ComparisonResult>(document)), document);
}

}  // namespace
}  // namespace edagen
