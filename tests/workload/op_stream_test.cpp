#include "workload/op_stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/model_fs.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

struct Stream {
  explicit Stream(const ProcSpec& its_spec, std::uint64_t seed = 1)
      : spec(its_spec), mix(spec.weights), files(spec, spec.dataset, seed), ops(spec, mix, files, seed) {}
  ProcSpec spec;
  OpMix mix;
  FilePopulation files;
  OpStream ops;
};

ProcSpec kind_of(const std::string& workload) { return load_workload(workload).proc_kinds.front(); }

/// Every op kind at once.
ProcSpec everything() {
  ProcSpec spec;
  spec.name = "everything";
  spec.weights.fill(1);
  spec.dataset.data_files = 40;
  spec.dataset.empty_files = 60;
  spec.dataset.directories = 7;
  spec.skewed_percent = 50;
  spec.rename_across_percent = 30;
  spec.rename_over_percent = 40;
  spec.unlink_nonempty_percent = 30;
  spec.commit_percent = 15;
  spec.direct_percent = 50;
  spec.sync_percent = 5;
  return spec;
}

TEST(OpStream, AnOpThatWasPutBackComesAgain) {
  Stream stream(kind_of("eda_physical")), other(kind_of("eda_physical"));
  const Op first = stream.ops.next();
  stream.ops.put_back(first);
  EXPECT_EQ(stream.ops.next(), first);
  other.ops.next();
  EXPECT_EQ(stream.ops.next(), other.ops.next());
}

