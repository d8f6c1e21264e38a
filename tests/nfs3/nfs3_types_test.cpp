#include "nfs3/nfs3_types.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace edagen::testing {
namespace {

TEST(NfsTypes, ProceduresHaveTheNamesOfTheKernelsMountstats) {
  EXPECT_EQ(to_string(NfsProcedure::null), "NULL");
  EXPECT_EQ(to_string(NfsProcedure::getattr), "GETATTR");
  EXPECT_EQ(to_string(NfsProcedure::readdirplus), "READDIRPLUS");
  EXPECT_EQ(to_string(NfsProcedure::commit), "COMMIT");
  EXPECT_EQ(static_cast<std::uint32_t>(NfsProcedure::commit), 21U);
  EXPECT_EQ(to_string(static_cast<NfsProcedure>(22)), "UNKNOWN");
}

TEST(NfsTypes, EachStatusHasAnErrnoAndAName) {
  EXPECT_EQ(to_errno(NfsStatus::ok), 0);
  EXPECT_EQ(to_errno(NfsStatus::noent), ENOENT);
  EXPECT_EQ(to_errno(NfsStatus::nametoolong), ENAMETOOLONG);
  EXPECT_EQ(to_errno(NfsStatus::notempty), ENOTEMPTY);
  EXPECT_EQ(to_errno(NfsStatus::dquot), EDQUOT);
  EXPECT_EQ(to_errno(NfsStatus::stale), ESTALE);
  EXPECT_EQ(to_errno(NfsStatus::jukebox), EAGAIN);
  EXPECT_EQ(to_errno(static_cast<NfsStatus>(4711)), EIO);
  EXPECT_EQ(to_string(NfsStatus::ok), "NFS3_OK");
  EXPECT_EQ(to_string(NfsStatus::jukebox), "NFS3ERR_JUKEBOX");
  EXPECT_EQ(to_string(static_cast<NfsStatus>(4711)), "NFS3ERR_4711");
}

TEST(NfsTypes, HandlesAreEqualWhenTheirBytesAre) {
  const NfsHandle a(as_byte_span("12345678")), same(as_byte_span("12345678")), shorter(as_byte_span("1234567"));
  EXPECT_EQ(a, same);
  EXPECT_FALSE(a == shorter);
  EXPECT_FALSE(static_cast<bool>(NfsHandle()));
}

}  // namespace
}  // namespace edagen::testing
