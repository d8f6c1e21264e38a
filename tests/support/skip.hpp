// A test that cannot run here says so loudly; where all tests have to run (.ci/run) it fails.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#define EDAGEN_SKIP(reason)                                                                   \
  do {                                                                                        \
    if (std::getenv("EDAGEN_NO_SKIPS") != nullptr) FAIL() << "must run here, but: " << reason; \
    std::cerr << "\n*** SKIPPED: " << reason << " ***\n";                                     \
    GTEST_SKIP() << reason;                                                                   \
  } while (false)