TEST(OpStream, DirectIoIsAlignedToTheBlockOfTheFileSystem) {
  for (const Bytes block : {512, 4096}) {
    ProcSpec spec = kind_of("fio/4k-randrw");
    spec.read_size = spec.write_size = SizeDistribution::uniform(1, 10'000);
    spec.io.direct = true;
    spec.io.direct_block = block;
    Stream stream(spec);
    for (int i = 0; i < 1000; ++i) {
      const Op op = stream.ops.next();
      ASSERT_TRUE(op.direct);
      ASSERT_EQ(op.length % block, 0);
      ASSERT_EQ(op.offset % block, 0);
      ASSERT_GT(op.length, 0);
    }
  }
}

TEST(OpStream, DirectIoLeavesTheMeanTransferAsItIs) {
  ProcSpec spec = kind_of("eda_physical_published");
  for (const double direct : {0.0, 100.0}) {
    spec.direct_percent = direct;
    Stream stream(spec);
    double bytes = 0;
    int writes = 0;
    for (int i = 0; i < 100'000; ++i)
      if (const Op op = stream.ops.next(); op.kind == OpKind::write_seq)
        ++writes, bytes += static_cast<double>(op.length);
    EXPECT_NEAR(bytes / writes, spec.write_size.mean(), 0.01 * spec.write_size.mean()) << direct;
  }
}

TEST(OpStream, WholeFilesAreSyncedBeforeTheyAreClosedWhenAskedFor) {
  ProcSpec spec = kind_of("eda_functional");
  spec.commit_percent = 0;
  spec.io.fsync = FsyncWhen::close;
  Stream stream(spec);
  for (int i = 0; i < 5000; ++i) {
    const Op op = stream.ops.next();
    ASSERT_EQ(op.commit, op.kind == OpKind::write_file) << to_string(op.kind);
  }
}

class OpStreamOf : public ::testing::TestWithParam<std::string> {};

TEST_P(OpStreamOf, KeepsTheSharesOfItsMix) {
  Stream stream(kind_of(GetParam()));
  constexpr int count = 400'000;
  std::array<int, op_kind_count> seen{};
  for (int i = 0; i < count; ++i) ++seen[static_cast<std::size_t>(stream.ops.next().kind)];
  for (const OpKind kind : all_op_kinds())
    EXPECT_NEAR(100.0 * seen[static_cast<std::size_t>(kind)] / count, 100 * stream.spec.share(kind), 0.3)
        << to_string(kind);
}

TEST_P(OpStreamOf, NeverAsksForWhatAFileSystemWouldRefuse) {
  Stream stream(kind_of(GetParam()));
  testing::ModelFs fs(stream.files);
  for (int i = 0; i < 300'000; ++i) {
    const Op op = stream.ops.next();
    ASSERT_EQ(fs.apply(op), "") << "op " << i << " " << to_string(op.kind);
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, OpStreamOf,
                         ::testing::Values("eda_functional", "eda_functional_published", "eda_functional_churn",
                                           "eda_physical", "eda_physical_published"),
                         [](const auto& param) { return param.param; });

TEST(OpStream, AllOpKindsTogetherNeverFailByConstruction) {
  Stream stream(everything());
  testing::ModelFs fs(stream.files);
  std::array<int, op_kind_count> seen{};
  for (int i = 0; i < 300'000; ++i) {
    const Op op = stream.ops.next();
    ASSERT_EQ(fs.apply(op), "") << "op " << i << " " << to_string(op.kind);
    ++seen[static_cast<std::size_t>(op.kind)];
  }
  for (const OpKind kind : all_op_kinds()) EXPECT_GT(seen[static_cast<std::size_t>(kind)], 5000) << to_string(kind);
}

TEST(OpStream, AMixThatOnlyRemovesOrOnlyAddsGoesOnForEver) {
  for (const OpKind kind : {OpKind::unlink, OpKind::rename, OpKind::rmdir, OpKind::mkdir, OpKind::create}) {
    ProcSpec spec = everything();
    spec.weights.fill(0);
    spec.weights[static_cast<std::size_t>(kind)] = 1;
    Stream stream(spec);
    testing::ModelFs fs(stream.files);
    for (int i = 0; i < 20'000; ++i) ASSERT_EQ(fs.apply(stream.ops.next()), "") << to_string(kind) << " " << i;
  }
}

TEST(OpStream, TheSameSeedGivesTheSameOps) {
  Stream a(everything(), 9), b(everything(), 9), c(everything(), 10);
  int equal = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Op op = a.ops.next();
    ASSERT_EQ(op, b.ops.next());
    equal += op == c.ops.next() ? 1 : 0;
  }
  EXPECT_LT(equal, 1000);
}

TEST(OpStream, ThePopulationsReturnToTheirStart) {
  // 100 ops/s for eight hours, 1,200 empty files and 16 made directories.
  for (const char* const name : {"eda_functional", "eda_functional_churn"}) {
    double sum = 0, squares = 0, dir_sum = 0, dir_squares = 0;
    int looks = 0;
    Stream stream(kind_of(name));
    double files = 0, dirs = 0;  // away from the start
    for (int i = 0; i < 8 * 3600 * 100; ++i) {
      const Op op = stream.ops.next();
      files += op.kind == OpKind::create ? 1 : op.kind == OpKind::unlink || op.replacing ? -1 : 0;
      dirs += op.kind == OpKind::mkdir ? 1 : op.kind == OpKind::rmdir ? -1 : 0;
      if (i % 100 != 0) continue;
      ++looks;
      sum += files, squares += files * files, dir_sum += dirs, dir_squares += dirs * dirs;
    }
    const auto deviation = [&](double total, double of_squares) {
      return std::sqrt(of_squares / looks - total / looks * total / looks);
    };
    EXPECT_LT(deviation(sum, squares), 0.1 * 1200) << name;
    EXPECT_LT(std::abs(sum / looks), 0.02 * 1200) << name;
    EXPECT_LT(std::abs(files), 0.1 * 1200) << name;
    EXPECT_LT(deviation(dir_sum, dir_squares), 0.1 * 16) << name;
  }
}

TEST(OpStream, APopulationReturnsAlsoWhereUnlinksHaveNoDataFileToRemove) {
  ProcSpec spec = kind_of("eda_functional_churn");
  spec.weights[static_cast<std::size_t>(OpKind::write_file)] = 0;  // would make data files again
  spec.unlink_nonempty_percent = 50;
  Stream stream(spec);
  double files = 0, farthest = 0;  // away from the start
  for (int i = 0; i < 1'000'000; ++i) {
    const Op op = stream.ops.next();
    files += op.kind == OpKind::create ? 1 : op.kind == OpKind::unlink ? -1 : 0;
    farthest = std::max(farthest, std::abs(files));
  }
  EXPECT_LT(farthest, 0.1 * 1200);
}

TEST(OpStream, APopulationThatReturnsKeepsTheSharesOfItsMixExactly) {
  Stream stream(kind_of("eda_functional_churn"));
  constexpr int count = 3'000'000;
  std::array<int, op_kind_count> seen{};
  for (int i = 0; i < count; ++i) ++seen[static_cast<std::size_t>(stream.ops.next().kind)];
  const auto share = [&](OpKind kind) { return 100.0 * seen[static_cast<std::size_t>(kind)] / count; };
  // Four standard errors of what a mix draws.
  for (const OpKind kind : {OpKind::create, OpKind::unlink, OpKind::rename}) EXPECT_NEAR(share(kind), 8, 0.065);
  for (const OpKind kind : {OpKind::mkdir, OpKind::rmdir}) EXPECT_NEAR(share(kind), 0.5, 0.017);
}

TEST(OpStream, AReplacingRenameMovesAWrittenFileOverADataFileThatIsNeverAway) {
  for (const bool any_size : {false, true}) {
    ProcSpec spec = kind_of("eda_functional");
    if (any_size) spec.dataset.file_size = SizeDistribution::uniform(1, 64 * KiB);
    Stream stream(spec);
    testing::ModelFs fs(stream.files);
    int replaced = 0;
    for (int i = 0; i < 200'000; ++i) {
      const Op op = stream.ops.next();
      if (op.kind == OpKind::rename) {
        ++replaced;
        ASSERT_TRUE(op.replacing);
        ASSERT_EQ(op.other.cls, NameClass::data);
        ASSERT_EQ(fs.size_of(op.name), stream.files.file_size(op.other.index));
        ASSERT_TRUE(fs.exists(op.other));
      }
      ASSERT_EQ(fs.apply(op), "") << i;
    }
    EXPECT_NEAR(replaced, 2000, 180);
  }
}

TEST(OpStream, ReplacementsThatHoldTheNamesOfAllEmptyFilesAreEnded) {
  ProcSpec spec = everything();
  spec.weights.fill(0);
  for (const OpKind kind : {OpKind::create, OpKind::rename}) spec.weights[static_cast<std::size_t>(kind)] = 10;
  spec.weights[static_cast<std::size_t>(OpKind::write_file)] = 1;
  spec.dataset.data_files = 200;
  spec.dataset.empty_files = 2;
  spec.rename_over_percent = 100;
  spec.rename_across_percent = 0;
  Stream stream(spec);
  testing::ModelFs fs(stream.files);
  int replaced = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Op op = stream.ops.next();
    replaced += op.replacing && op.other.cls == NameClass::data ? 1 : 0;
    ASSERT_EQ(fs.apply(op), "") << i;
  }
  EXPECT_GT(replaced, 500);
}

TEST(OpStream, CreatedFilesAreLaterStattedRenamedAndUnlinked) {
  Stream stream(kind_of("eda_functional_churn"));
  std::set<std::uint64_t> created;
  int statted = 0, renamed = 0, unlinked = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Op op = stream.ops.next();
    const bool known = op.name.cls == NameClass::empty && created.contains(op.name.index);
    if (op.kind == OpKind::create) created.insert(op.name.index);
    else if (known && op.kind == OpKind::stat) ++statted;
    else if (known && op.kind == OpKind::rename) ++renamed;
    else if (known && op.kind == OpKind::unlink) ++unlinked;
  }
  EXPECT_GT(statted, 1000);
  EXPECT_GT(renamed, 1000);
  EXPECT_GT(unlinked, 1000);
}

TEST(OpStream, RenamesStayInTheirDirectoryCrossOrReplaceAsTold) {
  ProcSpec spec = everything();
  spec.weights.fill(0);
  for (const OpKind kind : {OpKind::rename, OpKind::create}) spec.weights[static_cast<std::size_t>(kind)] = 1;
  spec.dataset.empty_files = 1000;
  spec.rename_across_percent = 25;
  spec.rename_over_percent = 50;
  Stream stream(spec);
  const NameWriter names(spec.dataset);
  int renames = 0, over = 0, same = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Op op = stream.ops.next();
    if (op.kind != OpKind::rename) continue;
    ++renames;
    over += op.replacing ? 1 : 0;
    same += !op.replacing && names.directory_of(op.name) == names.directory_of(op.other) ? 1 : 0;
  }
  EXPECT_NEAR(100.0 * over / renames, 50, 2);
  // A quarter is to cross; one in seven of those meets its own directory by chance.
  EXPECT_NEAR(100.0 * same / renames, 25 + 25.0 / 7, 2);
}

