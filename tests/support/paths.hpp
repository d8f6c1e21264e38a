// Where tests find the project's files and what was built. Compiled into one file alone, so that a compiler cache
// serves the tests of every clone.
#pragma once

#include <string>

namespace edagen::testing {

/// The project's directory, with `name` below it.
std::string source_path(const std::string& name);
/// The directory of this build, with `name` below it.
std::string build_path(const std::string& name);
/// The program that system tests run: of the environment variable EDAGEN_BINARY, else of this build.
std::string edagen_path();
/// The program of the unit tests of what threads share: of the variable EDAGEN_THREAD_TESTS, else of this build.
std::string thread_tests_path();
/// The options that every file of this build is compiled with (sanitizers).
std::string compiler_flags();

}  // namespace edagen::testing
