// How scripts/nfs-lab starts User-Mode Linux, and what it says when that does not come up: with scripts in its place.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

class NfsLabStart : public ::testing::Test {
 protected:
  /// `true` in the lab, with this script for linux.uml.
  Outcome lab_with(const std::string& script, std::vector<std::string> lab_words = {},
                   std::map<std::string, std::string> environment = {}) {
    std::filesystem::create_directory(folder / "bin");
    std::filesystem::create_directory(folder / "tmp");
    const std::string stub = folder.write("bin/linux.uml", "#!/bin/bash\n" + script);
    std::filesystem::permissions(stub, std::filesystem::perms::owner_all);
    environment.insert(
        {{"PATH", folder / "bin" + ":" + std::getenv("PATH")}, {"TMPDIR", folder / "tmp"}, {"LD_PRELOAD", ""}});
    lab_words.insert(lab_words.begin(), source_path("scripts/nfs-lab"));
    lab_words.insert(lab_words.end(), {"--", "true"});
    const Outcome outcome = Program(lab_words, environment).wait();
    installed = outcome.err.find("what it needs is not installed") == std::string::npos;
    return outcome;
  }

  TemporaryDirectory folder;
  bool installed = false;
};

/// The line of `text` that starts with this, without it.
std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return "(no '" + start + "' in: " + text + ")";
  return text.substr(at + start.size(), text.find('\n', at) - at - start.size());
}

// What User-Mode Linux 6.1 prints on a processor with AMX without the library; the trace is shortened.
constexpr const char* with_amx = R"(cat <<'END'
SELinux: CONFIG_SECURITY_SELINUX_CHECKREQPROT_VALUE is non-zero.  This is deprecated and will be rejected in a future kernel release.
SELinux: https://github.com/SELinuxProject/selinux-kernel/wiki/DEPRECATE-checkreqprot
mmapper_init - find_iomem failed
Failed to initialize ubd device 0 :Couldn't determine size of device's file
userspace - ptrace set fp regs failed, errno = 14
Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b
CPU: 0 PID: 1 Comm: init Not tainted 6.1.176 #1 
Call Trace:
 [<60693304>] ? panic+0x0/0x376
 [<6002e653>] fatal_sigsegv+0x39/0x45
 [<6004b1ca>] ? put_fp_registers+0x10/0x12
 [<60048839>] userspace+0xab/0x570
 [<6002c0dd>] new_thread_handler+0xae/0xb0

END
exit 139
)";

TEST_F(NfsLabStart, AKernelThatPanicsIsQuotedWithItsFirstErrorAndItsPanicAndNoTrace) {
  const Outcome lab = lab_with(with_amx);
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(lab.status, 1);
  EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: "), "userspace - ptrace set fp regs failed, errno = 14");
  EXPECT_EQ(line_of(lab.err, "nfs-lab: then: "),
            "Kernel panic - not syncing: Attempted to kill init! exitcode=0x0000000b");
  EXPECT_EQ(lab.err.find("new_thread_handler"), std::string::npos) << lab.err;
}

TEST_F(NfsLabStart, TheWholeConsoleIsKeptAndNothingBesideIt) {
  const Outcome lab = lab_with(with_amx);
  if (!installed) EDAGEN_SKIP(lab.err);
  const std::filesystem::path console = line_of(lab.err, "nfs-lab: all it said is in ");
  std::ifstream file(console);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(text.find("new_thread_handler"), std::string::npos) << lab.err;
  const std::filesystem::directory_iterator kept(console.parent_path());
  EXPECT_EQ(std::distance(begin(kept), end(kept)), 1);
}

TEST_F(NfsLabStart, AnEarlyPanicIsQuotedWithoutTheLogThatUserModeLinuxPrintsBeforeIt) {
  const Outcome lab = lab_with(R"(
    printf '%s\r\n' kmsg_dump: '<5>Unknown kernel command line parameters "error=no"' \
    '<6>SELinux:  Initializing.' '<3>mmapper_init - find_iomem failed' \
    '<0>Kernel panic - not syncing: Failed to allocate 12255232 bytes for node 0 memory map' '<4>Call Trace:'; exit 139)");
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: "),
            "Kernel panic - not syncing: Failed to allocate 12255232 bytes for node 0 memory map");
  EXPECT_EQ(lab.err.find("then:"), std::string::npos) << lab.err;
}

