// The queues of PosixTarget on a real directory: by io_uring and by threads they do the same.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/statfs.h>

#include <array>

#include "dataset/dataset_builder.hpp"
#include "edagen/error.hpp"
#include "support/quiet_watch.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"
#include "support/uring_faults.hpp"
#include "target/posix_target.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr unsigned depth = 128;

class QueueTest : public ::testing::TestWithParam<QueueEngine> {
 protected:
  void SetUp() override {
    if (GetParam() == QueueEngine::io_uring && !io_uring_refusal().empty())
      EDAGEN_SKIP("io_uring: " + io_uring_refusal());
    make({});
  }
  void make(IoSpec io) {
    queue_.reset();
    target_.reset();
    ProcSpec spec;
    spec.name = "queued";
    spec.procs_per_job_set = 1;
    for (const OpKind kind :
         {OpKind::read_rand, OpKind::write_rand, OpKind::read_seq, OpKind::write_seq, OpKind::open, OpKind::close})
      spec.weights[static_cast<std::size_t>(kind)] = 1;
    spec.dataset.data_files = 200;
    spec.dataset.file_size = SizeDistribution::fixed(64 * KiB);
    spec.read_size = spec.write_size = SizeDistribution::fixed(16 * KiB);
    spec.io = io;
    spec.io.depth = depth;
    workload_ = {};
    workload_.name = "queued";
    workload_.proc_kinds.push_back(spec);
    DatasetScale scale;
    scale.factor = 1;
    plan_ = plan_dataset(workload_, 1, 1, {0}, 1, scale);
    dataset_.reset();
    dataset_ = std::make_unique<DatasetBuilder>(plan_, std::vector<DatasetPlace>{{mount_.path(), "v"}}, true);
    dataset_->build(2, {}, watch_, [](const BuildProgress&) {});
    const DatasetRoot& root = dataset_->roots().front();
    target_ = std::make_unique<PosixTarget>(
        std::vector<ProcPlace>{{mount_.path(), root.path(), root.descriptor(), "c0000/p00", &workload_.proc_kinds[0],
                                plan_.procs[0].files, direct_io_block(mount_.path()).has_value()}},
        GetParam(), 4096, 16);
    queue_ = target_->make_queue({{0, depth}});
  }

  static Op op(OpKind kind, std::uint64_t file, Bytes offset = 0, Bytes length = 8 * KiB) {
    Op made;
    made.kind = kind;
    made.name = {NameClass::data, file};
    made.offset = offset;
    made.length = length;
    return made;
  }
  /// All at once; results by place.
  std::vector<OpResult> carry_out(const std::vector<Op>& ops) {
    std::vector<OpResult> results(ops.size());
    for (std::uint32_t i = 0; i < ops.size(); ++i) queue_->begin(i, 0, ops[i]);
    std::size_t missing = ops.size();
    const TimePoint deadline = now() + 30s;
    std::array<TargetQueue::Completion, 16> done;
    while (missing > 0 && now() < deadline) {
      const std::size_t count = queue_->complete(done, 100ms);
      for (std::size_t i = 0; i < count; ++i) results[done[i].slot] = done[i].result;
      missing -= count;
    }
    EXPECT_EQ(missing, 0u);
    return results;
  }
  OpResult carry_out(const Op& one) { return carry_out(std::vector{one}).front(); }
  std::string path(std::uint64_t file) const {
    return directory_ + "/" + NameWriter(workload_.proc_kinds[0].dataset).path({NameClass::data, file});
  }
  std::string content(std::uint64_t file) const { return testing::text_of(path(file)); }
  static std::size_t open_descriptors() {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()));
  }

  testing::TemporaryDirectory mount_;
  std::string directory_ = mount_ / "edagen.data/c0000/p00";
  WorkloadSpec workload_;
  DatasetPlan plan_;
  testing::QuietWatch watch_;
  std::unique_ptr<DatasetBuilder> dataset_;
  std::unique_ptr<PosixTarget> target_;
  std::unique_ptr<TargetQueue> queue_;
};

