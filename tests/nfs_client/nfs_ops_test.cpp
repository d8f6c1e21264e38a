// Each kind of op is the RPCs that a Linux client of NFSv3 sends for it.
#include <thread>

#include "nfs_client/nfs_site.hpp"

namespace edagen::testing {
namespace {

/// Looks names of the first directory up, so that ops do not begin with that.
void look_around(NfsSite& site) {
  for (const NameRef name : {data_file, empty_file, NameRef{NameClass::symlink, 0}, NameRef{NameClass::data, 2}})
    site.run(op_of(OpKind::stat, name));
}

/// From the dataset's directory to a proc's first one. A directory may be searched by who has access to it.
const std::string way = "ACCESS LOOKUP ACCESS LOOKUP ACCESS LOOKUP ACCESS ";

TEST(NfsOps, AFirstStatLooksUpTheWayFromTheDatasetsDirectory) {
  NfsSite site;
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), way + "LOOKUP");       // c0000 p00 d000 f000000
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, {NameClass::data, 2})), "LOOKUP");  // of the same directory
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, {NameClass::data, 1})), "LOOKUP ACCESS LOOKUP");
}

TEST(NfsOps, DirectoriesOfSeveralLevelsAreLookedUpOnce) {
  ProcSpec spec = NfsSite::small_kind();
  spec.dataset.directories = 4;
  spec.dataset.depth = 2;
  NfsSite site(spec);
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), way + "LOOKUP ACCESS LOOKUP");
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, {NameClass::data, 1})), "LOOKUP ACCESS LOOKUP");                // d000/d001
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, {NameClass::data, 2})), "LOOKUP ACCESS LOOKUP ACCESS LOOKUP");  // d001/d000
}

/// As with shared_files: the files of one proc lie in its client's directory, those of another in another client's.
TEST(NfsOps, ProcsOfAClientMayLieInDirectoriesOfSeveralClients) {
  NfsSite site(NfsSite::small_kind(), 2);
  site.places[1].client = 0;
  site.target = std::make_unique<NfsTarget>(std::vector{site.nfs_server()}, site.places, site.options);
  site.queue = site.target->make_queue({{0, 1}, {1, 1}});
  site.run(op_of(OpKind::stat, data_file));
  const NameRef made{NameClass::empty, 8};
  site.queue->begin(1, 1, op_of(OpKind::create, made));
  EXPECT_EQ(site.wait().error, 0);
  EXPECT_FALSE(site.server.exists(site.path(made)));
  EXPECT_TRUE(site.server.exists(site.places[1].directory + "/" + NameWriter(site.spec.dataset).path(made)));
}

TEST(NfsOps, OpsOnKnownNames) {
  NfsSite site;
  look_around(site);
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), "GETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "ACCESS");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "GETATTR");  // it is known while the file does not change
  Op chmod = op_of(OpKind::chmod, data_file);
  chmod.length = 0600;
  EXPECT_EQ(site.rpcs(chmod), "SETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "ACCESS");
  EXPECT_EQ(site.rpcs(op_of(OpKind::statfs, {})), "FSSTAT");
  EXPECT_EQ(site.rpcs(op_of(OpKind::readlink, {NameClass::symlink, 0})), "READLINK");
  Op truncate = op_of(OpKind::truncate, empty_file);
  truncate.length = 100;
  EXPECT_EQ(site.rpcs(truncate), "GETATTR ACCESS SETATTR");
  EXPECT_EQ(site.server.size(site.path(empty_file)), 100u);
}

TEST(NfsOps, OpsThatChangeNames) {
  NfsSite site;
  look_around(site);
  const NameRef made{NameClass::empty, 8}, moved{NameClass::empty, 10};
  EXPECT_EQ(site.rpcs(op_of(OpKind::create, made)), "CREATE SETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::rename, made, moved)), "RENAME");
  EXPECT_TRUE(site.server.exists(site.path(moved)));
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, moved)), "GETATTR");  // the handle moves with the name
  EXPECT_EQ(site.rpcs(op_of(OpKind::unlink, moved)), "REMOVE");
  EXPECT_FALSE(site.server.exists(site.path(moved)));
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, moved), ENOENT), "LOOKUP");
  EXPECT_EQ(site.rpcs(op_of(OpKind::mkdir, {NameClass::made_dir, 20})), "MKDIR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::rmdir, {NameClass::made_dir, 20})), "RMDIR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::symlink, {NameClass::symlink, 20}, data_file)), "SYMLINK");
  EXPECT_EQ(site.rpcs(op_of(OpKind::link, {NameClass::hard_link, 20}, data_file)), "LINK");
  EXPECT_EQ(site.rpcs(op_of(OpKind::unlink, {NameClass::hard_link, 20})), "REMOVE");
}

