#include "workload/fio_sections.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "workload/fio_refusals.hpp"

namespace edagen {
namespace {

FioHost host() {
  FioHost made;
  made.cpus = 8, made.memory_mb = 1000, made.page_bytes = 4096;
  made.variable = [](const std::string& name) { return name == "SIZE" ? "64m" : nullptr; };
  made.read_file = [](const std::string& path) -> std::string {
    if (path == "/jobs/common.fio") return "bs=64k\ninclude more.fio\n";
    if (path == "/jobs/more.fio") return "iodepth=4\n";
    if (path == "/jobs/loop.fio") return "include loop.fio\n";
    if (path == "here.fio") return "bs=16k\n";
    throw usage_error(path, "No such file or directory");
  };
  made.has_file = [](const std::string& path) { return path == "here.fio"; };
  return made;
}
std::string value(const std::string& text, const std::string& option) {
  return fio_file_sections(text, "/jobs/a.fio", host()).front().find(option)->text();
}
std::string section_refusal(const std::string& text) {
  return testing::error_of([&] { fio_file_sections(text, "/jobs/a.fio", host()); });
}

TEST(FioSections, WhatFioExpandsIsExpanded) {
  EXPECT_EQ(value("[a]\nsize=${SIZE}\n", "size"), "64m");
  EXPECT_EQ(value("[a]\nnumjobs=$ncpus\n", "numjobs"), "8");
  EXPECT_EQ(value("[a]\nsize=10*10*1000*$mb_memory\n", "size"), "100000000");
  EXPECT_EQ(value("[a]\nbs=$pagesize\n", "bs"), "4096");
  EXPECT_EQ(section_refusal("[a]\nsize=${OTHER}\n"),
            "/jobs/a.fio:2 [a] size: ${OTHER} is not in the environment (OTHER=VALUE edagen ...)");
}

TEST(FioSections, IncludedFilesStandWhereTheyAreIncluded) {
  const std::string text = "[global]\nbs=4k\ninclude common.fio\n[a]\nrw=read\n";
  EXPECT_EQ(value(text, "bs"), "64k");
  EXPECT_EQ(value(text, "iodepth"), "4");
  EXPECT_EQ(value("[a]\ninclude=more.fio\n", "iodepth"), "4");
  EXPECT_EQ(value("[a]\ninclude here.fio\n", "bs"), "16k") << "in the current directory, which fio looks in first";
  EXPECT_EQ(section_refusal("[a]\ninclude loop.fio\n"), "/jobs/loop.fio:1: files include each other without end");
  EXPECT_EQ(section_refusal("[a]\ninclude none.fio\n"), "/jobs/none.fio: No such file or directory");
}

TEST(FioSections, ASectionWhoseNameBeginsWithGlobalIsAGlobalOne) {
  const auto sections = fio_file_sections("[global]\nsize=64m\n[global-read]\nrw=randread\n[a]\nbs=8k\n", "x", host());
  ASSERT_EQ(sections.size(), 1u);
  EXPECT_EQ(sections[0].find("rw")->text(), "randread");
  EXPECT_EQ(sections[0].find("size")->text(), "64m");
}

TEST(FioSections, KbBaseHoldsForItsSectionAndThoseBelow) {
  const auto sections = fio_file_sections("[global]\nsize=1k\n[a]\nbs=4k\nkb_base=1000\n[b]\nbs=4k\n", "x", host());
  EXPECT_EQ(fio_number(*sections[0].find("bs")), 4000);
  EXPECT_EQ(fio_number(*sections[0].find("size")), 1024);
  EXPECT_EQ(fio_number(*sections[1].find("bs")), 4096);
}

TEST(FioSections, KbBaseOfACommandLineHoldsForWhatFollowsIt) {
  const FioCommandLine line =
      fio_command_line({"--name=a", "--bs=4k", "--kb_base=1000", "--size=1m", "--name=b", "--size=1m"}, host());
  EXPECT_EQ(fio_number(*line.sections[0].find("bs")), 4096);
  EXPECT_EQ(fio_number(*line.sections[0].find("size")), 1'000'000);
  EXPECT_EQ(fio_number(*line.sections[1].find("size")), 1 << 20) << "of its own job alone";
  const FioCommandLine of_all = fio_command_line({"--size=1k", "--kb_base=1000", "--name=a", "--bs=4k"}, host());
  EXPECT_EQ(fio_number(*of_all.sections[0].find("size")), 1024);
  EXPECT_EQ(fio_number(*of_all.sections[0].find("bs")), 4000);
}

TEST(FioSections, ALaterListKeepsTheDirectionsThatItLeavesOut) {
  EXPECT_EQ(value("[global]\nbs=8k\n[a]\nbs=,64k\n", "bs"), "8k,64k") << "fio 3.33: reads of 8,192 bytes";
  EXPECT_EQ(value("[a]\nblocksize=8k,16k\nbs=32k,\n", "bs"), "32k,16k");
  EXPECT_EQ(value("[global]\nrate_iops=100\n[a]\nrate_iops=,20\n", "rate_iops"), "100,20");
  EXPECT_EQ(value("[global]\nrate_iops=100,20\n[a]\nrate_iops=50\n", "rate_iops"), "50");
}

TEST(FioSections, ALaterFilenameAddsItsFiles) {
  EXPECT_EQ(value("[global]\nfilename=g\n[a]\nfilename=j\n", "filename"), "g:j") << "fio 3.33: two files";
  const FioCommandLine line = fio_command_line({"--name=a", "--filename=x", "--name=b", "--filename=y"}, host());
  EXPECT_EQ(line.sections[1].find("filename")->text(), "y") << "another job's are its own";
}

TEST(FioSections, ACommandLineIsReadAsFioReadsIt) {
  const FioCommandLine line =
      fio_command_line({"fio", "--size=1g", "--name=a", "--rw", "randread", "-iodepth=4", "--group_reporting",
                        "--output-format=json", "--output", "x.json", "--name=b", "-rw=write", "--client=h1"},
                       host());
  ASSERT_EQ(line.sections.size(), 2u);
  EXPECT_EQ(line.sections[0].find("rw")->text(), "randread");
  EXPECT_EQ(line.sections[0].find("iodepth")->text(), "4");
  EXPECT_EQ(line.sections[0].find("size")->text(), "1g");
  EXPECT_EQ(line.sections[1].find("rw")->text(), "write");
  EXPECT_EQ(line.sections[1].find("iodepth"), nullptr);
  EXPECT_EQ(line.client, "h1");
  EXPECT_TRUE(line.files.empty());
}

TEST(FioSections, ANameOnACommandLineMayBeShortenedWhileItIsOneName) {
  const FioCommandLine line =
      fio_command_line({"--name=a", "--norandom", "--group", "--ramp=10", "--output-f=json"}, host());
  EXPECT_NE(line.sections[0].find("norandommap"), nullptr);
  EXPECT_NE(line.sections[0].find("group_reporting"), nullptr);
  EXPECT_EQ(line.sections[0].find("ramp_time")->text(), "10");
  EXPECT_THROW(fio_command_line({"--name=a", "--iodep=4"}, host()), Error) << "iodepth, iodepth_batch, ...";
}

TEST(FioSections, WhatACommandLineGivesIsWhatAJobFileBeginsWith) {
  const FioCommandLine line = fio_command_line({"jobs.fio", "--directory=/mnt/a", "--section=b"}, host());
  EXPECT_EQ(line.files, std::vector<std::string>{"jobs.fio"});
  EXPECT_EQ(line.jobs, std::vector<std::string>{"b"});
  const auto sections = fio_file_sections("[a]\nsize=1m\n[b]\nsize=2m\n", "jobs.fio", host(), line.global);
  EXPECT_EQ(sections[1].find("directory")->text(), "/mnt/a");
}

TEST(FioSections, AWordThatFioDoesNotKnowIsRefused) {
  const auto refused = [](const std::vector<std::string>& words) {
    return testing::error_of([&] { fio_command_line(words, host()); });
  };
  EXPECT_EQ(refused({"--name=a", "--io-depth=4"}), "fio [a] io-depth: is no option of fio (did you mean 'iodepth'?)");
  EXPECT_EQ(refused({"--name=a", "--rw"}), "fio [a] --rw: has no value");
}

/// What is refused by `step`, in its order.
std::vector<std::string> refusals_of(const auto& step) {
  std::vector<std::string> all;
  try {
    step();
  } catch (const FioRefusals& refusals) {
    for (const Error& each : refusals.all()) all.emplace_back(each.what());
  }
  return all;
}

TEST(FioSections, WhatACommandLineLacksIsNamedAtOnce) {
  const std::vector<std::string> words = {
      "--name=a", "--bs", "--rw=randread", "--size=", "--runtime=${T}", "--sise=1g", "--name", "--iodepth"};
  EXPECT_EQ(refusals_of([&] { fio_command_line(words, host()); }),
            (std::vector<std::string>{"fio [a] --bs: has no value", "fio [a] --size: has no value",
                                      "fio [a] --runtime: ${T} is not in the environment (T=VALUE edagen ...)",
                                      "fio [a] sise: is no option of fio (did you mean 'size'?)",
                                      "fio [a] --name: has no value", "fio [a] --iodepth: has no value"}));
  EXPECT_EQ(fio_command_line({"--name=a", "--rw", "randread", "--rate", "-1"}, host()).sections[0].find("rate")->text(),
            "-1");
}

TEST(FioSections, VariablesOfAFileThatAreNotThereAreNamedAtOnce) {
  EXPECT_EQ(refusals_of([&] { fio_file_sections("[a]\nsize=${A}\nbs=${B}\n", "a.fio", host()); }),
            (std::vector<std::string>{"a.fio:2 [a] size: ${A} is not in the environment (A=VALUE edagen ...)",
                                      "a.fio:3 [a] bs: ${B} is not in the environment (B=VALUE edagen ...)"}));
}

}  // namespace
}  // namespace edagen
