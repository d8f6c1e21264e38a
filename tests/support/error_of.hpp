// The error that a call ends with.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "edagen/error.hpp"

namespace edagen::testing {

/// Its text; empty where the call throws no Error. Fails where the error is of another kind.
template <class Call>
std::string error_of(const Call& call, Error::Kind kind = Error::Kind::usage) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace edagen::testing
