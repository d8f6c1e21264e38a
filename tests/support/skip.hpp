// A test that cannot run here says so loudly; where all tests have to run (.ci/run) it fails.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <string_view>

#define EDAGEN_SKIP(reason)                                                                    \
  do {                                                                                         \
    if (std::getenv("EDAGEN_NO_SKIPS") != nullptr) FAIL() << "must run here, but: " << reason; \
    std::cerr << "\n*** SKIPPED: " << reason << " ***\n";                                      \
    GTEST_SKIP() << reason;                                                                    \
  } while (false)

/// At the start of a test that takes its time: only scripts/test --slow runs it.
#define EDAGEN_SLOW_TEST()                                                 \
  do {                                                                     \
    const char* const slow = std::getenv("EDAGEN_SLOW_TESTS");             \
    if (slow != nullptr && std::string_view(slow) == "1") break;           \
    std::cerr << "\n*** SKIPPED: slow; scripts/test --slow runs it ***\n"; \
    GTEST_SKIP() << "slow; scripts/test --slow runs it";                   \
  } while (false)
