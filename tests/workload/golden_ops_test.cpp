// The same seed gives the same ops in every version and with every compiler: what the built-in workloads drew first is
// kept in tests/workload/golden.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dataset/dataset_plan.hpp"
#include "support/golden.hpp"
#include "workload/op_stream.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t golden_seed = 1;
constexpr int digested = 500, shown = 10;

std::string text_of(const NameRef& name) {
  constexpr const char* classes[] = {"none", "data", "empty", "symlink", "hard_link", "made_dir", "dataset_dir"};
  static_assert(std::size(classes) == name_class_count);
  return fmt::format("{}/{}", classes[static_cast<std::size_t>(name.cls)], name.index);
}

std::string text_of(const Op& op) {
  return fmt::format("{} {} {} {}+{}{}{}{}{}{}{}\n", to_string(op.kind), text_of(op.name), text_of(op.other), op.offset,
                     op.length, op.commit ? " commit" : "", op.direct ? " direct" : "", op.sync ? " sync" : "",
                     op.writing ? " writing" : "", op.replacing ? " replacing" : "",
                     op.truncating ? " truncating" : "");
}

/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
std::uint64_t digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string first_ops(const ProcSpec& kind, const PlannedProc& proc) {
  const OpMix mix(kind.weights);
  OpStream ops(kind, mix, proc.files, proc.seed);
  std::string all, first;
  for (int i = 0; i < digested; ++i) {
    all += text_of(ops.next());
    if (i + 1 == shown) first = all;
  }
  return fmt::format("{}: {} ops, digest {:016x}, the first {}:\n{}", kind.name, digested, digest(all), shown, first);
}

/// Of the first proc of each kind.
std::string first_ops(const WorkloadSpec& workload) {
  DatasetScale whole;
  whole.factor = 1;
  const auto procs = static_cast<std::uint64_t>(workload.procs_per_job_set());
  const DatasetPlan plan = plan_dataset(workload, 1, procs, {0}, golden_seed, whole);
  std::string text;
  std::size_t next_kind = 0;
  for (const PlannedProc& proc : plan.procs)
    if (proc.kind == next_kind) text += first_ops(workload.proc_kinds[next_kind++], proc);
  EXPECT_EQ(next_kind, workload.proc_kinds.size());
  return text;
}

class GoldenOps : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenOps, AreThoseOfEveryVersion) {
  testing::expect_as_kept("workload/golden/" + GetParam() + ".txt", first_ops(load_workload(GetParam())),
                          "Results with the same seed no longer compare with those of earlier versions.");
}

INSTANTIATE_TEST_SUITE_P(Of, GoldenOps, ::testing::ValuesIn(builtin_workload_names()), [](const auto& test) {
  std::string name = test.param;
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
});

}  // namespace
}  // namespace edagen
