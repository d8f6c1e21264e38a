// libFuzzer's entry (https://llvm.org/docs/LibFuzzer.html) for the input FUZZ_INPUT.
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>

#include "input.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  spdlog::set_level(spdlog::level::off);  // warnings of files that are used in part
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const edagen::fuzz::Input& input = edagen::fuzz::input_named(FUZZ_INPUT);
  bool used = false;
  const std::string fault = fault_of(input, std::string(reinterpret_cast<const char*>(data), size), used);
  if (fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", fault.c_str());
  std::abort();
}
