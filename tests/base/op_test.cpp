#include "edagen/op.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace edagen {
namespace {

TEST(Op, EachKindHasANameThatIsReadBack) {
  for (const OpKind kind : all_op_kinds()) EXPECT_EQ(parse_op_kind(to_string(kind)), kind);
  EXPECT_FALSE(parse_op_kind("chown"));
}

TEST(Op, ErrorsHaveTheNamesPeopleKnow) {
  EXPECT_EQ(error_name(ENOSPC), "ENOSPC");
  EXPECT_EQ(error_name(ESTALE), "ESTALE");
  EXPECT_EQ(error_name(short_read_error), "SHORT_READ");
  EXPECT_EQ(error_name(1234567), "E1234567");
}

}  // namespace
}  // namespace edagen
