// What servers and networks do to NFS clients.
#include "edagen/error.hpp"
#include "nfs_client/nfs_site.hpp"
#include "nfs_dataset/nfs_session.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

TEST(NfsFaults, AnRpcThatIsPutOffIsMadeAgain) {
  NfsSite site;
  site.run(op_of(OpKind::stat, data_file));
  site.server.fail(NfsProcedure::getattr, NfsStatus::jukebox, 3);
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)), "GETATTR GETATTR GETATTR GETATTR");
  EXPECT_EQ(site.events().delayed_rpcs, 3);
}

TEST(NfsFaults, AStaleHandleIsLookedUpAgainOnce) {
  NfsSite site;
  site.run(op_of(OpKind::stat, data_file));
  site.server.make_stale(site.path(data_file));
  EXPECT_EQ(site.rpcs(op_of(OpKind::stat, data_file)),
            "GETATTR ACCESS LOOKUP ACCESS LOOKUP ACCESS LOOKUP ACCESS LOOKUP");
  EXPECT_EQ(site.events().stale_handles, 1);
  site.server.fail(NfsProcedure::getattr, NfsStatus::stale, 1);
  site.server.fail(NfsProcedure::lookup, NfsStatus::stale, 1);
  EXPECT_EQ(site.run(op_of(OpKind::stat, data_file)).error, ESTALE);
}

TEST(NfsFaults, AStaleHandleOfAnOpenFileIsLookedUpAgain) {
  NfsSite site;
  site.run(transfer_of(OpKind::write_rand, 0, 0, 100));
  site.server.make_stale(site.path(data_file));
  EXPECT_EQ(site.run(transfer_of(OpKind::read_rand, 0, 0, 100)).error, 0);
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::read_rand, 0, 0, 100)), "READ");
}

TEST(NfsFaults, AnOpenFileThatIsRemovedAndMadeAgainIsOpenedAgain) {
  NfsSite site;
  site.run(transfer_of(OpKind::write_rand, 0, 0, 100));
  EXPECT_EQ(site.run(op_of(OpKind::unlink, data_file)).error, 0);  // as by another proc that shares it
  EXPECT_EQ(site.run(transfer_of(OpKind::read_rand, 0, 0, 100)).error, ENOENT);
  EXPECT_EQ(site.run(transfer_of(OpKind::write_file, 0, 0, 16 * KiB)).error, 0);
  EXPECT_EQ(site.run(transfer_of(OpKind::read_rand, 0, 0, 100)).error, 0);
}

TEST(NfsFaults, AFileThatAnotherHasJustMadeIsWritten) {
  NfsSite site;
  site.run(op_of(OpKind::stat, {NameClass::data, 2}));
  site.server.fail(NfsProcedure::lookup, NfsStatus::noent);
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_file, 0, 0, 10)), "LOOKUP CREATE LOOKUP SETATTR WRITE");
}

TEST(NfsFaults, ADirectoryThatBecameStaleIsLookedUpAgain) {
  NfsSite site;
  site.run(op_of(OpKind::stat, data_file));
  site.server.make_stale(site.path({NameClass::dataset_dir, 0}));
  EXPECT_EQ(site.run(op_of(OpKind::stat, {NameClass::data, 2})).error, 0);
  site.server.make_stale(site.places[0].directory);
  EXPECT_EQ(site.run(op_of(OpKind::statfs, {})).error, 0);
}

TEST(NfsFaults, ChangesThatWereDoneByTheFirstTransmissionAreNoErrors) {
  NfsSite site;
  site.run(op_of(OpKind::stat, empty_file));
  const NameRef made{NameClass::empty, 8}, moved{NameClass::empty, 10};
  const auto lost = [&](NfsProcedure procedure, const Op& op) {
    site.server.lose_reply(procedure);
    return site.run(op).error;
  };
  EXPECT_EQ(lost(NfsProcedure::create, op_of(OpKind::create, made)), 0);
  EXPECT_EQ(lost(NfsProcedure::rename, op_of(OpKind::rename, made, moved)), 0);
  EXPECT_EQ(lost(NfsProcedure::remove, op_of(OpKind::unlink, moved)), 0);
  EXPECT_EQ(lost(NfsProcedure::mkdir, op_of(OpKind::mkdir, {NameClass::made_dir, 30})), 0);
  EXPECT_EQ(lost(NfsProcedure::rmdir, op_of(OpKind::rmdir, {NameClass::made_dir, 30})), 0);
  EXPECT_EQ(lost(NfsProcedure::link, op_of(OpKind::link, {NameClass::hard_link, 30}, data_file)), 0);
  EXPECT_EQ(lost(NfsProcedure::symlink, op_of(OpKind::symlink, {NameClass::symlink, 30}, data_file)), 0);
  EXPECT_EQ(site.events().repeated_changes, 7);
  EXPECT_EQ(site.run(op_of(OpKind::unlink, moved)).error, ENOENT);  // sent once
  EXPECT_EQ(site.run(op_of(OpKind::mkdir, {NameClass::made_dir, 0})).error, EEXIST);
  EXPECT_EQ(site.events().repeated_changes, 7);
}