TEST_P(QueueTest, MovesTheBytesOfManyOpsAtOnce) {
  std::vector<Op> ops;
  for (unsigned i = 0; i < depth; ++i)
    ops.push_back(op(i % 2 == 0 ? OpKind::read_rand : OpKind::write_rand, i % 5, i % 8 * 8 * KiB));
  for (const OpResult& result : carry_out(ops)) {
    EXPECT_EQ(result.error, 0) << error_name(result.error);
    EXPECT_EQ(result.bytes_read + result.bytes_written, 8 * KiB);
  }
}

TEST_P(QueueTest, WritesChangeTheFileWhereTheyShouldAndNowhereElse) {
  const std::string before = content(7);
  EXPECT_EQ(carry_out(op(OpKind::write_rand, 7, 16 * KiB, 8 * KiB)).bytes_written, 8 * KiB);
  const std::string after = content(7);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after.substr(0, 16 * KiB), before.substr(0, 16 * KiB));
  EXPECT_NE(after.substr(16 * KiB, 8 * KiB), before.substr(16 * KiB, 8 * KiB));
  EXPECT_EQ(after.substr(24 * KiB), before.substr(24 * KiB));
}

TEST_P(QueueTest, MoreFilesThanStayOpenAreOpenedAndClosedInTurn) {
  const std::size_t before = open_descriptors();
  for (int round = 0; round < 4; ++round) {
    std::vector<Op> ops;
    for (std::uint64_t file = 0; file < 100; ++file)
      ops.push_back(op(OpKind::read_rand, (file * 7 + static_cast<std::uint64_t>(round) * 50) % 200));
    for (const OpResult& result : carry_out(ops)) EXPECT_EQ(result.error, 0) << error_name(result.error);
  }
  queue_.reset();
  EXPECT_LE(open_descriptors(), before + 2);
}

TEST_P(QueueTest, AFileIsOpenedOnceHoweverManyOpsBeginOnItAtOnce) {
  const std::size_t before = open_descriptors();
  for (const OpResult& result : carry_out(std::vector<Op>(depth, op(OpKind::read_rand, 11))))
    EXPECT_EQ(result.error, 0) << error_name(result.error);
  EXPECT_LE(open_descriptors(), before + 1);
  fs::remove(path(12));
  for (const OpResult& result : carry_out(std::vector<Op>(depth, op(OpKind::read_rand, 12))))
    EXPECT_EQ(result.error, ENOENT) << error_name(result.error);
}

TEST_P(QueueTest, SessionsOpenTransferAndClose) {
  for (const bool writing : {false, true}) {
    Op open = op(OpKind::open, 3), close = op(OpKind::close, 3);
    open.writing = close.writing = writing;
    EXPECT_EQ(carry_out(open).error, 0);
    const OpKind kind = writing ? OpKind::write_seq : OpKind::read_seq;
    for (const OpResult& result : carry_out({op(kind, 3, 0, 16 * KiB), op(kind, 3, 16 * KiB, 16 * KiB)}))
      EXPECT_EQ(result.bytes_read + result.bytes_written, 16 * KiB);
    EXPECT_EQ(carry_out(close).error, 0);
  }
  Op close = op(OpKind::close, 4);
  EXPECT_EQ(carry_out(close).error, 0) << "a close whose open another load point has made, or none";
  fs::remove(path(4));
  EXPECT_EQ(carry_out(close).error, ENOENT) << "it opens the file first";
}

