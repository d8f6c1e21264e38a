#include "nfs3/nfs3_replies.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "nfs3/nfs3_results.hpp"

namespace edagen::testing {
namespace {

void expect_equal(const NfsAttributes& a, const NfsAttributes& b) {
  EXPECT_EQ(a.type, b.type);
  EXPECT_EQ(std::tie(a.mode, a.links, a.uid, a.gid, a.size, a.used),
            std::tie(b.mode, b.links, b.uid, b.gid, b.size, b.used));
  EXPECT_EQ(std::tie(a.device_major, a.device_minor, a.fsid, a.file_id),
            std::tie(b.device_major, b.device_minor, b.fsid, b.file_id));
  EXPECT_EQ(std::tie(a.accessed.seconds, a.modified.seconds, a.changed.nanoseconds),
            std::tie(b.accessed.seconds, b.modified.seconds, b.changed.nanoseconds));
}

const NfsChange change{NfsPreAttributes{100, {1, 2}, {3, 4}}, some_attributes(5, NfsFileType::directory)};

void expect_change(const NfsChange& seen) {
  ASSERT_TRUE(seen.before && seen.after);
  EXPECT_EQ(seen.before->size, 100U);
  EXPECT_EQ(seen.before->modified, (NfsTime{1, 2}));
  EXPECT_EQ(seen.before->changed, (NfsTime{3, 4}));
  expect_equal(*seen.after, *change.after);
}

/// Requires that results which end early are refused wherever they end.
template <class Reply, class... Asked>
void expect_whole_alone(const ByteVector& results, Asked... asked) {
  Reply reply;
  EXPECT_TRUE(decode(results, asked..., reply));
  for (std::size_t size = 0; size < results.size(); ++size)
    EXPECT_FALSE(decode(ByteSpan(results).first(size), asked..., reply)) << size;
}

TEST(NfsReplies, GetattrHasAllAttributes) {
  GetattrReply reply;
  ASSERT_TRUE(decode(getattr_results(some_attributes()), reply));
  EXPECT_EQ(reply.status, NfsStatus::ok);
  expect_equal(reply.attributes, some_attributes());
  expect_whole_alone<GetattrReply>(getattr_results(some_attributes()));
}

TEST(NfsReplies, AFileTypeThatThereIsNotIsRefused) {
  GetattrReply reply;
  for (const std::uint32_t type : {0U, 8U, 0xffffffffU}) {
    NfsAttributes attributes = some_attributes();
    attributes.type = static_cast<NfsFileType>(type);
    EXPECT_FALSE(decode(getattr_results(attributes), reply)) << type;
  }
}

TEST(NfsReplies, LookupHasTheHandleAndAttributesOrNone) {
  LookupReply reply;
  ASSERT_TRUE(
      decode(lookup_results(handle_of(3), some_attributes(), some_attributes(1, NfsFileType::directory)), reply));
  EXPECT_EQ(reply.file, handle_of(3));
  expect_equal(*reply.attributes, some_attributes());
  EXPECT_EQ(reply.directory_attributes->type, NfsFileType::directory);
  ASSERT_TRUE(decode(lookup_results(handle_of(3, 64), {}), reply));
  EXPECT_EQ(reply.file.size, 64U);
  EXPECT_FALSE(reply.attributes || reply.directory_attributes);
  expect_whole_alone<LookupReply>(lookup_results(handle_of(3), some_attributes()));
}

TEST(NfsReplies, HandlesOfMoreThan64BytesOrOfNoneAreRefused) {
  LookupReply reply;
  for (const std::size_t size : {0U, 65U, 4000U}) {
    const ByteVector results = xdr_bytes([&](XdrWriter& writer) {
      writer.u32(0);
      writer.opaque(ByteVector(size));
      writer.u64(0);
    });
    EXPECT_FALSE(decode(results, reply)) << size;
  }
}

TEST(NfsReplies, AFailureHasItsStatusAndNothingElse) {
  LookupReply lookup;
  lookup.file = handle_of(1);
  ASSERT_TRUE(decode(failed_results(NfsProcedure::lookup, NfsStatus::noent), lookup));
  EXPECT_EQ(lookup.status, NfsStatus::noent);
  EXPECT_FALSE(lookup.file) << "what stood there before";
  ReadReply read_reply;
  ASSERT_TRUE(decode(failed_results(NfsProcedure::read, NfsStatus::stale), 100, read_reply));
  EXPECT_EQ(read_reply.status, NfsStatus::stale);
  RenameReply rename_reply;
  ASSERT_TRUE(decode(failed_results(NfsProcedure::rename, NfsStatus::io), rename_reply));
  EXPECT_EQ(rename_reply.status, NfsStatus::io);
  LinkReply link_reply;
  ASSERT_TRUE(decode(failed_results(NfsProcedure::link, NfsStatus::mlink), link_reply));
  CreateReply create_reply;
  ASSERT_TRUE(decode(failed_results(NfsProcedure::create, NfsStatus::exist), create_reply));
  EXPECT_EQ(create_reply.status, NfsStatus::exist);
  GetattrReply getattr_reply;
  ASSERT_TRUE(decode(failed_results(NfsProcedure::getattr, NfsStatus::jukebox), getattr_reply));
  EXPECT_EQ(getattr_reply.status, NfsStatus::jukebox);
}

TEST(NfsReplies, ReadHasItsDataInPlaceAndTheEnd) {
  const ByteVector results = read_results(as_byte_span("hello"), true, some_attributes());
  ReadReply reply;
  ASSERT_TRUE(decode(results, 5, reply));
  EXPECT_EQ(as_text(reply.data), "hello");
  EXPECT_TRUE(reply.at_end);
  EXPECT_GE(reply.data.data(), results.data());
  EXPECT_LE(reply.data.data() + 5, results.data() + results.size());
  expect_whole_alone<ReadReply>(results, 5U);
}

TEST(NfsReplies, AShortReadIsLegalAndALongOneIsNot) {
  ReadReply reply;
  EXPECT_TRUE(decode(read_results(as_byte_span("hello"), false), 4096, reply));
  EXPECT_EQ(reply.data.size(), 5U);
  EXPECT_TRUE(decode(read_results({}, true), 4096, reply));
  EXPECT_TRUE(reply.data.empty());
  EXPECT_FALSE(decode(read_results(as_byte_span("hello"), false), 4, reply));
}

TEST(NfsReplies, ReadWithTwoCountsThatDifferIsRefused) {
  ByteVector results = read_results(as_byte_span("12345678"), false);
  results[11] = std::byte{7};
  ReadReply reply;
  EXPECT_FALSE(decode(results, 100, reply));
}

TEST(NfsReplies, WriteHasItsCountStabilityAndVerifier) {
  WriteReply reply;
  const ByteVector results = write_results(100, NfsStable::data_sync, 0xabcdef, change);
  ASSERT_TRUE(decode(results, 200, NfsStable::unstable, reply));
  EXPECT_EQ(reply.count, 100U) << "a short write is legal";
  EXPECT_EQ(reply.committed, NfsStable::data_sync);
  EXPECT_EQ(reply.verifier, 0xabcdefU);
  expect_change(reply.change);
  expect_whole_alone<WriteReply>(results, 200U, NfsStable::unstable);
}

TEST(NfsReplies, AWriteOfMoreOrLessStableThanWhatWasRequestedIsRefused) {
  WriteReply reply;
  EXPECT_FALSE(decode(write_results(101, NfsStable::file_sync, 0), 100, NfsStable::unstable, reply));
  EXPECT_FALSE(decode(write_results(100, NfsStable::unstable, 0), 100, NfsStable::file_sync, reply));
  EXPECT_FALSE(decode(write_results(100, static_cast<NfsStable>(3), 0), 100, NfsStable::unstable, reply));
}

TEST(NfsReplies, CreateMayLeaveHandleAndAttributesOut) {
  CreateReply reply;
  ASSERT_TRUE(decode(create_results(handle_of(4), some_attributes(), change), reply));
  EXPECT_EQ(reply.file, handle_of(4));
  expect_change(reply.change);
  ASSERT_TRUE(decode(create_results({}, {}), reply));
  EXPECT_FALSE(reply.file);
  EXPECT_FALSE(reply.attributes || reply.change.before || reply.change.after);
  expect_whole_alone<CreateReply>(create_results(handle_of(4), some_attributes(), change));
}

TEST(NfsReplies, TheOtherChangesAreRead) {
  SetattrReply setattr;
  ASSERT_TRUE(decode(change_results(change), setattr));
  expect_change(setattr.change);
  RemoveReply remove;
  ASSERT_TRUE(decode(change_results(change), remove));
  expect_change(remove.change);
  RenameReply rename;
  ASSERT_TRUE(decode(rename_results(change, {}), rename));
  expect_change(rename.from_change);
  EXPECT_FALSE(rename.to_change.after);
  LinkReply link;
  ASSERT_TRUE(decode(link_results(some_attributes(), change), link));
  expect_change(link.change);
  CommitReply commit;
  ASSERT_TRUE(decode(commit_results(99, change), commit));
  EXPECT_EQ(commit.verifier, 99U);
  expect_whole_alone<RemoveReply>(change_results(change));
  expect_whole_alone<RenameReply>(rename_results(change, change));
  expect_whole_alone<LinkReply>(link_results(some_attributes(), change));
  expect_whole_alone<CommitReply>(commit_results(99, change));
}

TEST(NfsReplies, AccessAndReadlinkAreRead) {
  AccessReply access;
  ASSERT_TRUE(decode(access_results(access_read | access_modify), access));
  EXPECT_EQ(access.access, 5U);
  ReadlinkReply readlink;
  const ByteVector results = readlink_results("../x");
  ASSERT_TRUE(decode(results, readlink));
  EXPECT_EQ(readlink.target, "../x");
  EXPECT_FALSE(decode(readlink_results(std::string(4096, 't')), readlink));
  expect_whole_alone<AccessReply>(access_results(1));
}

TEST(NfsReplies, TheFileSystemsFiguresAreRead) {
  FsstatReply fsstat;
  ASSERT_TRUE(decode(fsstat_results(), fsstat));
  EXPECT_EQ(fsstat.total_bytes, 1ULL << 33);
  EXPECT_EQ(fsstat.available_files, 6ULL << 33);
  FsinfoReply fsinfo;
  ASSERT_TRUE(decode(fsinfo_results(1000, 600), fsinfo));
  EXPECT_EQ(fsinfo.read_max, 1000U);
  EXPECT_EQ(fsinfo.read_preferred, 500U);
  EXPECT_EQ(fsinfo.write_max, 600U);
  EXPECT_EQ(fsinfo.write_multiple, 512U);
  EXPECT_EQ(fsinfo.readdir_preferred, 65536U);
  EXPECT_EQ(fsinfo.file_size_max, 1ULL << 43);
  EXPECT_EQ(fsinfo.properties, 0x1bU);
  expect_whole_alone<FsstatReply>(fsstat_results());
  expect_whole_alone<FsinfoReply>(fsinfo_results());
}

std::vector<SampleEntry> three_entries() {
  return {{".", 1, 10, some_attributes(10, NfsFileType::directory), handle_of(10)},
          {"file", 5, 11, some_attributes(11), handle_of(11, 64)},
          {std::string(255, 'n'), 3, 12, {}, {}}};  // cookies need not rise
}

TEST(NfsReplies, DirectoryEntriesAreReadOneAfterTheOther) {
  for (const bool plus : {false, true}) {
    const ByteVector results = readdir_results(three_entries(), plus, true, 42, some_attributes());
    ReaddirReply reply;
    ASSERT_TRUE(decode(results, plus, 0, reply));
    EXPECT_EQ(reply.verifier, 42U);
    DirectoryEntry entry;
    for (const SampleEntry& expected : three_entries()) {
      ASSERT_TRUE(reply.entries.next(entry));
      EXPECT_EQ(entry.name, expected.name);
      EXPECT_EQ(entry.cookie, expected.cookie);
      EXPECT_EQ(entry.file_id, expected.file_id);
      EXPECT_EQ(entry.file == expected.file, plus || !expected.file);
      EXPECT_EQ(entry.attributes.has_value(), plus && expected.attributes.has_value());
    }
    EXPECT_FALSE(reply.entries.next(entry));
    EXPECT_FALSE(reply.entries.next(entry)) << "and stays so";
    EXPECT_TRUE(reply.entries.ok());
    EXPECT_TRUE(reply.entries.end_of_directory());
    EXPECT_EQ(reply.entries.cookie(), 3U);
  }
}

/// Whether all entries of the results can be read.
bool reads(const ByteVector& results, std::uint64_t cookie = 0) {
  ReaddirReply reply;
  if (!decode(results, false, cookie, reply)) return false;
  DirectoryEntry entry;
  while (reply.entries.next(entry)) {
  }
  return reply.entries.ok();
}

TEST(NfsReplies, ACookieThatDoesNotAdvanceIsRefused) {
  EXPECT_TRUE(reads(readdir_results({{"a", 6, 1, {}, {}}}, false, false), 5));
  EXPECT_FALSE(reads(readdir_results({{"a", 5, 1, {}, {}}}, false, false), 5)) << "that of the call";
  EXPECT_FALSE(reads(readdir_results({{"a", 6, 1, {}, {}}, {"b", 6, 2, {}, {}}}, false, false), 5));
  EXPECT_FALSE(reads(readdir_results({}, false, false))) << "neither an entry nor the end";
  EXPECT_TRUE(reads(readdir_results({}, false, true)));
}

TEST(NfsReplies, NamesThatAreNoneAreRefused) {
  for (const std::string& name : {std::string(), std::string("a/b"), std::string("a\0b", 3), std::string(256, 'n')})
    EXPECT_FALSE(reads(readdir_results({{name, 6, 1, {}, {}}}, false, true))) << name;
}

TEST(NfsReplies, EntriesThatEndEarlyAreRefused) {
  const ByteVector results = readdir_results(three_entries(), false, true);
  for (std::size_t size = 0; size < results.size(); ++size)
    EXPECT_FALSE(reads(ByteVector(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(size)))) << size;
}

TEST(NfsReplies, TheLongestRepliesHaveRoom) {
  EXPECT_GE(max_reply_bytes(NfsProcedure::getattr), getattr_results(some_attributes()).size());
  EXPECT_GE(max_reply_bytes(NfsProcedure::create), create_results(handle_of(1, 64), some_attributes(), change).size());
  EXPECT_GE(max_reply_bytes(NfsProcedure::rename), rename_results(change, change).size());
  EXPECT_GE(max_reply_bytes(NfsProcedure::lookup),
            lookup_results(handle_of(1, 64), some_attributes(), some_attributes()).size());
  EXPECT_EQ(max_reply_bytes(NfsProcedure::read, 4095), read_results(ByteVector(4095), true, some_attributes()).size());
  EXPECT_EQ(max_reply_bytes(NfsProcedure::readlink),
            readlink_results(std::string(4095, 't'), some_attributes()).size());
  EXPECT_GE(max_reply_bytes(NfsProcedure::fsinfo), fsinfo_results(1, 1, some_attributes()).size());
  EXPECT_GE(max_reply_bytes(NfsProcedure::fsstat), fsstat_results(some_attributes()).size());
}

}  // namespace
}  // namespace edagen::testing