TEST(OpStream, WritesAreCommittedAndOpenedDirectAsOftenAsTold) {
  Stream stream(kind_of("eda_physical"));
  int writes = 0, commits = 0, opens = 0, direct = 0, sync = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Op op = stream.ops.next();
    if (op.kind == OpKind::write_seq) ++writes, commits += op.commit ? 1 : 0;
    if (op.kind == OpKind::open && op.writing) ++opens, direct += op.direct ? 1 : 0, sync += op.sync ? 1 : 0;
    if (op.direct && op.kind == OpKind::write_seq) ASSERT_EQ((op.offset | op.length) % 4096, 0);
  }
  EXPECT_NEAR(100.0 * commits / writes, 15, 1);
  EXPECT_NEAR(100.0 * direct / opens, 50, 1);
  EXPECT_NEAR(100.0 * sync / opens, 5, 0.6);
}

TEST(OpStream, TheBlendMovesThePublishedBytesPerOp) {
  const WorkloadSpec mixed = load_workload("eda_mixed");
  double bytes = 0, ops = 0;
  for (const ProcSpec& kind : mixed.proc_kinds) {
    Stream stream(kind);
    double moved = 0;
    constexpr int count = 200'000;
    for (int i = 0; i < count; ++i) {
      const Op op = stream.ops.next();
      if (op.kind != OpKind::chmod) moved += static_cast<double>(op.length);
    }
    bytes += moved / count * kind.ops_per_sec * kind.procs_per_job_set;
    ops += kind.ops_per_sec * kind.procs_per_job_set;
  }
  EXPECT_DOUBLE_EQ(ops, 450);
  EXPECT_NEAR(bytes / ops / KiB, 16.13, 0.03 * 16.13);
}