TEST(NfsFaults, AChangeThatIsPutOffAfterItsReplyWasLostIsNoError) {
  NfsSite site;
  site.run(op_of(OpKind::stat, empty_file));
  site.server.lose_reply(NfsProcedure::mkdir);
  site.server.fail(NfsProcedure::mkdir, NfsStatus::jukebox, 1, 1);
  EXPECT_EQ(site.rpcs(op_of(OpKind::mkdir, {NameClass::made_dir, 30})), "MKDIR MKDIR MKDIR");
  EXPECT_EQ(site.events().repeated_changes, 1);
}

TEST(NfsFaults, LostRepliesAreCountedAsTransmissions) {
  NfsSite site;
  site.run(op_of(OpKind::stat, data_file));
  site.server.lose_reply(NfsProcedure::getattr);
  site.run(op_of(OpKind::stat, data_file));
  const NfsMountStats mount = site.target->counters()[0];
  EXPECT_EQ(mount.rpcs.at("GETATTR").requests, 1);
  EXPECT_EQ(mount.rpcs.at("GETATTR").transmissions, 2);
  EXPECT_EQ(mount.connections.at(0).reconnects, 2);
}

TEST(NfsFaults, ADirectoryOfALostReplyCountsAsOneThatWasThere) {
  MemoryServer server;
  NfsExport at;
  at.mounted.address = boost::asio::ip::address_v4::loopback();
  at.mounted.port = server.port();
  NfsSession session(at);
  NfsFile made;
  EXPECT_EQ(session.make_directory(server.root(), "d", made), NfsStatus::ok);
  server.lose_reply(NfsProcedure::mkdir);
  EXPECT_EQ(session.make_directory(server.root(), "d", made), NfsStatus::exist);
}

TEST(NfsFaults, TheRestOfAShortWriteOfTheDatasetGoesToItsOwnPlace) {
  MemoryServer server;
  server.shorten_transfers(600);
  NfsExport at;
  at.mounted.address = boost::asio::ip::address_v4::loopback();
  at.mounted.port = server.port();
  at.write_bytes_max = 1000;
  NfsSession session(at);
  NfsFile file;
  EXPECT_EQ(session.create(server.root(), "f", 0644, file), NfsStatus::ok);
  EXPECT_EQ(session.write(file.handle, 0, std::vector<std::byte>(2000)), NfsStatus::ok);
  EXPECT_EQ(server.writes(), "0+600 600+400s 1000+600 1600+400s");
  EXPECT_EQ(server.size("f"), 2000u);
}

TEST(NfsFaults, AFileOfTheDatasetHasItsSizeOnlyOnceAllItsDataAreThere) {
  for (const int before : {0, 1}) {  // WRITEs that the server takes before one that it refuses
    MemoryServer server;
    NfsExport at;
    at.mounted.address = boost::asio::ip::address_v4::loopback();
    at.mounted.port = server.port();
    at.write_bytes_max = 1000;
    NfsSession session(at);
    NfsFile file;
    EXPECT_EQ(session.create(server.root(), "f", 0644, file), NfsStatus::ok);
    server.fail(NfsProcedure::write, NfsStatus::dquot, 1, before);
    EXPECT_EQ(session.write(file.handle, 0, std::vector<std::byte>(2500)), NfsStatus::dquot);
    std::uint32_t allowed = 0;
    EXPECT_EQ(session.access(file.handle, access_read, allowed), NfsStatus::ok);  // the WRITEs before have been handled
    EXPECT_LT(server.size("f"), 2500u);
  }
}

