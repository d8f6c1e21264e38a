// Nights as a timer starts them.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/text_file.hpp"
#include "nights/history_file.hpp"
#include "support/nightly.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST(NightlyCommand, EachNightIsALineBesideItsResults) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"junit", "n.xml"}, {"hook", "echo told $EDAGEN_VERDICT >&2"}});
  for (int i = 0; i < 4; ++i) {
    const Outcome outcome = night(file);
    EXPECT_TRUE(outcome.status == 6 || outcome.status == 0) << outcome.err;
    EXPECT_NE(outcome.err.find("told "), std::string::npos);
  }
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 4u);
  EXPECT_EQ(history.left_out, 0u);
  for (std::size_t i = 0; i < 4; ++i) {
    const Night& each = history.nights[i];
    EXPECT_EQ(each.status, Status::complete);
    ASSERT_FALSE(each.measurements[0].runs.empty());
    EXPECT_EQ(each.measurements[0].comparable, history.nights[0].measurements[0].comparable) << "whatever its seed is";
    const std::string result = here / "history/" + each.measurements[0].runs[0].file;
    EXPECT_TRUE(fs::exists(result)) << result;
    EXPECT_TRUE(fs::exists(fs::path(result).replace_extension(".html")));
  }
  EXPECT_NE(history.nights[0].measurements[0].runs[0].figures[0].value,
            history.nights[1].measurements[0].runs[0].figures[0].value);
  EXPECT_TRUE(history.nights[3].judgement->figures[0].change.has_value());
  EXPECT_TRUE(fs::exists(here / "n.xml"));
}

TEST(NightlyCommand, NightsOfAFullHistoryHaveOtherSeedsToo) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"max_runs", 1}, {"nights", 3}, {"keep_nights", 10}});
  for (int i = 0; i < 13; ++i) night(file);
  std::set<std::optional<double>> values;
  for (const Night& each : read_history(here / "history").nights)
    values.insert(each.measurements.at(0).runs.at(0).figures.at(0).value);
  EXPECT_EQ(values.size(), 10u);
}

TEST(NightlyCommand, EachOfSeveralReferencesIsMeasuredInTheSameNightByOtherRandomNumbers) {
  const TemporaryDirectory here;
  json measurement = simulated();
  measurement["reference"] = json::array();  // pairs of strings would be an object
  for (int i = 0; i < 3; ++i) measurement["reference"].push_back(json::array({"--target", "sim:mm1"}));
  const std::string file = config(here, {measurement}, {{"max_runs", 1}});
  for (int i = 0; i < 4; ++i) night(file);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 4u);
  std::set<double> values;
  for (const NightRun& run : history.nights[3].measurements[0].runs) {
    values.insert(run.figures.at(0).value.value());
    EXPECT_TRUE(fs::exists(here / "history/" + run.file)) << run.file;
  }
  EXPECT_EQ(values.size(), 4u);
  EXPECT_EQ(history.nights[3].measurements[0].runs[3].reference_number, 3u);
  EXPECT_EQ(history.nights[3].measurements[0].further_references.size(), 2u);
  EXPECT_TRUE(history.nights[3].judgement->figures[0].against_reference);
}

/// 20,000 ops/s of a volume that carries 14,400.
TEST(NightlyCommand, ANightWhoseRunsAreInvalidSaysSoWhereverItsVerdictIsTold) {
  const TemporaryDirectory here;
  const json overloaded = {
      {"name", "m"},
      {"run", {"run", "--target", "sim:regular", "--phase", "mixed", "--rate", "20000", "--duration", "2s"}}};
  const std::string file = config(here, {overloaded},
                                  {{"max_runs", 1},
                                   {"json", "n.json"},
                                   {"junit", "n.xml"},
                                   {"markdown", "n.md"},
                                   {"hook", "echo \"$EDAGEN_SUMMARY\" > told"}});
  const std::string said = "m-1.json is INVALID: achieved_rate_low";
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.out.find(said), std::string::npos) << outcome.out;
  const std::string first = outcome.out.substr(0, outcome.out.find('\n'));
  EXPECT_NE(first.find("Z, INVALID: achieved_rate_low, "), std::string::npos) << first;
  for (const char* const output : {"n.json", "n.xml", "told", "history/nights.jsonl"})
    EXPECT_NE(read_text_file(here / output, MiB).find(said), std::string::npos) << output;
  EXPECT_NE(read_text_file(here / "n.md", MiB).find("is INVALID: achieved\\_rate\\_low"), std::string::npos);
  EXPECT_NE(edagen({"check", "--history", here / "history"}).out.find(said), std::string::npos);
  const std::string history = edagen({"history", here / "history"}).out;  // is wrapped
  EXPECT_NE(history.find("achieved_rate_low"), std::string::npos) << history;
}

