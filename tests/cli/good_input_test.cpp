// Input that is written as people write it, and what is read whatever its name or state is.
#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(GoodInput, QuantitiesMayBeWrittenAsPeopleWriteThem) {
  const Outcome outcome =
      edagen({"run", "--phase", "functional", "--target", "sim:regular", "--clients", "1,000", "--rate", "20,000",
              "--duration", "1h30m", "--file-size", "64kB", "--seed", "18446744073709551615", "--dry-run"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* const part : {"1,000 clients", "20,000 ops/s", "90 min measured", "x 64 KiB"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
}

TEST(GoodInput, APlanNamesTheLeastNumbersOfFilesInsteadOfAFactorThatTheyDoNotHave) {
  const auto plan_at = [](const char* scale) {
    return edagen({"--phase", "functional", "--target", "sim:regular", "--dataset-scale", scale, "--dry-run"}).out;
  };
  const std::string least = plan_at("1e-9"), some = plan_at("0.01"), most = plan_at("0.1");
  EXPECT_NE(least.find("and 16 empty files per proc, the least numbers that the workload can have\n"),
            std::string::npos)
      << least;
  EXPECT_EQ(least.find("1e-09"), std::string::npos) << least;
  EXPECT_NE(some.find("and 16 empty files per proc, 0.01 times the workload's own numbers, and the least number of "
                      "empty files\n"),
            std::string::npos)
      << some;
  EXPECT_NE(most.find(" and 120 empty files per proc, 0.1 times the workload's own numbers\n"), std::string::npos)
      << most;
}

TEST(GoodInput, AJournalIsReadWhateverItsNameIs) {
  const TemporaryDirectory folder;
  const std::vector<std::string> load = {"--phase",  "functional", "--rate",     "100",
                                         "--warmup", "0s",         "--duration", "1s"};
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", "--target", "sim:regular"},
           {"compare", "--repeat", "2", "--volume", "a=sim:regular", "--volume", "b=sim:large"}}) {
    edagen(together(together(words, load), {"--journal", folder / "run.log"}));
    const Outcome report = edagen({"report", folder / "run.log"});
    EXPECT_EQ(report.status, 0) << report.err;
    EXPECT_NE(report.out.find("complete"), std::string::npos) << report.out;
  }
}

TEST(GoodInput, AJournalWithBrokenLinesIsReportedAndStderrSaysHowMany) {
  const TemporaryDirectory folder;
  const Outcome run = edagen({"run", "--phase", "functional", "--target", "sim:regular", "--warmup", "0s", "--duration",
                              "1s", "--journal", "-"});
  const std::string rest = run.out.substr(run.out.find('\n') + 1);
  const std::string file =
      folder.write("j.jsonl", run.out.substr(0, run.out.size() - rest.size()) + "5\n{\"type\":\"inter" + rest);
  const Outcome report = edagen({"report", file});
  EXPECT_EQ(report.status, 0) << report.err;
  const std::size_t bytes = 1 + std::string("{\"type\":\"inter").size() + rest.find('\n');
  EXPECT_EQ(report.err, "edagen: " + file + ": 2 broken lines were left out, " + std::to_string(bytes) + " bytes\n");
  EXPECT_NE(report.out.find("I/O rate, ops/s"), std::string::npos) << report.out;
}

TEST(GoodInput, APlanOfASweepHasTheRangeOfItsDepths) {
  const Outcome sweep = edagen(
      {"curve", "--workload", "fio/8k-randread", "--target", "sim:regular", "--sweep", "io-depth=4,1,2", "--dry-run"});
  EXPECT_NE(sweep.out.find("  I/O      depth 1 to 4 (simulated)"), std::string::npos) << sweep.out << sweep.err;
}

TEST(GoodInput, APlanHasTheDepthAndTheCachesOfEachKindOfProcs) {
  const TemporaryDirectory folder;
  const std::string job = folder.write("j.fio",
                                       "[global]\nioengine=libaio\ndirect=1\nrw=randread\nbs=8k\nsize=16m\n"
                                       "[shallow]\n[deep]\niodepth=32\ndirect=0\n"),
                    workload = folder / "w.json";
  ASSERT_EQ(edagen({"workloads", "import-fio", job, "--output", workload}).status, 0);
  const Outcome run = edagen({"--workload", workload, "--target", "sim:regular", "--dry-run"});
  EXPECT_NE(
      run.out.find("  I/O      depth 1 of shallow and 32 of deep (simulated), O_DIRECT of shallow and buffered of "
                   "deep\n"),
      std::string::npos)
      << run.out << run.err;
}

TEST(GoodInput, HelpAndVersionAreWordsToo) {
  EXPECT_EQ(edagen({"help"}).out, edagen({"--help"}).out);
  EXPECT_EQ(edagen({"version"}).out, edagen({"--version"}).out);
  EXPECT_EQ(edagen({"version", "--help"}).out, edagen({"--help"}).out);
  const Outcome curve = edagen({"help", "curve"});
  EXPECT_EQ(curve.status, 0);
  EXPECT_EQ(curve.out, edagen({"curve", "--help"}).out);
  EXPECT_NE(curve.out.find("--latency-target"), std::string::npos);
}

}  // namespace
}  // namespace edagen