TEST(NfsFaults, AConnectionIsCountedBeforeItsFirstRpcSoThatInAWindowOnlyNewOnesCount) {
  NfsSite site;
  site.settings.nconnect = 2;
  site.mount();
  const NfsMountStats mount = site.target->counters()[0];
  for (const TransportCounters& connection : mount.connections) EXPECT_EQ(connection.reconnects, 1);
}

TEST(NfsFaults, AnRpcWithoutAReplyIsSentAgain) {
  NfsSite site;
  site.options.retransmit_after = 30ms;
  site.run(op_of(OpKind::stat, data_file));
  site.server.ignore(NfsProcedure::getattr, 2);
  EXPECT_EQ(site.run(op_of(OpKind::stat, data_file)).error, 0);
  const NfsMountStats mount = site.target->counters()[0];
  EXPECT_EQ(mount.rpcs.at("GETATTR").requests, 1);
  EXPECT_GE(mount.rpcs.at("GETATTR").transmissions, 3) << "more where a busy machine sends the reply late";
  EXPECT_EQ(mount.rpcs.at("GETATTR").timeouts, mount.rpcs.at("GETATTR").transmissions - 1);
  EXPECT_EQ(mount.connections.at(0).reconnects, 1);
}

TEST(NfsFaults, DataThatAServerLosesBeforeTheCommitAreWrittenAgain) {
  NfsSite site;
  site.run(transfer_of(OpKind::write_rand, 0, 0, 100));
  site.run(transfer_of(OpKind::write_rand, 0, 8192, 50));
  site.server.restart();
  site.server.writes();
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "COMMIT WRITE WRITE COMMIT");
  EXPECT_EQ(site.server.writes(), "0+100 8192+50");
  EXPECT_EQ(site.events().verifier_changes, 1);
  EXPECT_EQ(site.events().rewritten_bytes, 150);
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "");
}

TEST(NfsFaults, AWriteShowsThatEarlierDataWereLost) {
  NfsSite site;
  site.run(transfer_of(OpKind::write_rand, 0, 0, 100));
  site.server.restart();
  EXPECT_EQ(site.rpcs(transfer_of(OpKind::write_rand, 0, 4096, 10)), "WRITE WRITE");
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "COMMIT");
  EXPECT_EQ(site.events().rewritten_bytes, 100);
}

TEST(NfsFaults, CommittedDataAreNotWrittenAgain) {
  NfsSite site;
  const Op write = transfer_of(OpKind::write_rand, 0, 0, 100);
  site.run(write);
  site.run(op_of(OpKind::fsync, data_file));
  site.server.restart();
  EXPECT_EQ(site.rpcs(write), "WRITE");
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "COMMIT");
  EXPECT_EQ(site.events().verifier_changes, 0);
}

TEST(NfsFaults, ShortTransfersGoOn) {
  NfsSite site;
  site.server.shorten_transfers(1500);
  const OpResult read = site.run(transfer_of(OpKind::read_rand, 0, 0, 4000));
  EXPECT_EQ(read.error, 0);
  EXPECT_EQ(read.bytes_read, 4000);
  EXPECT_EQ(site.events().short_reads, 2);
  const OpResult written = site.run(transfer_of(OpKind::write_rand, 0, 0, 4000));
  EXPECT_EQ(written.bytes_written, 4000);
  EXPECT_EQ(site.events().short_writes, 2);
  EXPECT_EQ(site.server.writes(), "0+1500 1500+1500 3000+1000");
}

TEST(NfsFaults, TransfersThatMoveNothingAreErrors) {
  NfsSite site;
  const OpResult read = site.run(transfer_of(OpKind::read_rand, 0, 15 * KiB, 4 * KiB));  // beyond the end
  EXPECT_EQ(read.error, short_read_error);
  EXPECT_EQ(read.bytes_read, 1 * KiB);
  site.server.shorten_transfers(0);
  EXPECT_EQ(site.run(transfer_of(OpKind::write_rand, 0, 0, 100)).error, short_write_error);
}