TEST_P(QueueTest, ErrorsAreThoseOfTheFileSystem) {
  fs::remove(path(9));
  EXPECT_EQ(carry_out(op(OpKind::read_rand, 9)).error, ENOENT);
  Op open = op(OpKind::open, 9);
  EXPECT_EQ(carry_out(open).error, ENOENT);
  fs::resize_file(path(10), 12 * KiB);
  const OpResult cut = carry_out(op(OpKind::read_rand, 10, 8 * KiB, 8 * KiB));
  EXPECT_EQ(cut.error, short_read_error);
  EXPECT_EQ(cut.bytes_read, 4 * KiB);
}

TEST_P(QueueTest, AShortReadInTheMiddleIsReadOn) {
  EXPECT_EQ(carry_out(op(OpKind::read_rand, 11, 60 * KiB, 4 * KiB)).bytes_read, 4 * KiB);
  EXPECT_EQ(carry_out(op(OpKind::read_rand, 11, 60 * KiB, 8 * KiB)).error, short_read_error);
}

TEST_P(QueueTest, CommitsSyncsAndClosesThatSyncSucceed) {
  make({.fsync = FsyncWhen::close});
  Op committed = op(OpKind::write_rand, 12);
  committed.commit = true;
  EXPECT_EQ(carry_out(committed).error, 0);
  EXPECT_EQ(carry_out(op(OpKind::fsync, 12)).error, 0);
  Op open = op(OpKind::open, 13), close = op(OpKind::close, 13);
  open.writing = close.writing = true;
  EXPECT_EQ(carry_out(open).error, 0);
  EXPECT_EQ(carry_out(op(OpKind::write_seq, 13)).error, 0);
  EXPECT_EQ(carry_out(close).error, 0);
}

TEST_P(QueueTest, DirectIoGoesThroughDescriptorsOpenedForIt) {
  if (!direct_io_block(mount_.path())) EDAGEN_SKIP("no O_DIRECT in " + mount_.path());
  make({.direct = true});
  std::vector<Op> ops;
  for (unsigned i = 0; i < 64; ++i) {
    ops.push_back(op(i % 2 == 0 ? OpKind::read_rand : OpKind::write_rand, i % 3, i % 8 * 8 * KiB));
    ops.back().direct = true;
  }
  for (const OpResult& result : carry_out(ops)) EXPECT_EQ(result.error, 0) << error_name(result.error);
  Op odd = op(OpKind::read_rand, 0, 100, 8 * KiB);  // the file system refuses what is not aligned: so it is O_DIRECT
  odd.direct = true;
  struct statfs info {};
  ::statfs(mount_.path().c_str(), &info);
  constexpr auto ext4 = 0xEF53;
  if (info.f_type == ext4) EXPECT_EQ(carry_out(odd).error, EINVAL);
}

TEST_P(QueueTest, WhatHasEndedMeanwhileIsSeenWithoutWaiting) {
  // A sync does not end in the call that begins it.
  queue_->begin(0, 0, op(OpKind::fsync, 14));
  std::array<TargetQueue::Completion, 1> done;
  std::size_t seen = 0;
  for (const TimePoint deadline = now() + 30s; seen == 0 && now() < deadline;) seen = queue_->complete(done, 0ns);
  EXPECT_EQ(seen, 1u);
  EXPECT_EQ(done[0].result.error, 0) << error_name(done[0].result.error);
}

TEST_P(QueueTest, WaitsNoLongerThanAskedWhenNothingEnds) {
  std::array<TargetQueue::Completion, 1> done;
  const TimePoint start = now();
  EXPECT_EQ(queue_->complete(done, 30ms), 0u);
  EXPECT_GE(now() - start, 29ms);
  EXPECT_EQ(queue_->complete(done, 0ms), 0u);
  EXPECT_EQ(queue_->complete(done, -1ns), 0u);
}

TEST_P(QueueTest, SyncAndDroppedCachesLeaveTheDataAsItIs) {
  carry_out(op(OpKind::write_rand, 20));
  const std::string before = content(20);
  EXPECT_TRUE(target_->sync().empty());
  target_->drop_caches();
  EXPECT_EQ(content(20), before);
}

