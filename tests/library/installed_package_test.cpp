// The library as others find it: installed, and used by a program outside of the tree.
#include <gtest/gtest.h>

#include <sstream>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

class InstalledPackage : public ::testing::Test {
 protected:
  void SetUp() override {
    const Outcome install = Program({"cmake", "--install", build_path(""), "--prefix", prefix()}).wait();
    ASSERT_EQ(install.status, 0) << install.err;
  }
  std::string prefix() const { return folder_ / "prefix"; }
  std::string source() const { return source_path("examples/own_target"); }
  /// The compiler's options that this build has for all (sanitizers).
  static std::vector<std::string> flags() { return words_of(compiler_flags()); }
  /// The example carries out a workload on a target of its own and counts it.
  void expect_to_run(const std::string& program) {
    const Outcome run = Program({program, "500"}, {{"XDG_STATE_HOME", folder_.path()}}).wait();
    EXPECT_TRUE(run.status == 0 || run.status == 5) << run.out << run.err;  // 5: this host is busy
    EXPECT_NE(run.out.find("10 procs have 12000 data files"), std::string::npos) << run.out;
    EXPECT_NE(run.out.find("ops/s of 500 requested"), std::string::npos) << run.out;
  }

  TemporaryDirectory folder_;
};

TEST_F(InstalledPackage, IsFoundByCMakeAndCarriesOutAWorkloadOnATargetOfOnesOwn) {
  const std::string build = folder_ / "build";
  const Outcome configure = Program({"cmake", "-S", source(), "-B", build, "-DCMAKE_PREFIX_PATH=" + prefix(),
                                     std::string("-DCMAKE_CXX_FLAGS=") + compiler_flags()})
                                .wait();
  ASSERT_EQ(configure.status, 0) << configure.err;
  const Outcome made = Program({"cmake", "--build", build}).wait();
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  expect_to_run(build + "/own_target");
}

TEST_F(InstalledPackage, IsFoundByPkgConfig) {
  const Outcome asked =
      Program({"pkg-config", "--cflags", "--libs", "edagen"}, {{"PKG_CONFIG_PATH", prefix() + "/lib/pkgconfig"}})
          .wait();
  ASSERT_EQ(asked.status, 0) << asked.err;
  const std::string program = folder_ / "own_target";
  std::vector<std::string> words = {"c++", "-std=c++20", "-o", program, source() + "/own_target.cpp"};
  for (const std::string& flag : flags()) words.push_back(flag);
  std::istringstream answer(asked.out);
  for (std::string word; answer >> word;) words.push_back(word);
  const Outcome made = Program(words).wait();
  ASSERT_EQ(made.status, 0) << made.err;
  expect_to_run(program);
}

}  // namespace
}  // namespace edagen::testing