TEST(NfsFaults, ErrorsOfTheServerAreThoseOfTheOp) {
  NfsSite site;
  site.server.fail(NfsProcedure::write, NfsStatus::nospc);
  EXPECT_EQ(site.run(transfer_of(OpKind::write_rand, 0, 0, 100)).error, ENOSPC);
  site.run(transfer_of(OpKind::write_rand, 0, 4096, 100));
  site.server.fail(NfsProcedure::commit, NfsStatus::io);
  Op write = transfer_of(OpKind::write_rand, 0, 0, 100);
  write.commit = true;
  EXPECT_EQ(site.run(write).error, EIO);
  site.server.fail(NfsProcedure::readdirplus, NfsStatus::acces);
  EXPECT_EQ(site.run(op_of(OpKind::readdir, {NameClass::dataset_dir, 0})).error, EACCES);
  EXPECT_EQ(site.target->counters()[0].rpcs.at("WRITE").errors, 1);
}

TEST(NfsFaults, AListingWhoseCookiesStandStillIsAnError) {
  NfsSite site;
  site.server.stop_cookies();
  EXPECT_EQ(site.run(op_of(OpKind::readdir, {NameClass::dataset_dir, 0})).error, EBADMSG);
}

TEST(NfsFaults, AListingThatBeginsAgainAndAgainIsAnError) {
  NfsSite site;
  site.server.shorten_listings(2);
  site.server.ignore_cookies();
  EXPECT_EQ(site.run(op_of(OpKind::readdir, {NameClass::dataset_dir, 0})).error, EBADMSG);
}

TEST(NfsFaults, AListingWhoseCookieIsRefusedBeginsAgain) {
  NfsSite site;
  site.run(op_of(OpKind::readdir, {NameClass::dataset_dir, 0}));
  site.server.shorten_listings(2);
  site.server.fail(NfsProcedure::readdirplus, NfsStatus::bad_cookie);
  EXPECT_EQ(site.run(op_of(OpKind::readdir, {NameClass::dataset_dir, 0})).error, 0);
}

TEST(NfsFaults, OpsInFlightCanBeGivenUp) {
  NfsSite site;
  site.settings.read_size = 4096;
  site.depth = 2;
  site.mount();
  site.run(op_of(OpKind::stat, data_file));
  site.server.stop_replies();
  site.begin(transfer_of(OpKind::read_rand, 0, 0, 16 * KiB), 0);
  site.begin(transfer_of(OpKind::read_rand, 0, 0, 100), 1);  // waits for the file to be open
  std::array<TargetQueue::Completion, 2> done;
  EXPECT_EQ(site.queue->complete(done, 30ms), 0u);
  EXPECT_TRUE(site.queue->abandon());
  site.queue.reset();
  site.queue = site.target->make_queue({{0, 2}});  // the server accepts connections
}

TEST(NfsFaults, ClientsOfSeveralServersWriteAsMuchAsTheirsAllows) {
  NfsSite site(NfsSite::small_kind(), 2);
  site.places[1].server = 1;
  site.settings.write_size = 4 * KiB;
  std::vector<NfsServer> servers{site.nfs_server(), site.nfs_server()};
  servers[1].settings.write_size = 8 * MiB;
  site.target = std::make_unique<NfsTarget>(servers, site.places, site.options);
  site.queue = site.target->make_queue({{0, 1}, {1, 1}});
  site.queue->begin(1, 1, transfer_of(OpKind::write_rand, 0, 0, 8 * MiB));
  EXPECT_EQ(site.wait().bytes_written, 8 * MiB);
}

TEST(NfsFaults, AServerThatIsNotThereIsNamed) {
  NfsSite site;
  site.options.connect_timeout = 500ms;
  site.server.wire().stop();
  try {
    site.mount();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("nfs://server/vol"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("refused"), std::string::npos) << error.what();
  }
}

TEST(NfsFaults, AFileWhoseOpsWereGivenUpIsOpenedInTheNextLoad) {
  NfsSite site;
  site.depth = 2;
  site.mount();
  site.run(op_of(OpKind::stat, data_file));
  site.server.ignore(NfsProcedure::getattr, 1);
  const Op read = transfer_of(OpKind::read_rand, 0, 0, 100);
  for (std::uint32_t slot = 0; slot < 2; ++slot) site.begin(read, slot);  // the second one waits for the open
  std::array<TargetQueue::Completion, 2> done;
  EXPECT_EQ(site.queue->complete(done, 30ms), 0u);
  site.queue.reset();
  site.queue = site.target->make_queue({{0, 2}});
  EXPECT_EQ(site.run(read).error, 0);
}

