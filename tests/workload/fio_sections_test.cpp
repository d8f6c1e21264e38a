#include "workload/fio_sections.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

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
    throw usage_error(path, "No such file or directory");
  };
  return made;
}
std::string value(const std::string& text, const std::string& option) {
  return fio_file_sections(text, "/jobs/a.fio", host()).front().find(option)->text();
}
std::string section_refusal(const std::string& text) {
  try {
    fio_file_sections(text, "/jobs/a.fio", host());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
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

TEST(FioSections, WhatACommandLineGivesIsWhatAJobFileBeginsWith) {
  const FioCommandLine line = fio_command_line({"jobs.fio", "--directory=/mnt/a", "--section=b"}, host());
  EXPECT_EQ(line.files, std::vector<std::string>{"jobs.fio"});
  EXPECT_EQ(line.jobs, std::vector<std::string>{"b"});
  const auto sections = fio_file_sections("[a]\nsize=1m\n[b]\nsize=2m\n", "jobs.fio", host(), line.global);
  EXPECT_EQ(sections[1].find("directory")->text(), "/mnt/a");
}

TEST(FioSections, AWordThatFioDoesNotKnowIsRefused) {
  const auto refused = [](const std::vector<std::string>& words) -> std::string {
    try {
      fio_command_line(words, host());
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refused({"--name=a", "--io-depth=4"}), "fio [a] io-depth: is no option of fio (did you mean 'iodepth'?)");
  EXPECT_EQ(refused({"--name=a", "--rw"}), "fio --rw: has no value");
}

}  // namespace
}  // namespace edagen
