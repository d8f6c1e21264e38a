#include "target/posix_target.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "dataset/dataset_builder.hpp"
#include "support/bind_mount.hpp"
#include "support/quiet_watch.hpp"
#include "support/temporary_directory.hpp"
#include "workload/op_stream.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

/// One proc with every op kind on a real directory.
class PosixTargetTest : public ::testing::Test {
 protected:
  PosixTargetTest() {
    ProcSpec spec;
    spec.name = "all";
    spec.procs_per_job_set = 1;
    spec.weights.fill(1);
    spec.dataset.data_files = 20;
    spec.dataset.empty_files = 20;
    spec.dataset.directories = 4;
    spec.direct_percent = 20;
    spec.sync_percent = 10;
    spec.commit_percent = 20;
    spec.rename_over_percent = 30;
    spec.rename_across_percent = 30;
    spec.unlink_nonempty_percent = 30;
    workload_.name = "all";
    workload_.proc_kinds.push_back(spec);
    DatasetScale scale;
    scale.factor = 1;
    plan_ = plan_dataset(workload_, 1, 1, {0}, 1, scale);
    dataset_ = std::make_unique<DatasetBuilder>(plan_, std::vector<DatasetPlace>{{mount_.path(), "v"}}, false);
    dataset_->build(2, {}, watch_, [](const BuildProgress&) {});
    const DatasetRoot& root = dataset_->roots().front();
    target_ = std::make_unique<PosixTarget>(
        std::vector<ProcPlace>{{mount_.path(), root.path(), root.descriptor(), "c0000/p00", &workload_.proc_kinds[0],
                                plan_.procs[0].files, direct_io_block(mount_.path()).has_value()}});
    worker_ = target_->make_worker();
  }

  static Op op(OpKind kind, NameRef name = {}, NameRef other = {}, Bytes length = 0, Bytes offset = 0) {
    Op made;
    made.kind = kind;
    made.name = name;
    made.other = other;
    made.length = length;
    made.offset = offset;
    return made;
  }
  OpResult carry_out(const Op& made) { return worker_->carry_out(0, made); }
  bool there(const std::string& path) const { return fs::exists(fs::symlink_status(directory_ + "/" + path)); }

  testing::TemporaryDirectory mount_;
  std::string directory_ = mount_ / "edagen.data/c0000/p00";
  WorkloadSpec workload_;
  DatasetPlan plan_;
  testing::QuietWatch watch_;
  std::unique_ptr<DatasetBuilder> dataset_;
  std::unique_ptr<PosixTarget> target_;
  std::unique_ptr<TargetWorker> worker_;
};

constexpr NameRef data{NameClass::data, 3}, fresh{NameClass::empty, 100}, old{NameClass::empty, 2};

TEST_F(PosixTargetTest, NamesAreMadeMovedAndRemoved) {
  EXPECT_EQ(carry_out(op(OpKind::create, fresh)).error, 0);
  EXPECT_TRUE(there("d000/e000100"));
  EXPECT_EQ(carry_out(op(OpKind::create, fresh)).error, EEXIST);
  EXPECT_EQ(carry_out(op(OpKind::rename, fresh, {NameClass::empty, 101})).error, 0);
  EXPECT_TRUE(there("d001/e000101"));
  EXPECT_EQ(carry_out(op(OpKind::unlink, {NameClass::empty, 101})).error, 0);
  EXPECT_FALSE(there("d001/e000101"));
  EXPECT_EQ(carry_out(op(OpKind::unlink, {NameClass::empty, 101})).error, ENOENT);
  EXPECT_EQ(carry_out(op(OpKind::mkdir, {NameClass::made_dir, 50})).error, 0);
  EXPECT_TRUE(there("d002/m000050"));
  EXPECT_EQ(carry_out(op(OpKind::rmdir, {NameClass::made_dir, 50})).error, 0);
  EXPECT_EQ(carry_out(op(OpKind::symlink, {NameClass::symlink, 30}, {NameClass::data, 10})).error, 0);
  EXPECT_EQ(fs::read_symlink(directory_ + "/d002/s000030"), "f000010");
  EXPECT_EQ(carry_out(op(OpKind::readlink, {NameClass::symlink, 30})).error, 0);
  EXPECT_EQ(carry_out(op(OpKind::link, {NameClass::hard_link, 30}, {NameClass::data, 10})).error, 0);
  EXPECT_EQ(fs::hard_link_count(directory_ + "/d002/l000030"), 3u);  // the file, l000010 and this
}

TEST_F(PosixTargetTest, WholeFilesAreReadToTheEndAndRewritten) {
  EXPECT_EQ(carry_out(op(OpKind::read_file, data, {}, 16 * KiB)).bytes_read, 16 * KiB);
  EXPECT_EQ(carry_out(op(OpKind::read_file, data, {}, 17 * KiB)).error, short_read_error);
  EXPECT_EQ(carry_out(op(OpKind::write_file, data, {}, 300 * KiB)).bytes_written, 300 * KiB);
  EXPECT_EQ(fs::file_size(directory_ + "/d003/f000003"), 300u * KiB);
  const OpResult copied = carry_out(op(OpKind::copyfile, data, old, 300 * KiB));
  EXPECT_EQ(copied.bytes_read + copied.bytes_written, 600 * KiB);
  EXPECT_EQ(fs::file_size(directory_ + "/d002/e000002"), 300u * KiB);
}

