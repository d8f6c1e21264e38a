#include "cli/options.hpp"

#include <gtest/gtest.h>

#include "cli/load_plan.hpp"
#include "support/paths.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using testing::TemporaryDirectory;
using Paths = std::vector<std::string>;

TEST(LoadOptions, AModelsFileIsAnInputWhateverItsQuery) {
  LoadOptions options;
  options.phase = "mixed";
  options.model = testing::source_path("workloads/volumes/regular.json?nconnect=2");
  EXPECT_EQ(options.plan({}).inputs, Paths{testing::source_path("workloads/volumes/regular.json")});
}

TEST(LoadOptions, AllFilesThatAWorkloadIsReadFromAreInputs) {
  const TemporaryDirectory folder;
  LoadOptions options;
  options.workload = folder.write("w.json", R"({"extends":"base.json","name":"mine"})");
  folder.write("base.json", R"({"schema":"edagen.workload/1","name":"base","phase":"custom",
      "blend":[{"workload":"part.json","procs":1},{"workload":"eda_physical","procs":4}]})");
  folder.write("part.json", R"({"extends":"eda_functional","name":"part"})");
  options.model = "regular";
  EXPECT_EQ(options.plan({}).inputs, (Paths{folder / "w.json", folder / "base.json", folder / "part.json"}));
}

TEST(LoadOptions, BuiltInNamesAreNoInputs) {
  LoadOptions options;
  options.workload = "fio/8k-randread";
  options.model = "regular?nconnect=2";
  EXPECT_EQ(options.plan({}).inputs, Paths{});
}

TEST(LoadOptions, TheHelpOfJobSetsSaysHowManyThereAreWithoutIt) {
  const auto procs_without = [](LoadCommand::Kind kind, const std::string& sweep = "") {
    LoadCommand command(kind);
    command.load.phase = "mixed";
    command.load.model = "regular";
    if (!sweep.empty()) command.series.sweep = parse_sweep(sweep);
    return command.plan({}).procs_per_client;
  };
  EXPECT_EQ(procs_without(LoadCommand::Kind::run), 5u);
  EXPECT_EQ(procs_without(LoadCommand::Kind::curve), 200 * 5u);
  EXPECT_EQ(procs_without(LoadCommand::Kind::curve, "clients=1,2"), 5u);
  LoadOptions options;
  CLI::App app;
  options.add_to(app);
  const std::string help = app.get_option("--job-sets")->get_description();
  EXPECT_NE(help.find("5 procs each"), std::string::npos) << help;
  EXPECT_NE(help.find("default: 1 (simulated curves and comparisons: 200)"), std::string::npos) << help;
}

TEST(LoadOptions, TheLabelFileIsAnInput) {
  const TemporaryDirectory folder;
  LoadOptions options;
  options.phase = "mixed";
  options.label_file = folder.write("labels", "storage=A\n");
  EXPECT_EQ(options.plan({}).inputs, Paths{options.label_file});
}

TEST(LoadOptions, TheHelpOfACurveSaysThatARateIsForSweepsAlone) {
  CLI::App run, curve;
  LoadCommand of_run(LoadCommand::Kind::run), of_curve(LoadCommand::Kind::curve);
  of_run.add_to(run);
  of_curve.add_to(curve);
  for (const char* const option : {"--rate", "--repeat"}) {
    EXPECT_TRUE(curve.get_option(option)->get_description().starts_with("With --sweep: ")) << option;
    EXPECT_FALSE(run.get_option(option)->get_description().starts_with("With --sweep: ")) << option;
  }
}

}  // namespace
}  // namespace edagen
