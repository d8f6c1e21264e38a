#include "cli/nightly_config.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "support/paths.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(NightlyConfig, TheExampleIsOne) {
  const NightPlan plan = read_night_plan(testing::source_path("examples/nightly/nightly.json"), {"edagen"});
  ASSERT_EQ(plan.measurements.size(), 2u);
  EXPECT_EQ(plan.directory, "/var/lib/edagen");
  EXPECT_TRUE(std::holds_alternative<CurvePlan>(plan.measurements[0].plan.measurement));
  EXPECT_EQ(std::get<MountDirectories>(plan.measurements[0].references.at(0).volume).paths.at(0),
            "/mnt/reference1/edagen");
  EXPECT_EQ(plan.measurements[0].references.size(), 3u);
  EXPECT_EQ(std::get<LoadSeries>(plan.measurements[1].plan.measurement).load.requested_ops_per_sec(), 2000);
  EXPECT_EQ(plan.time_limit, std::chrono::hours(4));
}

TEST(NightlyConfig, PathsAreBesideTheFileWhereverItIsReadFrom) {
  const testing::TemporaryDirectory here;
  here.write("w.json", R"({"schema": "edagen.workload/1", "name": "own", "extends": "eda_mixed"})");
  const std::string file = here.write("n.json", R"({"schema": "edagen.nightly/1", "history": "h", "junit": "x/j.xml",
    "hook": "true", "measurements": [{"name": "m", "run": ["run", "--workload", "w.json", "--mount", "a", "--target",
    "posix:b"], "reference": ["--mount", "../r"], "require": {"mount_points": ["."], "fs": "nfs"}}]})");
  const NightPlan plan = read_night_plan(file, {});
  const PlannedMeasurement& measurement = plan.measurements.at(0);
  EXPECT_EQ(measurement.plan.workload.name, "own");
  EXPECT_EQ(std::get<MountDirectories>(measurement.plan.volume).paths,
            (std::vector<std::string>{here / "a", here / "b"}));
  EXPECT_EQ(std::get<MountDirectories>(measurement.references.at(0).volume).paths.at(0),
            std::filesystem::path(here.path()).parent_path() / "r");
  EXPECT_EQ(measurement.needs.mount_points.at(0), here.path() + "/");
  EXPECT_EQ(plan.hook.directory, here.path());
  EXPECT_EQ(plan.directory, here / "h");
  EXPECT_EQ(plan.outputs.at(0).place.path, here / "x/j.xml");
}

TEST(NightlyConfig, AMeasurementIsNotNamedAsTheReferenceOfAnother) {
  const testing::TemporaryDirectory here;
  const auto read = [&](const std::string& name) {
    return read_night_plan(here.write("n.json", R"({"schema": "edagen.nightly/1", "history": "h", "measurements": [
      {"name": ")" + name + R"(", "run": ["run", "--phase", "mixed", "--target", "sim:mm1"]},
      {"name": "a", "run": ["run", "--phase", "mixed", "--target", "sim:mm1"], "reference": ["--target", "sim:mm8"]}]})"),
                           {});
  };
  EXPECT_THROW(read("a-reference"), Error);
  EXPECT_EQ(read("a-reference2").measurements.size(), 2u);
}

TEST(NightlyConfig, FewerNightsThanAreComparedAreNotKept) {
  const testing::TemporaryDirectory here;
  const std::string rest =
      R"("measurements": [{"name": "m", "run": ["run", "--phase", "mixed", "--target", "sim:mm1"]}]})";
  const auto read = [&](const std::string& members) {
    return read_night_plan(here.write("n.json", R"({"schema": "edagen.nightly/1", "history": "h", )" + members + rest),
                           {});
  };
  EXPECT_THROW(read(R"("keep_nights": 29, )"), Error);
  EXPECT_EQ(read(R"("keep_nights": 12, "nights": 12, )").keep_nights, 12u);
}