TEST(NfsFaults, SeveralOpsOnAFileOpenItOnce) {
  NfsSite site;
  site.depth = 4;
  site.mount();
  site.run(op_of(OpKind::stat, data_file));
  site.server.procedures();
  for (std::uint32_t slot = 0; slot < 4; ++slot) site.begin(transfer_of(OpKind::read_rand, 0, 0, 100), slot);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(site.wait().error, 0);
  EXPECT_EQ(site.server.procedures(), "GETATTR ACCESS READ READ READ READ");
}

TEST(NfsFaults, ASizeThatAReplyLeavesOutIsAskedForAlsoWhereAttributesAreTrusted) {
  NfsSite site;
  site.settings.trusted_time = std::chrono::seconds(600);
  site.server.leave_attributes_out();
  site.run(op_of(OpKind::stat, empty_file));
  Op truncate = op_of(OpKind::truncate, empty_file), append = op_of(OpKind::write_append, empty_file);
  truncate.length = 100;
  append.length = 10;
  EXPECT_EQ(site.rpcs(truncate), "ACCESS SETATTR");
  EXPECT_EQ(site.rpcs(append), "GETATTR WRITE");
  EXPECT_EQ(site.rpcs(append), "WRITE");
  EXPECT_EQ(site.server.writes(), "100+10s 110+10s");
}

TEST(NfsFaults, AnFsyncDuringTheCommitOfAnotherOpSendsItsOwn) {
  NfsSite site;
  site.depth = 2;
  site.mount();
  const auto sync_twice_at_once = [&](int error) {
    site.run(transfer_of(OpKind::write_rand, 0, 0, 100));
    site.server.procedures();
    for (std::uint32_t slot = 0; slot < 2; ++slot) site.begin(op_of(OpKind::fsync, data_file), slot);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(site.wait().error, error);
    EXPECT_EQ(site.server.procedures(), "COMMIT COMMIT");
  };
  sync_twice_at_once(0);
  EXPECT_EQ(site.rpcs(op_of(OpKind::fsync, data_file)), "");
  site.server.fail(NfsProcedure::commit, NfsStatus::io, 2);
  sync_twice_at_once(EIO);
}

TEST(NfsFaults, ADirectWriteDuringTheCommitOfAnotherOpSendsNone) {
  NfsSite site;
  site.depth = 2;
  site.mount();
  site.run(transfer_of(OpKind::write_rand, 0, 0, 100));
  site.server.procedures();
  site.begin(op_of(OpKind::fsync, data_file), 0);
  Op write = transfer_of(OpKind::write_rand, 0, 4096, 100);
  write.direct = true;
  site.begin(write, 1);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(site.wait().error, 0);
  EXPECT_EQ(site.server.procedures(), "COMMIT WRITE");
}

TEST(NfsFaults, AFileWhoseHandleIsLookedUpAgainIsNotClosedForAnotherFileMeanwhile) {
  NfsSite site;
  site.options.retransmit_after = 100ms;
  site.depth = 2;
  site.mount();
  const NameRef other{NameClass::data, 2};
  site.run(op_of(OpKind::stat, other));
  site.run(transfer_of(OpKind::read_rand, 0, 0, 100));
  site.server.make_stale(site.path(data_file));
  site.server.ignore(NfsProcedure::lookup, 1);
  const std::int64_t lookups = site.server.counts()["LOOKUP"];
  site.begin(transfer_of(OpKind::read_rand, 0, 0, 100), 0);
  std::array<TargetQueue::Completion, 1> done;
  while (site.server.counts()["LOOKUP"] == lookups) EXPECT_EQ(site.queue->complete(done, 5ms), 0u);
  site.begin(transfer_of(OpKind::read_rand, other.index, 0, 100), 1);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(site.wait().error, 0);
  EXPECT_EQ(site.run(transfer_of(OpKind::write_rand, other.index, 100 * KiB, 10)).error, 0);
  EXPECT_EQ(site.server.size(site.path(other)), 100u * KiB + 10);
}

}  // namespace
}  // namespace edagen::testing
