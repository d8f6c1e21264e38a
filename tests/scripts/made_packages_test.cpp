// The packages that scripts/package makes: installed on a bare Debian by apt and into nothing by rpm, unpacked where
// nothing else is, and used.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// A file system of its own, with /proc and what was put into it.
class Root {
 public:
  std::string operator/(const std::string& path) const { return folder_ / path; }
  const std::string& path() const { return folder_.path(); }
  Outcome run(const Words& words) const {
    for (const char* const needed : {"proc", "tmp", "mnt"}) fs::create_directories(folder_ / needed);
    Words all = {"unshare", "--mount", "--pid", "--fork", "--mount-proc=" + (folder_ / "proc"), "chroot", path()};
    all.insert(all.end(), words.begin(), words.end());
    return Program(all, {{"PATH", "/usr/sbin:/usr/bin:/sbin:/bin"}, {"HOME", "/tmp"}, {"LC_ALL", "C"}}).wait();
  }

 private:
  TemporaryDirectory folder_;
};

class MadePackages : public ::testing::Test {
 protected:
  void SetUp() override {
    EDAGEN_SLOW_TEST();
    if (::geteuid() != 0) EDAGEN_SKIP("needs root, for chroot");
  }
  /// The package of that kind whose name begins so.
  static std::string made(const std::string& kind, const std::string& begin) {
    const Outcome outcome = Program({source_path("scripts/package"), kind}).wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    for (const auto& entry : fs::directory_iterator(source_path("build/packages"))) {
      if (!entry.path().filename().string().starts_with(begin)) continue;
      if (entry.path().string().find("." + kind) == std::string::npos) continue;
      EXPECT_LT(entry.file_size(), 20'000'000u) << entry.path();
      return entry.path();
    }
    ADD_FAILURE() << "no package " << begin << " of " << kind;
    return "";
  }
  static void expect_a_load(const Root& root) {
    const Outcome load = root.run({"/usr/bin/edagen", "--phase", "mixed", "--clients", "1", "--mount", "/mnt",
                                   "--dataset-scale", "0.02", "--warmup", "200ms", "--duration", "1s", "--rate", "100",
                                   "--progress", "never", "--json", "/tmp/r.json"});
    EXPECT_TRUE(load.status == 0 || load.status == 5) << load.out << load.err;  // 5: this host is busy
    EXPECT_EQ(nlohmann::json::parse(std::ifstream(root / "tmp/r.json"))["status"], "complete");
    EXPECT_TRUE(fs::is_empty(root / "mnt"));
    EXPECT_EQ(root.run({"/usr/bin/edagen", "report", "/tmp/r.json", "--html", "/tmp/r.html"}).status, 0);
    EXPECT_GT(fs::file_size(root / "tmp/r.html"), 200'000u);  // with its charts
  }
  /// The program needs neither a loader nor libraries.
  static void expect_static(const Root& root) {
    const Outcome headers = Program({"readelf", "-ldVW", root / "usr/bin/edagen"}).wait();
    EXPECT_EQ(headers.status, 0) << headers.err;
    for (const char* const word : {"INTERP", "NEEDED", "GLIBC_"})
      EXPECT_EQ(headers.out.find(word), std::string::npos) << headers.out;
  }
  static void expect_all_that_belongs_to_it(const Root& root, const std::string& zsh_directory) {
    const std::string share = root / "usr/share/";
    EXPECT_TRUE(fs::exists(root / "usr/lib/systemd/system/edagen-nightly.timer"));
    EXPECT_TRUE(fs::exists(share + "edagen/grafana/edagen.json"));
    EXPECT_TRUE(fs::exists(share + "doc/edagen/nightly/nightly.json"));
    EXPECT_TRUE(fs::exists(share + "doc/edagen/LICENSE"));
    const Outcome notices =
        shell("grep -c -e '^Upstream-Name: chart.js' -e '^License: BSD-3-clause' " + share + "doc/edagen/copyright");
    EXPECT_EQ(notices.status, 0) << notices.out << notices.err;

    const Outcome page = shell("MANWIDTH=80 man -l " + share + "man/man1/edagen.1*");
    EXPECT_NE(page.out.find("edagen - EDA workload generator"), std::string::npos) << page.out << page.err;
    EXPECT_NE(page.out.find("--phase"), std::string::npos) << page.out;

    // As bash-completion finds it when the Tab key is pressed.
    const Outcome bash = Program({"bash", "-c", R"(source /usr/share/bash-completion/bash_completion
        _completion_loader edagen
        COMP_WORDS=(edagen cu); COMP_CWORD=1; _edagen; echo "${COMPREPLY[*]}"
        COMP_WORDS=(edagen --pha); _edagen; echo "${COMPREPLY[*]}"
        complete -p edagen)"},
                                 {{"XDG_DATA_DIRS", share}})
                             .wait();
    EXPECT_EQ(bash.out, "curve\n--phase\ncomplete -o default -F _edagen edagen\n") << bash.err;

    const Outcome zsh =
        Program({"timeout", "60", "zsh", "-fc", R"(fpath=($DIRECTORY $fpath); autoload -U compinit; compinit -u -D
        zmodload zsh/zpty; zpty shell zsh -fi; zpty -w shell "PS1= fpath=($DIRECTORY \$fpath); autoload -U compinit"
        zpty -w shell "compinit -u -D; echo ready"; zpty -r shell line $'*\nready*'
        zpty -w -n shell $'edagen cu\t'; zpty -r shell line '*edagen curve*' && echo completed; zpty -d shell)"},
                {{"DIRECTORY", share + "zsh/" + zsh_directory}})
            .wait();
    EXPECT_EQ(zsh.out, "completed\n") << zsh.err;
  }
};

TEST_F(MadePackages, TheTarballIsUnpackedAndUsedWhereThereIsNothingElse) {
  const Root root;
  const std::string package = made("tar", "edagen-");
  const Outcome unpacked = Program({"tar", "-C", root.path(), "-xf", package, "--strip-components=1"}).wait();
  ASSERT_EQ(unpacked.status, 0) << unpacked.err;
  expect_static(root);
  expect_all_that_belongs_to_it(root, "site-functions");
  expect_a_load(root);
}

TEST_F(MadePackages, TheRpmNeedsNothingAndIsInstalledWhereThereIsNothingElse) {
  const Root root;
  const std::string package = made("rpm", "edagen-");
  const Outcome needs = shell("rpm -qp --requires " + package + " | grep -v '^rpmlib('");
  EXPECT_EQ(needs.out, "") << "besides what rpm itself is able to do";
  const Outcome about =
      Program({"rpm", "-qp", "--qf", "%{NAME} %{ARCH} %{PAYLOADCOMPRESSOR} %{SUGGESTS}", package}).wait();
  EXPECT_EQ(about.out, "edagen x86_64 xz nfs-utils");
  const Outcome installed = Program({"rpm", "--root", root.path(), "-i", package}).wait();
  ASSERT_EQ(installed.status, 0) << installed.err;
  expect_static(root);
  expect_all_that_belongs_to_it(root, "site-functions");
  expect_a_load(root);

  const TemporaryDirectory unpacked;  // the same files without an rpm that installs
  ASSERT_EQ(shell("cd " + unpacked.path() + " && rpm2cpio " + package + " | cpio -idm --quiet").status, 0);
  EXPECT_EQ(shell("diff -r " + unpacked.path() + "/usr " + root.path() + "/usr").out, "");
}

TEST_F(MadePackages, TheDebsAreInstalledOnABareDebianWithWhatTheyDependOn) {
  const Root root;
  const std::string program = made("deb", "edagen_"), mpi = made("deb", "edagen-mpi_");
  const Outcome debian =
      Program({"unshare", "--mount", "debootstrap", "--variant=minbase", "bookworm", root.path()}).wait();
  ASSERT_EQ(debian.status, 0) << debian.out << debian.err;
  fs::copy(program, root / "tmp/edagen.deb");
  fs::copy(mpi, root / "tmp/edagen-mpi.deb");
  const Words install = {"env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install",
                         "-y",  "--no-install-recommends"};
  const auto installed = [&](const Words& packages) {
    const Outcome outcome = root.run(together(install, packages));
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  };
  installed({"/tmp/edagen.deb"});
  expect_all_that_belongs_to_it(root, "vendor-completions");
  expect_a_load(root);

  installed({"/tmp/edagen-mpi.deb", "openmpi-bin"});
  installed({"mpich"});
  for (const char* const launcher : {"mpirun.openmpi --allow-run-as-root --oversubscribe", "mpirun.mpich"}) {
    fs::remove(root / "tmp/r.json");
    const Outcome run = root.run(
        {"sh", "-c",
         std::string(launcher) + " -n 2 edagen --phase mixed --clients 2 --mount /mnt --dataset-scale 0.02 --rate 100" +
             " --warmup 200ms --duration 1s --progress never --json /tmp/r.json"});
    EXPECT_TRUE(run.status == 0 || run.status == 5) << launcher << run.out << run.err;
    const auto result = nlohmann::json::parse(std::ifstream(root / "tmp/r.json"));
    EXPECT_EQ(result["load_points"][0]["hosts"].size(), 2u) << launcher;
  }
  const Outcome recommended = Program({"dpkg-deb", "-f", mpi, "Recommends"}).wait();
  EXPECT_EQ(recommended.out, "openmpi-bin | mpich\n");
}

}  // namespace
}  // namespace edagen::testing