TEST_F(PosixTargetTest, PositionedIoMovesTheBytesAskedForAndLeavesTheSize) {
  for (const OpKind kind : {OpKind::read_rand, OpKind::read_seq, OpKind::mmap_read}) {
    const OpResult result = carry_out(op(kind, data, {}, 5000, 4096));
    EXPECT_EQ(result.error, 0) << to_string(kind);
    EXPECT_EQ(result.bytes_read, 5000) << to_string(kind);
    EXPECT_EQ(result.bytes_written, 0);
  }
  for (const OpKind kind : {OpKind::write_rand, OpKind::write_seq, OpKind::mmap_write}) {
    Op write = op(kind, data, {}, 5000, 4096);
    write.commit = true;
    EXPECT_EQ(carry_out(write).bytes_written, 5000) << to_string(kind);
  }
  const OpResult both = carry_out(op(OpKind::rmw, data, {}, 100, 0));
  EXPECT_EQ(both.bytes_read + both.bytes_written, 200);
  EXPECT_EQ(fs::file_size(directory_ + "/d003/f000003"), 16u * KiB);
  EXPECT_EQ(carry_out(op(OpKind::read_rand, data, {}, 100, 16 * KiB)).error, short_read_error);
}

TEST_F(PosixTargetTest, AppendsGrowAFileAndTruncateCutsIt) {
  Op append = op(OpKind::write_append, old, {}, 100);
  EXPECT_EQ(carry_out(append).bytes_written, 100);
  EXPECT_EQ(carry_out(append).error, 0);
  EXPECT_EQ(fs::file_size(directory_ + "/d002/e000002"), 200u);
  append.truncating = true;
  EXPECT_EQ(carry_out(append).error, 0);
  EXPECT_EQ(fs::file_size(directory_ + "/d002/e000002"), 100u);
  EXPECT_EQ(carry_out(op(OpKind::truncate, old, {}, 7)).error, 0);
  EXPECT_EQ(fs::file_size(directory_ + "/d002/e000002"), 7u);
}

TEST_F(PosixTargetTest, ASessionIsOpenTransferClose) {
  Op open = op(OpKind::open, data);
  open.writing = true;
  EXPECT_EQ(carry_out(open).error, 0);
  EXPECT_EQ(carry_out(op(OpKind::write_seq, data, {}, 4096)).bytes_written, 4096);
  Op close = op(OpKind::close, data);
  close.writing = true;
  EXPECT_EQ(carry_out(close).error, 0);
}

TEST_F(PosixTargetTest, AProcThatBeginsWithACloseOpensTheFileFirst) {
  EXPECT_EQ(carry_out(op(OpKind::close, data)).error, 0);
  fs::remove(directory_ + "/d003/f000003");
  EXPECT_EQ(carry_out(op(OpKind::close, data)).error, ENOENT);
}

TEST_F(PosixTargetTest, AMappingBeyondTheFileIsReportedNotFatal) {
  fs::resize_file(directory_ + "/d003/f000003", 0);
  EXPECT_EQ(carry_out(op(OpKind::mmap_read, data, {}, 4096)).error, bus_error);
  EXPECT_EQ(carry_out(op(OpKind::mmap_write, data, {}, 4096)).error, bus_error);
  EXPECT_EQ(carry_out(op(OpKind::mmap_read, {NameClass::data, 4}, {}, 4096)).error, 0);
}

TEST_F(PosixTargetTest, EveryOpOfAMixOfAllKindsSucceedsOnARealFileSystem) {
  const OpMix mix(workload_.proc_kinds[0].weights);
  OpStream stream(workload_.proc_kinds[0], mix, plan_.procs[0].files, 1);
  for (int i = 0; i < 20'000; ++i) {
    const Op made = stream.next();
    const OpResult result = carry_out(made);
    ASSERT_EQ(result.error, 0) << "op " << i << ": " << to_string(made.kind) << " " << target_->describe(0, made) << " "
                               << error_name(result.error);
  }
}

TEST_F(PosixTargetTest, AModeIsNotChangedThroughALinkOrABindMount) {
  const testing::TemporaryDirectory other;
  const std::string precious = other.write("precious", "x"), file = directory_ + "/d003/f000003";
  ::chmod(precious.c_str(), 0600);
  const auto mode = [](const std::string& path) { return fs::status(path).permissions(); };
  EXPECT_EQ(carry_out(op(OpKind::chmod, data, {}, 0640)).error, 0);
  EXPECT_EQ(mode(file), fs::perms(0640));
  {
    const testing::BindMount bound(precious, file);
    if (bound.mounted()) EXPECT_EQ(carry_out(op(OpKind::chmod, data, {}, 0644)).error, EXDEV);
  }
  fs::remove(file);
  fs::create_symlink(precious, file);
  EXPECT_EQ(carry_out(op(OpKind::chmod, data, {}, 0644)).error, ELOOP);
  EXPECT_EQ(mode(precious), fs::perms(0600));
}

TEST(ThreadsOfQueue, AreAllWorkersForTheQueuesThatThereAre) {
  EXPECT_EQ(threads_of_queue(4096, 1, 128), 4096u);  // one proc at depth keeps its depth on any number of processors
  EXPECT_EQ(threads_of_queue(4096, 4, 128), 1024u);
  EXPECT_EQ(threads_of_queue(4096, 1000, 128), 32u);
  EXPECT_EQ(threads_of_queue(4096, 0, 128), 4096u);
  EXPECT_EQ(threads_of_queue(4, 1000, 128), 1u);
  EXPECT_EQ(threads_of_queue(8, 2, 0), 8u);  // the number of processors is not known
}

TEST_F(PosixTargetTest, AnOpIsDescribedByItsPathAndMount) {
  EXPECT_EQ(target_->describe(0, op(OpKind::stat, data)), directory_ + "/d003/f000003 (mount " + mount_.path() + ")");
}

}  // namespace
}  // namespace edagen