TEST(NightlyCommand, AMountThatIsMissingIsToldAndTheOthersAreMeasured) {
  const TemporaryDirectory here;
  const std::string file = config(here, {mounted(here / "gone"), simulated()});
  const Outcome outcome = night(file);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("dir: "), std::string::npos) << outcome.err;
  fs::create_directory(here / "gone");
  EXPECT_EQ(night(file).status, 6);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 2u);
  EXPECT_EQ(history.nights[0].status, Status::failed);
  EXPECT_FALSE(history.nights[0].measurements[1].runs.empty());
  EXPECT_EQ(history.nights[1].status, Status::complete);
}

TEST(NightlyCommand, AMeasurementThatCannotBeRunIsTheVerdictWhereverItIsTold) {
  const TemporaryDirectory here;
  const std::string file = config(here, {mounted(here / "gone"), simulated()},
                                  {{"junit", "n.xml"},
                                   {"markdown", "n.md"},
                                   {"hook", "cat > stdin.json; echo \"$EDAGEN_VERDICT|$EDAGEN_SUMMARY\" > told"}});
  const Outcome outcome = night(file);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("\nfailed: dir: "), std::string::npos) << outcome.out;
  const std::string told = read_text_file(here / "told", MiB);
  EXPECT_TRUE(told.starts_with("failed|failed: dir: ")) << told;
  const json judgement = json::parse(read_text_file(here / "stdin.json", MiB));
  EXPECT_EQ(judgement["verdict"], "failed");
  EXPECT_EQ(judgement["failures"][0]["measurement"], "dir");
  const std::string junit = read_text_file(here / "n.xml", MiB);
  EXPECT_NE(junit.find("errors=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase classname=\"edagen.dir\" name=\"measurement\"><error message=\""), std::string::npos);
  EXPECT_NE(read_text_file(here / "n.md", MiB).find("failed: dir: "), std::string::npos);
  const Outcome again = edagen({"check", "--history", here / "history"});
  EXPECT_EQ(again.status, 1) << "the gate says the same of that night";
  EXPECT_NE(again.out.find("failed: dir: "), std::string::npos) << again.out;
}

TEST(NightlyCommand, ARunThatEndsByErrorsIsAFailureOfTheNight) {
  const TemporaryDirectory here;
  const StallFs volume;
  if (!volume.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  volume.order("fail 5 write");
  json failing = mounted(volume.path(), "2s");
  failing["run"].insert(failing["run"].end(), {"--max-errors", "0", "--file-size", "4k"});
  const Outcome outcome = night(config(here, {failing}, {{"max_runs", 1}}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("\nfailed: dir: "), std::string::npos) << outcome.out << outcome.err;
}

/// Told and not measured: nothing is mounted where something is to be.
TEST(NightlyCommand, AVolumeThatIsNotMountedIsNotMistakenForTheDiskBelowIt) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const auto file = [&](const json& needs) {
    json measurement = mounted(here / "volume");
    measurement["require"] = needs;
    return config(here, {measurement}, {{"max_runs", 1}});
  };
  const Outcome missing = night(file({{"mount_points", {"volume"}}}));
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.out.find("nothing is mounted there"), std::string::npos) << missing.out;
  EXPECT_FALSE(fs::exists(here / "volume/edagen.data"));
  const Outcome other = night(file({{"fs", "nfs"}}));
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.out.find("and nfs is required"), std::string::npos) << other.out;
  const SmallDisk disk(here / "volume", 80 * 1024);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  EXPECT_EQ(night(file({{"mount_points", {"volume"}}, {"fs", "tmpfs"}})).status, 6);
}