TEST_F(NfsLabStart, TheSocketOfUserModeLinuxLiesInTheLabsDirectoryAndNotInTheHomeOfTheUser) {
  const Outcome lab =
      lab_with(R"(for word in "$@"; do [[ $word != uml_dir=* ]] || echo "place ${word#uml_dir=}"; done)");
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_TRUE(line_of(lab.err, "nfs-lab did not start: place ").starts_with(folder / "tmp/edagen-nfs-lab-")) << lab.err;
}

TEST_F(NfsLabStart, WithoutALineThatSpeaksOfAFailureTheLastOneIsQuoted) {
  const Outcome lab = lab_with("printf 'Core dump limits:\\nthe last word\\n \\n\\n'");
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(lab.status, 1);
  EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: "), "the last word");
}

TEST_F(NfsLabStart, ASilentEndIsGivenWithItsStatusAndLeavesNothing) {
  const Outcome lab = lab_with("exit 9");
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(lab.status, 1);
  EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: "), "linux.uml ended with status 9 and said nothing");
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(NfsLabStart, TheEndOfItsTimeIsSaidAndWhetherItsCommandHadStarted) {
  const Outcome booting = lab_with("exec sleep 60", {"--timeout", "0.5"});
  if (!installed) EDAGEN_SKIP(booting.err);
  EXPECT_EQ(booting.status, 1);
  EXPECT_EQ(line_of(booting.err, "nfs-lab did not start: "), "--timeout 0.5 is over");

  const Outcome running = lab_with(R"(
      for word in "$@"; do [[ $word != nfs_lab=* ]] || : >"${word#nfs_lab=}/started"; done
      exec sleep 60)",
                                   {"--timeout", "5"});  // a busy machine starts it late
  EXPECT_EQ(running.status, 1);
  EXPECT_EQ(line_of(running.err, "nfs-lab ended before its command: "), "--timeout 5 is over");
  EXPECT_EQ(running.err.find("did not start"), std::string::npos) << running.err;
}

TEST_F(NfsLabStart, AProcessThatUserModeLinuxLeavesStoppedIsEnded) {
  const Outcome lab = lab_with(R"(
      bash -c 'kill -STOP $$; exit' linux.uml "$@" &
      until grep -q '^State:.T' /proc/$!/status; do sleep 0.01; done
      echo "left $!")");
  if (!installed) EDAGEN_SKIP(lab.err);
  const std::string process = "/proc/" + line_of(lab.err, "nfs-lab did not start: left ") + "/status";
  std::string state = "running";  // a file that is not there has none
  for (int i = 0; i < 1000 && !state.empty() && state.find("zombie") == std::string::npos; ++i) {
    std::ifstream file(process);
    state.assign(std::istreambuf_iterator<char>(file), {});
    ::usleep(10'000);
  }
  EXPECT_TRUE(state.empty() || state.find("zombie") != std::string::npos) << lab.err << state;
}

TEST_F(NfsLabStart, ARoundTripIsThatInMicrosecondsAlsoBelowAMillisecond) {
  using Texts = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [rtt, us] : Texts{{"0ms", "0"}, {"0.5ms", "500"}, {"20us", "20"}, {"2ms", "2000"}}) {
    const Outcome lab = lab_with(R"(
        for word in "$@"; do [[ $word != nfs_lab=* ]] || grep -o 'rtt_us=[^ ]*' "${word#nfs_lab=}/setup"; done)",
                                 {"--rtt", rtt});
    if (!installed) EDAGEN_SKIP(lab.err);
    EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: rtt_us="), us) << rtt;
  }
}

TEST_F(NfsLabStart, ValuesThatItDoesNotUnderstandAreRefused) {
  using Texts = std::vector<std::pair<std::string, std::string>>;
  for (const auto& [option, value] : Texts{{"--rtt", "1"}, {"--rtt", "1s"}, {"--mounts", "two"}, {"--mounts", "08"}}) {
    const Outcome lab = lab_with("exit 0", {option, value});
    EXPECT_EQ(lab.status, 2) << value;
    EXPECT_TRUE(lab.err.starts_with("nfs-lab: " + option + " " + value + " is not a ")) << lab.err;
  }
}

TEST_F(NfsLabStart, AMissingUserModeLinuxIsNamed) {
  // On this path is everything that is installed, but for linux.uml.
  std::filesystem::create_directory(folder / "all");
  for (const char* const directory : {"/usr/bin", "/bin", "/usr/sbin", "/sbin"})
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      std::error_code is_there;
      if (entry.path().filename() != "linux.uml")
        std::filesystem::create_symlink(entry.path(), folder / "all/" + entry.path().filename().string(), is_there);
    }
  const Outcome lab = Program({source_path("scripts/nfs-lab"), "--", "true"}, {{"PATH", folder / "all"}}).wait();
  if (lab.err.find("what it needs is not installed") != std::string::npos) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(lab.status, 1);
  EXPECT_EQ(lab.err, "nfs-lab did not start: linux.uml is not installed (Debian: user-mode-linux)\n");
}

TEST_F(NfsLabStart, UserModeLinuxThatCannotBeExecutedIsNamed) {
  const Outcome lab = lab_with("echo 'linux.uml: error while loading shared libraries: libc.so.7'; exit 127");
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: linux.uml cannot be executed: "),
            "linux.uml: error while loading shared libraries: libc.so.7");
}

// The library is mapped into the shell that runs the script.
constexpr const char* show_preload = R"(
[[ -n $LD_PRELOAD ]] && grep -q "$LD_PRELOAD" /proc/$$/maps && echo "mapped: $LD_PRELOAD" ||
  echo "not mapped: '$LD_PRELOAD'"
)";

TEST_F(NfsLabStart, UserModeLinuxIsGivenTheLibraryForProcessorsWithAmx) {
  const Outcome lab = lab_with(show_preload);
  if (!installed) EDAGEN_SKIP(lab.err);
  const std::string library = line_of(lab.err, "nfs-lab did not start: mapped: " + (folder / "tmp/edagen-nfs-lab-"));
  EXPECT_TRUE(library.ends_with("/xstate.so")) << lab.err;
  EXPECT_EQ(lab.err.find("did not compile"), std::string::npos) << lab.err;
}

TEST_F(NfsLabStart, WithoutACompilerItSaysSoAndGoesOn) {
  const Outcome lab = lab_with(show_preload, {}, {{"CXX", "no-such-compiler"}});
  if (!installed) EDAGEN_SKIP(lab.err);
  EXPECT_EQ(line_of(lab.err, "nfs-lab: no-such-compiler did not compile nfs-lab-xstate.cpp"),
            ": the lab does not start on processors with AMX");
  EXPECT_EQ(line_of(lab.err, "nfs-lab did not start: "), "not mapped: ''") << lab.err;
}

}  // namespace
}  // namespace edagen::testing
