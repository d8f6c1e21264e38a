#include "nfs3/nfs3_calls.hpp"

#include <gtest/gtest.h>

#include <string>

#include "nfs3/nfs3_results.hpp"

namespace edagen::testing {
namespace {

const NfsHandle sample_file = handle_of(7, 8), sample_directory = handle_of(9, 64);

/// Reads a handle and requires that it is `expected`.
void expect_handle(XdrReader& reader, const NfsHandle& expected) {
  const ByteSpan bytes = reader.opaque(64);
  ASSERT_LE(bytes.size(), 64U);
  EXPECT_EQ(NfsHandle(bytes), expected);
}

void expect_words(XdrReader& reader, const std::vector<std::uint32_t>& words) {
  for (const std::uint32_t word : words) EXPECT_EQ(reader.u32(), word);
}

void expect_end(const XdrReader& reader) { EXPECT_TRUE(reader.ok() && reader.rest().empty()); }

TEST(NfsCalls, AHandleAloneIsWrittenWithItsLength) {
  for (const auto encode : {encode_getattr, encode_readlink, encode_fsstat, encode_fsinfo}) {
    const ByteVector bytes = xdr_bytes([&](XdrWriter& writer) { encode(writer, sample_directory); });
    XdrReader reader(bytes);
    expect_handle(reader, sample_directory);
    expect_end(reader);
  }
}

TEST(NfsCalls, SetattrWritesWhatIsSetAndItsGuard) {
  NfsSetAttributes attributes;
  attributes.mode = 0640;
  attributes.size = 1ULL << 40;
  attributes.set_modified = NfsSetAttributes::SetTime::client;
  attributes.modified = {11, 12};
  attributes.set_accessed = NfsSetAttributes::SetTime::server;
  const ByteVector bytes = xdr_bytes([&](XdrWriter& writer) {
    encode_setattr(writer, sample_file, attributes, NfsTime{5, 6});
  });
  XdrReader reader(bytes);
  expect_handle(reader, sample_file);
  expect_words(reader, {1, 0640, 0, 0, 1});
  EXPECT_EQ(reader.u64(), 1ULL << 40);
  expect_words(reader, {1, 2, 11, 12, 1, 5, 6});
  expect_end(reader);
}

TEST(NfsCalls, SetattrOfNothingWritesNothingButItsFlags) {
  const ByteVector bytes = xdr_bytes([&](XdrWriter& writer) { encode_setattr(writer, sample_file, {}); });
  XdrReader reader(bytes);
  expect_handle(reader, sample_file);
  expect_words(reader, {0, 0, 0, 0, 0, 0, 0});
  expect_end(reader);
}

TEST(NfsCalls, NamesStandInTheirDirectory) {
  for (const auto encode : {encode_lookup, encode_remove, encode_rmdir}) {
    const ByteVector bytes = xdr_bytes([&](XdrWriter& writer) { encode(writer, sample_directory, "a name"); });
    XdrReader reader(bytes);
    expect_handle(reader, sample_directory);
    EXPECT_EQ(reader.string(255), "a name");
    expect_end(reader);
  }
}

TEST(NfsCalls, TransfersHaveTheirExtent) {
  const ByteVector read = xdr_bytes([&](XdrWriter& writer) { encode_read(writer, sample_file, 1ULL << 33, 65536); });
  XdrReader reading(read);
  expect_handle(reading, sample_file);
  EXPECT_EQ(reading.u64(), 1ULL << 33);
  expect_words(reading, {65536});
  expect_end(reading);
  const ByteVector written =
      xdr_bytes([&](XdrWriter& writer) { encode_write(writer, sample_file, 4096, 10, NfsStable::file_sync); });
  XdrReader writing(written);
  expect_handle(writing, sample_file);
  EXPECT_EQ(writing.u64(), 4096U);
  expect_words(writing, {10, 2, 10});  // the data follow, with their length
  expect_end(writing);
  const ByteVector committed = xdr_bytes([&](XdrWriter& writer) { encode_commit(writer, sample_file, 1, 2); });
  XdrReader committing(committed);
  expect_handle(committing, sample_file);
  EXPECT_EQ(committing.u64(), 1U);
  expect_words(committing, {2});
  expect_end(committing);
}

TEST(NfsCalls, EachWayToCreateIsWritten) {
  NfsSetAttributes attributes;
  attributes.mode = 0600;
  for (const bool guarded : {false, true}) {
    const ByteVector bytes =
        xdr_bytes([&](XdrWriter& writer) { encode_create(writer, sample_directory, "new", attributes, guarded); });
    XdrReader reader(bytes);
    expect_handle(reader, sample_directory);
    EXPECT_EQ(reader.string(255), "new");
    expect_words(reader, {guarded ? 1U : 0U, 1, 0600, 0, 0, 0, 0, 0});
    expect_end(reader);
  }
  const ByteVector bytes = xdr_bytes(
      [&](XdrWriter& writer) { encode_create_exclusive(writer, sample_directory, "new", 0x0102030405060708); });
  XdrReader reader(bytes);
  expect_handle(reader, sample_directory);
  reader.string(255);
  expect_words(reader, {2, 0x01020304, 0x05060708});
  expect_end(reader);
}

TEST(NfsCalls, DirectoriesLinksAndNewNamesAreWritten) {
  NfsSetAttributes attributes;
  attributes.uid = 5;
  const ByteVector made =
      xdr_bytes([&](XdrWriter& writer) { encode_mkdir(writer, sample_directory, "d", attributes); });
  XdrReader mkdir(made);
  expect_handle(mkdir, sample_directory);
  mkdir.string(255);
  expect_words(mkdir, {0, 1, 5, 0, 0, 0, 0});
  expect_end(mkdir);
  const ByteVector linked =
      xdr_bytes([&](XdrWriter& writer) { encode_symlink(writer, sample_directory, "l", {}, "../target"); });
  XdrReader symlink(linked);
  expect_handle(symlink, sample_directory);
  symlink.string(255);
  expect_words(symlink, {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(symlink.string(4095), "../target");
  expect_end(symlink);
  const ByteVector renamed =
      xdr_bytes([&](XdrWriter& writer) { encode_rename(writer, sample_directory, "a", sample_file, "b"); });
  XdrReader rename(renamed);
  expect_handle(rename, sample_directory);
  EXPECT_EQ(rename.string(255), "a");
  expect_handle(rename, sample_file);
  EXPECT_EQ(rename.string(255), "b");
  expect_end(rename);
  const ByteVector hard =
      xdr_bytes([&](XdrWriter& writer) { encode_link(writer, sample_file, sample_directory, "h"); });
  XdrReader link(hard);
  expect_handle(link, sample_file);
  expect_handle(link, sample_directory);
  EXPECT_EQ(link.string(255), "h");
  expect_end(link);
}

TEST(NfsCalls, ReaddirHasItsCookieVerifierAndCounts) {
  const ByteVector plain = xdr_bytes([&](XdrWriter& writer) { encode_readdir(writer, sample_directory, 3, 4, 4096); });
  XdrReader reader(plain);
  expect_handle(reader, sample_directory);
  expect_words(reader, {0, 3, 0, 4, 4096});
  expect_end(reader);
  const ByteVector plus =
      xdr_bytes([&](XdrWriter& writer) { encode_readdirplus(writer, sample_directory, 3, 4, 512, 4096); });
  XdrReader reader_plus(plus);
  expect_handle(reader_plus, sample_directory);
  expect_words(reader_plus, {0, 3, 0, 4, 512, 4096});
  expect_end(reader_plus);
}

TEST(NfsCalls, NamesOfMoreThan255BytesFail) {
  std::byte room[2048];
  XdrWriter fits(room);
  encode_lookup(fits, sample_directory, std::string(255, 'n'));
  EXPECT_TRUE(fits.ok());
  XdrWriter too_long(room);
  encode_lookup(too_long, sample_directory, std::string(256, 'n'));
  EXPECT_FALSE(too_long.ok());
}

TEST(NfsCalls, TheLongestArgumentsHaveRoom) {
  const std::string name(255, 'n');
  NfsSetAttributes attributes;
  attributes.mode = attributes.uid = attributes.gid = 1;
  attributes.size = 1;
  attributes.set_accessed = attributes.set_modified = NfsSetAttributes::SetTime::client;
  std::byte room[max_nfs_argument_bytes];
  XdrWriter rename(room);
  encode_rename(rename, sample_directory, name, sample_directory, name);
  EXPECT_TRUE(rename.ok());
  XdrWriter create(room);
  encode_create(create, sample_directory, name, attributes, true);
  EXPECT_TRUE(create.ok());
  XdrWriter link(room);
  encode_link(link, sample_directory, sample_directory, name);
  EXPECT_TRUE(link.ok());
}

TEST(NfsCalls, AccessHasItsBits) {
  const ByteVector bytes =
      xdr_bytes([&](XdrWriter& writer) { encode_access(writer, sample_file, access_read | access_execute); });
  XdrReader reader(bytes);
  expect_handle(reader, sample_file);
  expect_words(reader, {33});
  expect_end(reader);
}

}  // namespace
}  // namespace edagen::testing