TEST(NfsOps, WhatIsRemovedOrMovedIsLookedUpBeforeButNotWhatIsReplaced) {
  NfsSite site;
  site.run(op_of(OpKind::stat, data_file));
  EXPECT_EQ(site.rpcs(op_of(OpKind::rename, {NameClass::data, 2}, data_file)), "LOOKUP RENAME");
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), "GETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::unlink, empty_file)), "LOOKUP REMOVE");
  EXPECT_EQ(site.rpcs(op_of(OpKind::unlink, empty_file), ENOENT), "LOOKUP");
}

TEST(NfsOps, AFileIsRevalidatedWhenItIsOpenedAndCommittedWhenItIsClosed) {
  NfsSite site;
  look_around(site);
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_rand, 0, 0, 4096)), "GETATTR ACCESS READ");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_rand, 0, 8192, 4096)), "READ");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_rand, 0, 4096, 100)), "WRITE");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::rmw, 0, 0, 100)), "READ WRITE");
  EXPECT_EQ(site.server.writes(), "4096+100 0+100");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_rand, 2, 0, 4096)), "COMMIT GETATTR ACCESS READ");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_rand, 0, 0, 4096)), "GETATTR READ");  // nothing was written
}

TEST(NfsOps, AFirstOpenTakesTheAttributesOfItsLookUp) {
  NfsSite site;
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_file, 0, 0, 16 * KiB)), way + "LOOKUP ACCESS READ");
}

TEST(NfsOps, CommitsAndStableWrites) {
  NfsSite site;
  look_around(site);
  Op write = transfer_of(OpKind::write_rand, 0, 0, 512);
  site.run(write);
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "COMMIT");
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "");
  site.server.writes();
  const auto durable = [&](bool Op::*how) {
    Op op = write;
    op.*how = true;
    return site.rpcs(op);
  };
  for (const auto how : {&Op::commit, &Op::sync, &Op::direct}) EXPECT_EQ(durable(how), "WRITE");
  EXPECT_EQ(site.server.writes(), "0+512s 0+512s 0+512s");  // FILE_SYNC: on the storage already
  for (const auto how : {&Op::commit, &Op::sync, &Op::direct}) {
    site.run(write);
    EXPECT_EQ(durable(how), "WRITE COMMIT");  // for the data of both
  }
}

TEST(NfsOps, ADurableWriteOfSeveralRpcsIsCommittedOnce) {
  NfsSite site;
  site.settings.write_size = 1000;
  site.mount();
  look_around(site);
  Op write = transfer_of(OpKind::write_rand, 0, 0, 2500);
  write.direct = true;
  EXPECT_EQ(site.rpcs(write), "GETATTR ACCESS WRITE WRITE WRITE COMMIT");
  EXPECT_EQ(site.server.writes(), "0+1000 1000+1000 2000+500");
}

TEST(NfsOps, SessionsOpenAndClose) {
  NfsSite site;
  look_around(site);
  Op open = op_of(OpKind::open, data_file), close = op_of(OpKind::close, data_file);
  EXPECT_EQ(site.rpcs(open), "GETATTR ACCESS");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_seq, 0, 0, 4096)), "READ");
  EXPECT_EQ(site.rpcs(close), "");
  open.writing = close.writing = true;
  EXPECT_EQ(site.rpcs(open), "GETATTR");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_seq, 0, 0, 4096)), "WRITE");
  EXPECT_EQ(site.rpcs(close), "COMMIT");
  EXPECT_EQ(site.rpcs(close), "GETATTR");  // as the first op of a proc: the file is opened first
}

TEST(NfsOps, WholeFiles) {
  NfsSite site;
  look_around(site);
  const NameRef missing{NameClass::data, 6};
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_file, 0, 0, 16 * KiB)), "GETATTR ACCESS READ");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_file, 0, 0, 16 * KiB)), "GETATTR SETATTR WRITE");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_file, 6, 0, 100)), "LOOKUP CREATE WRITE");
  EXPECT_EQ(site.server.size(site.path(missing)), 100u);
  Op append = op_of(OpKind::write_append, empty_file);
  append.length = 10;
  EXPECT_EQ(site.rpcs(append), "GETATTR ACCESS WRITE");
  site.server.writes();
  EXPECT_EQ(site.rpcs(append), "GETATTR WRITE");
  EXPECT_EQ(site.server.writes(), "10+10s");
  append.truncating = true;
  EXPECT_EQ(site.rpcs(append), "GETATTR SETATTR WRITE");
  EXPECT_EQ(site.server.size(site.path(empty_file)), 10u);
  Op copy = op_of(OpKind::copyfile, data_file, empty_file);
  copy.length = 16 * KiB;
  EXPECT_EQ(site.rpcs(copy), "GETATTR GETATTR SETATTR READ WRITE");
  EXPECT_EQ(site.server.size(site.path(empty_file)), 16u * KiB);
}

TEST(NfsOps, AFileWithoutBytesTakesNoTransfer) {
  NfsSite site;
  look_around(site);
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_file, 0, 0, 0)), "GETATTR ACCESS SETATTR");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_file, 0, 0, 0)), "GETATTR");
}

