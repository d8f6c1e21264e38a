// What the commands make of automounters, of stacked mounts and of other mount tables than a simple one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

/// edagen with these words, while `directory` is an automounter's that nobody has looked into.
Outcome under_automounter(const std::string& directory, const std::vector<std::string>& words) {
  std::vector<std::string> all = {"unshare", "-m", "python3", source_path("tests/cli/automounter.py"), directory};
  for (const std::string& word : edagen_words(words)) all.push_back(word);
  return Program(all).wait();
}

bool cannot_automount(const Outcome& outcome) {
  return outcome.status == 77 || outcome.err.find("unshare") != std::string::npos;
}

TEST(MountTable, EachCommandSeesWhatTheAutomounterMounts) {
  const TemporaryDirectory folder;
  const std::string point = folder / "auto";
  std::filesystem::create_directory(point);
  const std::vector<std::string> load = {"--phase", "functional", "--procs", "1", "--dataset-scale", "0.001"};
  const auto with_load = [&](const std::vector<std::string>& words, const std::vector<std::string>& more) {
    return together(together(words, load), more);
  };
  for (const std::vector<std::string>& words :
       {with_load({"--mount", point}, {"--dry-run"}), with_load({"curve", "--mount", point}, {"--dry-run"}),
        with_load({"compare", "--volume", "a=" + point, "--volume", "b=" + point + "/."},
                  {"--dry-run", "--rate", "10"}),
        with_load({"--mount", point}, {"--rate", "20", "--warmup", "0s", "--duration", "500ms", "--progress", "never"}),
        std::vector<std::string>{"mounts", point}}) {
    const Outcome outcome = under_automounter(point, words);
    if (cannot_automount(outcome)) EDAGEN_SKIP("no automounter in this kernel, or not as this user: " << outcome.err);
    EXPECT_NE((outcome.out + outcome.err).find("tmpfs"), std::string::npos) << outcome.out << outcome.err;
    EXPECT_EQ((outcome.out + outcome.err).find("autofs"), std::string::npos) << outcome.out << outcome.err;
  }
}

TEST(MountTable, ADirectoryThatTheAutomounterKeepsForItselfIsRefused) {
  const TemporaryDirectory folder;
  const std::string table =
      folder.write("table", "22 1 254:0 / / rw - ext4 /dev/vda rw\n23 22 0:44 / " + folder.path() +
                                " rw - autofs auto.master rw,fd=4,pgrp=7,indirect\n");
  const Outcome outcome = Program({"unshare", "-m", "sh", "-c",
                                   "mount --bind " + table + " /proc/$$/mountinfo && exec " + edagen_path() +
                                       " --phase functional --dry-run --mount " + folder.path()})
                              .wait();
  if (outcome.err.find("unshare") != std::string::npos) EDAGEN_SKIP(outcome.err);
  EXPECT_TRUE(is_refused(outcome, "is the automounter's, which has mounted nothing there"));
}

/// `edagen mounts` with these texts in place of the kernel's.
Outcome mounts_of(const std::string& mountstats, const std::string& mountinfo, const std::string& directory = "") {
  const TemporaryDirectory folder;
  return Program({"unshare", "-m", "sh", "-c",
                  "mount --bind " + folder.write("stats", mountstats) + " /proc/$$/mountstats && mount --bind " +
                      folder.write("info", mountinfo) + " /proc/$$/mountinfo && exec " + edagen_path() + " mounts " +
                      directory})
      .wait();
}

TEST(MountTable, AnNfsMountWithoutCountersIsNotCalledNoNfsMount) {
  const TemporaryDirectory folder;
  const std::string info =
      "22 1 254:0 / / rw - ext4 /dev/vda rw\n30 22 0:50 / " + folder.path() + " rw - nfs 192.0.2.1:/vol rw,vers=3\n";
  for (const std::string& directory : {folder.path(), std::string()}) {
    const Outcome outcome = mounts_of("", info, directory);
    if (outcome.err.find("unshare") != std::string::npos) EDAGEN_SKIP(outcome.err);
    EXPECT_TRUE(is_refused(outcome, "/proc/self/mountstats cannot be read"));
  }
}

TEST(MountTable, OfStackedMountsTheUppermostIsListedAndTheOthersAreNamed) {
  const TemporaryDirectory folder;
  const auto stats = [&](const std::string& source, const std::string& options) {
    return "device " + source + " mounted on " + folder.path() + " with fstype nfs statvers=1.1\n\topts:\t" + options +
           "\n\txprt:\ttcp 801 1 1 0 0 1 1 0 0 0 2 0 0\n";
  };
  const auto info = [&](int id, int parent, const std::string& source) {
    return std::to_string(id) + " " + std::to_string(parent) + " 0:" + std::to_string(id) + " / " + folder.path() +
           " rw - nfs " + source + " rw\n";
  };
  const Outcome outcome = mounts_of(
      stats("192.0.2.1:/vol", "rw,vers=3,rsize=4096,hard") + stats("192.0.2.2:/vol", "rw,vers=4.1,hard"),
      "22 1 254:0 / / rw - ext4 /dev/vda rw\n" + info(50, 22, "192.0.2.1:/vol") + info(51, 50, "192.0.2.2:/vol"),
      folder.path());
  if (outcome.err.find("unshare") != std::string::npos) EDAGEN_SKIP(outcome.err);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("192.0.2.2:/vol"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("192.0.2.1:/vol"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("rsize=4096"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("hides 1 mount on the same directory"), std::string::npos) << outcome.out;
}

TEST(MountTable, StalenessIsNotMeasuredOnTwoMountsOfOneCache) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "a");
  std::filesystem::create_directory(folder / "b");
  const auto of_devices = [&](const std::string& writer, const std::string& reader) {
    const std::string table = folder.write("table", "22 1 254:0 / / rw - ext4 /dev/vda rw\n30 22 " + writer + " / " +
                                                        (folder / "a") + " rw - nfs s:/vol rw,vers=3\n31 22 " + reader +
                                                        " / " + (folder / "b") + " rw - nfs s:/vol rw\n");
    return Program({"unshare", "-m", "sh", "-c",
                    "mount --bind " + table + " /proc/$$/mountinfo && exec " + edagen_path() + " staleness --writer " +
                        (folder / "a") + " --reader " + (folder / "b") + " --duration 300ms"})
        .wait();
  };
  const Outcome shared = of_devices("0:50", "0:50");
  if (shared.err.find("unshare") != std::string::npos) EDAGEN_SKIP(shared.err);
  EXPECT_TRUE(is_refused(shared, "shares one cache of the NFS client with " + (folder / "a")));
  const Outcome apart = of_devices("0:50", "0:51");
  EXPECT_NE(apart.err.find("does not show what is made in"), std::string::npos) << "which is looked at after that";
}

