// Nights on real directories of this machine, one of which becomes slower.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/text_file.hpp"
#include "nights/history.hpp"
#include "nights/history_file.hpp"
#include "nights/night_changes.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

constexpr std::size_t nights = 20, slow_ones = 5;

/// Three load points. Each op of the file system takes 3 ms, beside which the scatter of a busy machine is small.
json curve_on(const std::string& name, const StallFs& volume) {
  return {{"name", name},
          {"run",
           {"curve", "--phase",          "functional", "--mount",  volume.path(), "--points",   "3",  "--max-rate",
            "60",    "--latency-target", "50ms",       "--warmup", "300ms",       "--duration", "4s", "--dataset-scale",
            "0.01",  "--file-size",      "16k",        "--spin",   "off"}},
          {"require", {{"fs", "fuse"}}}};
}

std::size_t regressions_of(const Night& night, const std::string& measurement) {
  std::size_t count = 0;
  for (const FigureVerdict& figure : night.judgement->figures)
    count += figure.verdict == NightVerdict::regression && figure.measurement == measurement ? 1 : 0;
  return count;
}

TEST(RealNights, OfThreeVolumesTheOneThatIsSlowedIsFoundAndNoOther) {
  EDAGEN_SLOW_TEST();
  const TemporaryDirectory here;
  const std::array<StallFs, 3> volumes;
  const std::array<std::string, 3> names = {"projects", "scratch", "tools"};
  for (const StallFs& volume : volumes)
    if (!volume.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  json config = {{"schema", "edagen.nightly/1"},     {"history", "history"},
                 {"measurements", json::array()},    {"max_runs", 3},
                 {"false_alarms_percent", 0.1},      {"max_regression_percent", 25},
                 {"max_tail_regression_percent", 60}};
  for (std::size_t i = 0; i < 3; ++i) {
    config["measurements"].push_back(curve_on(names[i], volumes[i]));
    volumes[i].order("delay 3000");
  }
  const std::string file = here.write("nightly.json", config.dump());
  for (std::size_t i = 0; i < nights; ++i) {
    if (i == nights - slow_ones) volumes[1].order("delay 6000");
    const Outcome outcome = edagen({"nightly", "--quiet", "--config", file});
    EXPECT_EQ(outcome.status == 3, i >= nights - slow_ones) << i << ":\n" << outcome.out << outcome.err;
  }
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), nights);
  for (std::size_t i = 0; i < nights; ++i)
    for (const std::string& name : names) {
      const std::size_t found = regressions_of(history.nights[i], name);
      EXPECT_EQ(found > 0, name == "scratch" && i >= nights - slow_ones) << i << " " << name;
    }
  std::size_t changes = 0;
  for (const NightChange& change : changes_of(history.nights, series_of(history.nights))) {
    EXPECT_EQ(change.measurement, "scratch") << change.figure << " since " << change.night;
    EXPECT_EQ(change.night, nights - slow_ones) << change.figure;
    EXPECT_FALSE(change.better);
    ++changes;
  }
  EXPECT_GT(changes, 0u);
  const std::string page = here / "history/index.html";
  EXPECT_EQ(edagen({"history", here / "history", "--html", page}).status, 0);
  EXPECT_NE(read_text_file(page, 64 * MiB).find("results/"), std::string::npos);
}

}  // namespace
}  // namespace edagen::testing