TEST(NightlyCommand, AVolumeThatIsOnAnotherDeviceThanBeforeIsToldAlsoWhereMountsMayDiffer) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file =
      config(here, {mounted(here / "volume")}, {{"max_runs", 1}, {"allow_differences", {"mount"}}});
  {
    const SmallDisk disk(here / "volume", 80 * 1024);
    if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
    night(file);
  }
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.out.find("and was on 'tmpfs "), std::string::npos) << outcome.out;
}

TEST(NightlyCommand, OutputsOnTheCommandLineAreOfTheSameVerdict) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"max_regression_percent", 7}, {"junit", "of-the-file.xml"}});
  const Outcome outcome = edagen({"nightly", "--config", file, "--json", "-", "--junit", here / "n.xml"});
  EXPECT_EQ(json::parse(outcome.out)["max_regression"], 0.07) << outcome.out;
  EXPECT_TRUE(fs::exists(here / "n.xml"));
  EXPECT_FALSE(fs::exists(here / "of-the-file.xml"));
}

TEST(NightlyCommand, EachLineOfALogBeginsWithItsTime) {
  const TemporaryDirectory here;
  const Outcome outcome = night(config(here, {mounted(here / "gone"), simulated()}));
  const std::regex dated(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d edagen: .*)");
  std::istringstream lines(outcome.err + night(here / "none.json").err);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(std::regex_match(line, dated)) << line;
  EXPECT_GE(count, 3u);
}

TEST(NightlyCommand, ABadConfigurationIsRefusedInOneLineThatNamesThePlace) {
  const TemporaryDirectory here;
  const auto refused = [&](const std::string& file, const std::string& what) {
    const Outcome outcome = night(file);
    EXPECT_TRUE(is_refused(outcome, what));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(here / "history"));
  };
  json unknown = simulated(), twice = simulated(), output = simulated(), other = simulated();
  unknown["run"].push_back("--moon");
  output["run"].push_back("--json");
  output["run"].push_back("x.json");
  other["run"][0] = "compare";
  refused(config(here, {unknown}), "#/measurements/0/run");
  refused(config(here, {simulated(), twice}), "#/measurements/1/name: is there twice");
  refused(config(here, {output}), "output option");
  refused(config(here, {other}), "begins with 'compare'");
  refused(config(here, {simulated()}, {{"max_run", 3}}), "max_runs");
  refused(config(here, {simulated()}, {{"allow_differences", {"kernels"}}}), "did you mean 'kernel'?");
  json typo = simulated(), needs = simulated();
  typo["run"][3] = "--targte";
  needs["require"] = {{"fs", "nfs"}};
  refused(config(here, {typo}), "#/measurements/0/run: --targte: unknown option (did you mean '--target'?)");
  refused(config(here, {needs}), "#/measurements/0/require: is for volumes of --mount");
  refused(here / "none.json", "cannot be read");
}

TEST(NightlyCommand, ADryRunSaysWhatTheNightWouldDoAndTouchesNothing) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file =
      config(here, {simulated(), mounted(here / "volume", "30s")},
             {{"max_runs", 2}, {"junit", "n.xml"}, {"hook", "touch ran"}, {"since", "2026-01-02"}});
  const Outcome outcome = edagen({"nightly", "--dry-run", "--config", file});
  EXPECT_EQ(outcome.status, 0);
  for (const std::string& said :
       {std::string("night: 2 measurements, up to 2 runs of each"), (here / "history") + ", which is new",
        std::string("60 s for a run of each at most, 2 min with all runs"), "output   --junit " + (here / "n.xml"),
        std::string("hook     touch ran"), std::string("since 2026-01-02"), std::string("300 ops/s"),
        "mount    " + (here / "volume")})
    EXPECT_NE(outcome.out.find(said), std::string::npos) << said << "\n" << outcome.out;
  for (const char* const made : {"history", "n.xml", "ran", "volume/edagen.data"})
    EXPECT_FALSE(fs::exists(here / made));
}

}  // namespace
}  // namespace edagen::testing
