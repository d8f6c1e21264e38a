#include "nfs3/mount3.hpp"

#include <gtest/gtest.h>

#include "nfs3/nfs3_results.hpp"

namespace edagen::testing {
namespace {

TEST(Mount, AMountHasTheRootAndTheFlavors) {
  MountReply reply;
  const ByteVector results = mount_results(handle_of(1, 28), {1, 390003});
  ASSERT_TRUE(decode(results, reply));
  EXPECT_EQ(reply.status, MountStatus::ok);
  EXPECT_EQ(reply.root, handle_of(1, 28));
  EXPECT_EQ(reply.flavors, (std::vector<std::uint32_t>{1, 390003}));
  for (std::size_t size = 0; size < results.size(); ++size)
    EXPECT_FALSE(decode(ByteSpan(results).first(size), reply)) << size;
}

TEST(Mount, ADeniedMountHasItsStatusAlone) {
  MountReply reply;
  ASSERT_TRUE(decode(word_of_status(13), reply));
  EXPECT_EQ(reply.status, MountStatus::acces);
  EXPECT_EQ(to_string(reply.status), "MNT3ERR_ACCES");
  EXPECT_EQ(to_string(static_cast<MountStatus>(99)), "MNT3ERR_99");
}

TEST(Mount, MoreFlavorsThanThereCanBeAreRefused) {
  MountReply reply;
  EXPECT_FALSE(decode(mount_results(handle_of(1), std::vector<std::uint32_t>(65, 1)), reply));
}

TEST(Mount, TheExportListIsRead) {
  std::vector<ExportEntry> exports;
  ASSERT_TRUE(decode(export_results({{"/a", {"10.0.0.0/8", "*"}}, {"/b", {}}}), exports));
  ASSERT_EQ(exports.size(), 2U);
  EXPECT_EQ(exports[0].path, "/a");
  EXPECT_EQ(exports[0].groups, (std::vector<std::string>{"10.0.0.0/8", "*"}));
  EXPECT_TRUE(exports[1].groups.empty());
  ASSERT_TRUE(decode(export_results({}), exports));
  EXPECT_TRUE(exports.empty());
}

TEST(Mount, AnExportListWithoutEndIsRefused) {
  std::vector<ExportEntry> exports;
  ByteVector results = export_results({{"/a", {}}});
  results.resize(results.size() - 4);
  EXPECT_FALSE(decode(results, exports));
  EXPECT_FALSE(decode({}, exports));
}

TEST(Mount, OfAVeryLongExportListTheFirst1000AreKept) {
  std::vector<ExportEntry> exports;
  ASSERT_TRUE(decode(export_results(std::vector<ExportEntry>(1500, {"/x", {}})), exports));
  EXPECT_EQ(exports.size(), 1000U);
}

TEST(Mount, PathsOfMoreThan1024BytesFail) {
  std::byte room[2048];
  XdrWriter fits(room), too_long(room);
  encode_mount_path(fits, std::string(1024, 'p'));
  EXPECT_TRUE(fits.ok());
  encode_mount_path(too_long, std::string(1025, 'p'));
  EXPECT_FALSE(too_long.ok());
}

TEST(PortMapper, APortIsANumberBelow65536) {
  const ByteVector call = xdr_bytes([](XdrWriter& writer) { encode_getport(writer, mount3_program); });
  XdrReader reader(call);
  for (const std::uint32_t word : {100005U, 3U, 6U, 0U}) EXPECT_EQ(reader.u32(), word);
  std::uint32_t port = 0;
  EXPECT_TRUE(decode_port(word_of_status(2049), port));
  EXPECT_EQ(port, 2049U);
  EXPECT_FALSE(decode_port(word_of_status(65536), port));
  EXPECT_FALSE(decode_port({}, port));
}

}  // namespace
}  // namespace edagen::testing
