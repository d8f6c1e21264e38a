#include "load/op_window.hpp"

#include <gtest/gtest.h>

#include "workload/workload_file.hpp"

namespace edagen {
namespace {

TEST(OpWindow, OpensAndClosesWaitForTheOpsBeforeThemAndHoldUpThoseAfter) {
  const WorkloadSpec workload = load_workload("eda_physical");
  const ProcSpec& spec = workload.proc_kinds[0];
  const OpMix mix(spec.weights);
  OpStream ops(spec, mix, FilePopulation(spec, spec.dataset, 1), 1), alone(spec, mix, FilePopulation(spec, spec.dataset, 1), 1);
  OpWindow window;
  for (std::uint32_t slot = 0; slot < 4; ++slot) window.add_slot(slot);
  std::vector<std::pair<std::uint32_t, Op>> under_way;
  std::size_t most = 0, begun = 0;
  while (begun < 2000) {
    std::optional<Op> op;
    if (window.may_begin()) op = window.next(ops);
    if (!op) {
      ASSERT_FALSE(under_way.empty());
      window.end(under_way.front().first);
      under_way.erase(under_way.begin());
      continue;
    }
    ASSERT_EQ(*op, alone.next()) << "ops begin in the order of the stream";
    const bool barrier = op->kind == OpKind::open || op->kind == OpKind::close;
    if (barrier) ASSERT_TRUE(under_way.empty());
    for (const auto& [slot, other] : under_way) ASSERT_TRUE(other.kind != OpKind::open && other.kind != OpKind::close);
    under_way.emplace_back(window.begin(*op), *op);
    EXPECT_EQ(window.in_flight(), under_way.size());
    most = std::max(most, under_way.size());
    ++begun;
  }
  EXPECT_GE(most, 2u);
  // What was held is given back.
  while (window.may_begin())
    if (const auto op = window.next(ops)) window.begin(*op), alone.next();
  window.close(ops);
  EXPECT_EQ(ops.next(), alone.next());
}

}  // namespace
}  // namespace edagen
