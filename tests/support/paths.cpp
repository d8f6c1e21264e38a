#include "support/paths.hpp"

#include <cstdlib>

namespace edagen::testing {
namespace {

std::string path_in(const char* variable, const char* name) {
  const char* const given = std::getenv(variable);
  return given != nullptr ? given : build_path(name);
}

}  // namespace

std::string source_path(const std::string& name) { return EDAGEN_SOURCE_DIR "/" + name; }

std::string build_path(const std::string& name) { return EDAGEN_BUILD_DIR "/" + name; }

std::string edagen_path() { return path_in("EDAGEN_BINARY", "edagen"); }

std::string thread_tests_path() { return path_in("EDAGEN_THREAD_TESTS", "tests/edagen_thread_tests"); }

std::string compiler_flags() { return EDAGEN_CXX_FLAGS; }

}  // namespace edagen::testing