/// On a ring that the kernel does not take requests from.
class RefusedRing : public QueueTest {
 protected:
  static std::vector<Op> many() {
    std::vector<Op> ops;
    for (unsigned i = 0; i < depth; ++i) ops.push_back(op(i % 2 == 0 ? OpKind::read_rand : OpKind::write_rand, i));
    return ops;
  }
};

TEST_P(RefusedRing, IsAskedAgainWhenTheRefusalPasses) {
  for (const int error : {EAGAIN, EBUSY, EINTR}) {
    const testing::UringFaults faults(error, 200);
    for (const OpResult& result : carry_out(many())) {
      EXPECT_EQ(result.error, 0) << error_name(result.error);
      EXPECT_EQ(result.bytes_read + result.bytes_written, 8 * KiB);
    }
    EXPECT_EQ(faults.refused(), 200);
  }
}

TEST_P(RefusedRing, OpsWaitForTheFileThatTheFirstOfThemOpensLate) {
  const testing::UringFaults faults(EAGAIN, depth);
  fs::remove(path(12));
  std::vector<Op> ops(depth, op(OpKind::read_rand, 11));
  for (std::size_t i = 0; i < ops.size(); i += 2) ops[i].name.index = 12;
  const std::vector<OpResult> results = carry_out(ops);
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_EQ(results[i].error, i % 2 == 0 ? ENOENT : 0) << i;
}

TEST_P(RefusedRing, EndsAllOpsWithTheErrorOfARefusalForGood) {
  std::array<TargetQueue::Completion, depth> done;
  {
    const testing::UringFaults faults(EPERM, testing::UringFaults::all);
    for (const OpResult& result : carry_out(many())) EXPECT_EQ(result.error, EPERM) << error_name(result.error);
    for (const OpResult& result : carry_out(many())) EXPECT_EQ(result.error, EPERM) << "the next ones, too";
  }
  EXPECT_EQ(queue_->complete(done, 10ms), 0u) << "each op ends once";
}

TEST_P(RefusedRing, OfFewEntriesTakesMoreRequestsAsSoonAsItCan) {
  const testing::UringFaults faults(EAGAIN, 2 * depth, 4);
  queue_ = target_->make_queue({{0, depth}});
  for (const OpResult& result : carry_out(many())) EXPECT_EQ(result.error, 0) << error_name(result.error);
}

TEST_P(RefusedRing, OfFewEntriesEndsOpsThatWaitForRoomToo) {
  const testing::UringFaults faults(EPERM, testing::UringFaults::all, 4);
  queue_ = target_->make_queue({{0, depth}});
  for (const OpResult& result : carry_out(many())) EXPECT_EQ(result.error, EPERM) << error_name(result.error);
}

INSTANTIATE_TEST_SUITE_P(Engines, RefusedRing, ::testing::Values(QueueEngine::io_uring),
                         [](const auto&) { return "io_uring"; });

INSTANTIATE_TEST_SUITE_P(Engines, QueueTest, ::testing::Values(QueueEngine::io_uring, QueueEngine::threads),
                         [](const auto& param) {
                           return param.param == QueueEngine::io_uring ? "io_uring" : "threads";
                         });

TEST(QueueBuffers, NoMemoryForWritesIsSaidNotFound) {
  // 1,024 x 64 MiB for each of 10,000 procs is beyond any address space.
  ProcSpec spec;
  spec.weights[static_cast<std::size_t>(OpKind::write_seq)] = 1;
  spec.write_size = SizeDistribution::fixed(64 * MiB);
  spec.dataset.data_files = 1;
  const testing::TemporaryDirectory mount;
  PosixTarget target({{mount.path(), mount.path(), -1, "", &spec, FilePopulation(spec, spec.dataset, 1), true}});
  EXPECT_THROW(static_cast<void>(target.make_queue({{0, 4'000'000'000u}})), Error);
}

}  // namespace
}  // namespace edagen