TEST(NightlyConfig, WordsThatWouldBeIgnoredOrAskForHelpAndTimesThatAreNoneAreRefusedInOneLine) {
  const testing::TemporaryDirectory here;
  const auto said_of = [&](const std::string& run, const std::string& reference, const std::string& since) {
    const std::string file = here.write(
        "n.json", R"({"schema": "edagen.nightly/1", "history": "h", "since": ")" + since +
                      R"(", "measurements": [{"name": "m", "run": ["run", "--phase", "mixed", "--mount", "/a")" + run +
                      R"(], "reference": ["--mount", "/b")" + reference + "]}]}");
    const std::string error = testing::error_of([&] { read_night_plan(file, {}); });
    return error.empty() ? error : error.substr(file.size());
  };
  EXPECT_EQ(said_of("", "", "2026-01-31"), "");
  EXPECT_TRUE(said_of(R"(, "--help")", "", "2026-01-31").starts_with("#/measurements/0/run: --help: unknown option"));
  EXPECT_TRUE(said_of(R"(, "-h")", "", "2026-01-31").starts_with("#/measurements/0/run: -h: unknown option"));
  for (const char* const more : {R"(, "--rate", "20")", R"(, "--help")"})
    EXPECT_TRUE(said_of("", more, "2026-01-31").starts_with("#/measurements/0/reference: --")) << more;
  EXPECT_TRUE(said_of("", "", "2026-02-30").starts_with("#/since: '2026-02-30' is no time"));
}

TEST(NightlyConfig, AMeasurementHasSeveralReferencesEachOfAnotherVolume) {
  const testing::TemporaryDirectory here;
  const auto read = [&](const std::string& reference) {
    return read_night_plan(here.write("n.json", R"({"schema": "edagen.nightly/1", "history": "h", "measurements":
      [{"name": "m", "run": ["run", "--phase", "mixed", "--mount", "/a"], "reference": )" +
                                                    reference + "}]}"),
                           {});
  };
  const NightPlan plan = read(R"([["--mount", "/b"], ["--mount", "/c"], ["--mount", "/d"]])");
  ASSERT_EQ(plan.measurements.at(0).references.size(), 3u);
  EXPECT_EQ(std::get<MountDirectories>(plan.measurements[0].references[2].volume).paths.at(0), "/d");
  EXPECT_THROW(read(R"([["--mount", "/b"], ["--mount", "/b"]])"), Error) << "the same volume twice";
  EXPECT_THROW(read(R"([["--mount", "/b"], ["--mount", "/a"]])"), Error) << "the volume that is measured";
  for (const char* const name : {"/a", "/a/", "/a/.", "//a", "/b/../a"})
    EXPECT_THROW(read(std::string(R"(["--mount", ")") + name + R"("])"), Error) << name << ": the same by another name";
  EXPECT_THROW(read(R"(["--mount", ["/b"]])"), Error) << "words and lists of words";
}

TEST(NightlyConfig, LimitsThatAreNotGivenAreThoseOfTheGate) {
  const testing::TemporaryDirectory here;
  const NightPlan plan = read_night_plan(
      here.write("n.json",
                 R"({"schema": "edagen.nightly/1", "history": "h", "max_regression_percent": 3, "measurements":
        [{"name": "m", "run": ["run", "--phase", "mixed", "--target", "sim:mm1"], "max_tail_regression_percent": 8}]})"),
      {});
  EXPECT_EQ(plan.gate.false_alarms, GateSettings().false_alarms);
  EXPECT_EQ(plan.gate.max_regression, 0.03);
  EXPECT_EQ(plan.gate.max_tail_regression, GateSettings().max_tail_regression);
  EXPECT_EQ(plan.gate.of("m").max_regression, 0.03);
  EXPECT_EQ(plan.gate.of("m").max_tail_regression, 0.08);
}

}  // namespace
}  // namespace edagen