TEST(OpStream, SkewFavoursFewFiles) {
  ProcSpec spec = everything();
  spec.weights.fill(0);
  spec.weights[static_cast<std::size_t>(OpKind::read_file)] = 1;
  spec.dataset.data_files = 1024;
  spec.skewed_percent = 100;
  Stream stream(spec);
  int first_half = 0, first_eighth = 0;
  for (int i = 0; i < 100'000; ++i) {
    const auto file = stream.ops.next().name.index;
    first_half += file < 512 ? 1 : 0;
    first_eighth += file < 128 ? 1 : 0;
  }
  EXPECT_NEAR(first_half, 75'000, 1500);    // 1/2 + half of 1/2
  EXPECT_NEAR(first_eighth, 31'250, 1500);  // 1/8 + 1/8/2... : sum of min(1, 2^k/8)/2^(k+1)
}

TEST(OpStream, TheFirstOpsOfManyProcsHaveTheSharesOfTheMix) {
  const ProcSpec spec = kind_of("eda_physical");
  const OpMix mix(spec.weights);
  const FilePopulation files(spec, spec.dataset, 1);
  for (const int ops : {1, 3}) {
    std::map<OpKind, int> counts;
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
      OpStream stream(spec, mix, files, seed);
      for (int i = 0; i < ops; ++i) ++counts[stream.next().kind];
    }
    for (const OpKind kind : {OpKind::open, OpKind::close, OpKind::read_seq, OpKind::write_seq})
      EXPECT_NEAR(counts[kind] / (1e4 * ops), mix.weight(kind) / 100, 0.02) << to_string(kind) << " of " << ops;
  }
}

TEST(OpStream, AFailedOpLeavesTheModelAsItWas) {
  Stream stream(everything());
  testing::ModelFs fs(stream.files);
  Random random(3);
  for (int i = 0; i < 100'000; ++i) {
    const Op op = stream.ops.next();
    const bool refuses = random.below(10) == 0 && op.kind != OpKind::close;
    if (refuses) {
      stream.ops.failed(op);
      continue;
    }
    ASSERT_EQ(fs.apply(op), "") << "op " << i << " " << to_string(op.kind);
  }
}

TEST(OpStream, AFailedWriteOfTheOnlyDataFileLeavesItToTheOtherOps) {
  ProcSpec spec = everything();
  spec.weights.fill(0);
  for (const OpKind kind : {OpKind::read_file, OpKind::write_file}) spec.weights[static_cast<std::size_t>(kind)] = 1;
  spec.dataset.data_files = 1;
  Stream stream(spec);
  int reads = 0;
  for (int i = 0; i < 100; ++i) {
    const Op op = stream.ops.next();
    ASSERT_EQ(op.name.index, 0u);
    if (op.kind == OpKind::write_file) stream.ops.failed(op);
    else ++reads;
  }
  EXPECT_GT(reads, 20);
}

TEST(OpStream, AMillionEmptyFilesTakeNoMemoryPerFile) {
  ProcSpec spec = kind_of("eda_functional");
  spec.dataset.empty_files = 1'000'000;
  Stream stream(spec);
  const NameWriter names(spec.dataset);
  std::uint64_t highest = 0;
  for (int i = 0; i < 200'000; ++i) {
    const Op op = stream.ops.next();
    if (op.name.cls == NameClass::empty && op.kind == OpKind::stat) highest = std::max(highest, op.name.index);
    if (op.kind == OpKind::unlink && op.name.cls == NameClass::empty)
      ASSERT_TRUE(op.name.index < 65'536 || op.name.index >= 1'000'000);  // only names of the pool are removed
  }
  EXPECT_GT(highest, 900'000u);
}

}  // namespace
}  // namespace edagen