TEST(NfsOps, LongTransfersAreSplit) {
  NfsSite site;
  site.settings.read_size = 4096;
  site.settings.write_size = 1000;
  site.mount();
  look_around(site);
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_file, 0, 0, 16 * KiB)), "GETATTR ACCESS READ READ READ READ");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_file, 0, 0, 2500)), "GETATTR SETATTR WRITE WRITE WRITE COMMIT");
  EXPECT_EQ(site.server.writes(), "0+1000 1000+1000 2000+500");
  const OpResult result = site.run(transfer_of(OpKind::write_file, 0, 0, 40'500));  // more parts than lanes
  EXPECT_EQ(result.bytes_written, 40'500);
  EXPECT_EQ(site.server.size(site.path(data_file)), 40'500u);
}

TEST(NfsOps, AListingGoesOnToItsEndAndItsHandlesAreKept) {
  NfsSite site;
  look_around(site);
  const NameRef directory{NameClass::dataset_dir, 1};
  site.run(op_of(OpKind::stat, {NameClass::data, 1}));
  site.server.shorten_listings(2);
  const std::string rpcs = site.rpcs(op_of(OpKind::readdir, directory));
  EXPECT_GT(rpcs.size(), std::string("READDIRPLUS READDIRPLUS").size());
  EXPECT_EQ(rpcs.find("LOOKUP"), std::string::npos);
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, {NameClass::data, 3})), "GETATTR");
}

TEST(NfsOps, TrustedAttributesAreNotAskedForAgain) {
  NfsSite site;
  site.settings.trusted_time = std::chrono::seconds(600);
  look_around(site);
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), "");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "ACCESS");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_file, 0, 0, 16 * KiB)), "READ");
  Op append = op_of(OpKind::write_append, empty_file);
  append.length = 10;
  EXPECT_EQ(site.rpcs(append), "ACCESS WRITE");
  site.server.writes();
  EXPECT_EQ(site.rpcs(append), "WRITE");
  EXPECT_EQ(site.server.writes(), "10+10s");
  Op copy = op_of(OpKind::copyfile, data_file, empty_file);
  copy.length = 16 * KiB;
  EXPECT_EQ(site.rpcs(copy), "SETATTR READ WRITE");
  site.server.writes();
  EXPECT_EQ(site.rpcs(append), "WRITE");
  EXPECT_EQ(site.server.writes(), "16384+10s");
}

TEST(NfsOps, AttributesAreTrustedForTheirTimeAlsoInTheNextLoad) {
  NfsSite site;
  site.settings.trusted_time = std::chrono::seconds(1);
  site.mount();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  look_around(site);
  site.queue.reset();
  site.queue = site.target->make_queue({{0, 1}});
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), "GETATTR");
}

/// The numbers are those of Linux 6.1 with actimeo=0, but for the looks at cached data, which these clients have not.
TEST(NfsOps, AClientThatTrustsNothingLooksAtTheDirectoryAndTheFileForEachOp) {
  NfsSite site;
  site.settings.trusted_time = std::chrono::seconds(0);
  site.mount();
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), way + "GETATTR LOOKUP GETATTR");
  look_around(site);
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), "GETATTR GETATTR GETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "GETATTR GETATTR ACCESS");
  EXPECT_EQ(site.rpcs(op_of(OpKind::access, data_file)), "GETATTR GETATTR GETATTR");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_file, 0, 0, 16 * KiB)), "GETATTR GETATTR GETATTR GETATTR READ");
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_file, 0, 0, 16 * KiB)),
            "GETATTR GETATTR GETATTR GETATTR SETATTR WRITE GETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::create, {NameClass::empty, 8})), "GETATTR CREATE SETATTR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::unlink, {NameClass::empty, 8})), "GETATTR GETATTR REMOVE");
  EXPECT_EQ(site.rpcs(op_of(OpKind::mkdir, {NameClass::made_dir, 20})), "GETATTR MKDIR");
  EXPECT_EQ(site.rpcs(op_of(OpKind::rmdir, {NameClass::made_dir, 20})), "GETATTR GETATTR RMDIR");
  Op chmod = op_of(OpKind::chmod, data_file);
  chmod.length = 0600;
  EXPECT_EQ(site.rpcs(chmod), "GETATTR GETATTR SETATTR");
}

TEST(NfsOps, KindsWithoutRpcsAreNamed) {
  WorkloadSpec workload;
  workload.proc_kinds.resize(2);
  EXPECT_TRUE(ops_without_rpcs(workload).empty());
  workload.proc_kinds[1].weights[static_cast<std::size_t>(OpKind::lock)] = 3;
  workload.proc_kinds[0].weights[static_cast<std::size_t>(OpKind::mmap_write)] = 1;
  EXPECT_EQ(ops_without_rpcs(workload), (std::vector{OpKind::lock, OpKind::mmap_write}));
}

}  // namespace
}  // namespace edagen::testing
