#include "load/op_slots.hpp"

#include <gtest/gtest.h>

#include "workload/workload_file.hpp"

namespace edagen {
namespace {

TEST(OpSlots, OpensAndClosesWaitForTheOpsBeforeThemAndHoldUpThoseAfter) {
  const WorkloadSpec workload = load_workload("eda_physical");
  const ProcSpec& spec = workload.proc_kinds[0];
  const OpMix mix(spec.weights);
  OpStream ops(spec, mix, FilePopulation(spec, spec.dataset, 1), 1),
      alone(spec, mix, FilePopulation(spec, spec.dataset, 1), 1);
  OpSlots slots;
  for (std::uint32_t slot = 0; slot < 4; ++slot) slots.add_slot(slot);
  std::vector<std::pair<std::uint32_t, Op>> in_flight;
  std::size_t most = 0, begun = 0;
  while (begun < 2000) {
    std::optional<Op> op;
    if (slots.may_begin()) op = slots.next(ops);
    if (!op) {
      ASSERT_FALSE(in_flight.empty());
      slots.end(in_flight.front().first);
      in_flight.erase(in_flight.begin());
      continue;
    }
    ASSERT_EQ(*op, alone.next()) << "ops begin in the order of the stream";
    const bool barrier = op->kind == OpKind::open || op->kind == OpKind::close;
    if (barrier) ASSERT_TRUE(in_flight.empty());
    for (const auto& [slot, other] : in_flight) ASSERT_TRUE(other.kind != OpKind::open && other.kind != OpKind::close);
    in_flight.emplace_back(slots.begin(*op), *op);
    EXPECT_EQ(slots.in_flight(), in_flight.size());
    most = std::max(most, in_flight.size());
    ++begun;
  }
  EXPECT_GE(most, 2u);
  // What was held is given back.
  while (slots.may_begin())
    if (const auto op = slots.next(ops)) slots.begin(*op), alone.next();
  slots.close(ops);
  EXPECT_EQ(ops.next(), alone.next());
}

}  // namespace
}  // namespace edagen