TEST(MountTable, TenMountsOfOneBusyVolumeAreOneVolumeForTheAutomaticDataset) {
  // Each mount goes to an address of its own, and the real free space below changes as other tests write.
  const TemporaryDirectory folder;
  std::string table = "22 1 254:0 / / rw - ext4 /dev/vda rw\n", words;
  const auto planned = [&](int mounts) {
    table = "22 1 254:0 / / rw - ext4 /dev/vda rw\n", words.clear();
    for (int i = 0; i < mounts; ++i) {
      const std::string point = folder / ("v" + std::to_string(i));
      std::filesystem::create_directory(point);
      const std::string number = std::to_string(30 + i);
      table += number + " 22 0:" + number + " / " + point + " rw - nfs 192.0.2." + number +
               ":/vol rw,vers=3,addr=192.0.2." + number + "\n";
      words += " --mount " + point;
    }
    const Outcome outcome =
        Program({"unshare", "-m", "sh", "-c",
                 "mount --bind " + folder.write("table", table) + " /proc/$$/mountinfo && exec " + edagen_path() +
                     " --phase mixed --clients 10 --job-sets 10 --dry-run" + words + " | grep '^  dataset '"})
            .wait();
    return outcome.err.find("unshare") == std::string::npos ? outcome.out : "no name spaces";
  };
  std::string one = planned(1), ten = planned(10);
  if (one == "no name spaces") EDAGEN_SKIP(one);
  // "  dataset  498,400 files in ...": other tests may write meanwhile, but ten volumes would have ten times as many.
  const auto files_of = [](std::string& line) {
    std::erase(line, ',');
    return std::stod(line.substr(line.find_first_of("0123456789")));
  };
  EXPECT_NEAR(files_of(ten) / files_of(one), 1, 0.5) << one << ten;
}

TEST(MountTable, ExportsOfTwoServersWithOnePathAreTwoDirectories) {
  // Their roots have one inode number, as the roots of two volumes of a filer have.
  const TemporaryDirectory folder;
  std::string table = "22 1 254:0 / / rw - ext4 /dev/vda rw\n", script;
  for (const std::string& name : {std::string("a"), std::string("b")}) {
    std::filesystem::create_directory(folder / name);
    table += "3" + std::to_string(name[0] % 2) + " 22 0:5" + std::to_string(name[0] % 2) + " / " + (folder / name) +
             " rw - nfs filer-" + name + ":/vol rw,vers=3\n";
    script += "mount -t tmpfs -o size=64m none " + (folder / name) + " && sleep .05 && ";  // another time of change
  }
  folder.write("job.fio", "[job]\nfilename=x\nsize=1m\nrw=randread\nbs=8k\nnumjobs=2\n");
  const std::string program = edagen_path(), a = folder / "a", b = folder / "b";
  script += "mount --bind " + folder.write("table", table) + " /proc/$$/mountinfo && " + program +
            " workloads import-fio " + (folder / "job.fio") + " | sed 's/\"client\"/\"all\"/' >" + (folder / "w.json") +
            " && ";
  const auto planned = [&](const std::string& words, const std::string& before = "") {
    return Program({"unshare", "-m", "sh", "-c", script + before + "exec " + program + words + " --rate 10 --dry-run"})
        .wait();
  };
  const std::string on_both = " --workload " + (folder / "w.json") + " --clients 2 --mount " + a + " --mount " + b;
  const Outcome run = planned(on_both);
  if (run.err.find("unshare") != std::string::npos) EDAGEN_SKIP(run.err);
  EXPECT_NE(run.out.find("dataset  2 files"), std::string::npos) << run.out << run.err;
  const Outcome addresses = planned(on_both, "mount --bind " + a + " " + b + " && ");
  EXPECT_NE(addresses.out.find("dataset  1 file "), std::string::npos) << "one server: " << addresses.out;
  const Outcome compare =
      planned(" compare --phase functional --dataset-scale 0.01 --volume a=" + a + " --volume b=" + b);
  EXPECT_NE(compare.out.find("a and b seem to work in one directory"), std::string::npos) << compare.out << compare.err;
}

}  // namespace
}  // namespace edagen::testing
