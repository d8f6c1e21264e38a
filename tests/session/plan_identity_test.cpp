#include "session/plan_identity.hpp"

#include <gtest/gtest.h>

#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

RunPlan plan() {
  RunPlan made;
  made.workload = load_workload("eda_mixed");
  made.volume = load_volume("regular");
  LoadSeries series;
  series.load.rate = OpenLoop{500};
  series.load.duration = 10s;
  made.measurement = series;
  return made;
}

std::string changed_by(const std::function<void(RunPlan&)>& change) {
  RunPlan other = plan();
  change(other);
  return identity_difference(plan_identity(plan(), {}), plan_identity(other, {}));
}

LoadPoint& load_of(RunPlan& plan) { return std::get<LoadSeries>(plan.measurement).load; }

TEST(PlanIdentity, EqualPlansAreEqual) {
  EXPECT_EQ(changed_by([](RunPlan&) {}), "");
  EXPECT_EQ(changed_by([](RunPlan& other) {
              other.command = {"edagen"};
              other.keep_dataset = true;
              other.stuck_after = 5s;
            }),
            "")
      << "what does not change the figures";
}

TEST(PlanIdentity, WhatDiffersIsNamed) {
  EXPECT_TRUE(changed_by([](RunPlan& other) { load_of(other).rate = OpenLoop{900}; }).starts_with("load '500 ops/s, "));
  EXPECT_NE(changed_by([](RunPlan& other) { load_of(other).rate = OpenLoop{900}; }).find("' is '900 ops/s, "),
            std::string::npos);
  EXPECT_EQ(changed_by([](RunPlan& other) { other.seed = 2; }), "seed '1' is '2' now");
  EXPECT_EQ(changed_by([](RunPlan& other) { other.clients = 2; }),
            "procs '1 client x 5 procs' is '2 clients x 5 procs' now");
  EXPECT_TRUE(changed_by([](RunPlan& other) { load_of(other).duration = 20s; }).starts_with("load "));
  EXPECT_TRUE(changed_by([](RunPlan& other) { other.file_size = 4 * MiB; }).starts_with("dataset 'what fits' is"));
  EXPECT_EQ(identity_difference({}, plan_identity(plan(), {})), "it does not say which");
}

TEST(PlanIdentity, WhatWordsDoNotSayIsInADigest) {
  EXPECT_TRUE(
      changed_by([](RunPlan& other) { other.workload.proc_kinds[0].weights[0] += 1; }).starts_with("workload "));
  EXPECT_TRUE(changed_by([](RunPlan& other) {
                other.workload.proc_kinds[1].read_size = SizeDistribution::uniform(1, 9);
              }).starts_with("workload "));
  EXPECT_TRUE(
      changed_by([](RunPlan& other) { std::get<VolumeModel>(other.volume).parts += 1; }).starts_with("volume "));
  EXPECT_TRUE(changed_by([](RunPlan& other) { load_of(other).drop_caches = true; }).starts_with("load "));
}

TEST(PlanIdentity, ArrivalsOfACurveAreInADigest) {
  const auto curve_of = [](Arrivals arrivals) {
    RunPlan made = plan();
    CurvePlan curve;
    curve.targets = {2ms};
    curve.arrivals = arrivals;
    made.measurement = curve;
    return plan_identity(made, {});
  };
  EXPECT_TRUE(identity_difference(curve_of(Arrivals::uniform), curve_of(Arrivals::poisson)).starts_with("load "));
}

TEST(PlanIdentity, DirectoriesAreWhatIsMountedThere) {
  const testing::TemporaryDirectory folder;
  RunPlan on_files = plan();
  on_files.volume = MountDirectories{{folder.path()}};
  std::vector<MountDirectory> mounts = check_mounts({folder.path()});
  const PlanIdentity before = plan_identity(on_files, mounts);
  mounts[0].info.options += ",mountport=55490";
  EXPECT_EQ(identity_difference(before, plan_identity(on_files, mounts)), "") << "another one after each mount";
  mounts[0].info.options += ",nocto";
  EXPECT_TRUE(
      identity_difference(before, plan_identity(on_files, mounts)).starts_with("mount " + folder.path() + " '"));
}

TEST(PlanIdentity, ADirectoryOfEachHostIsNamedAsItWasGivenAndNotAsThatOfOneHost) {
  const testing::TemporaryDirectory folder;
  RunPlan on_files = plan();
  on_files.volume = MountDirectories{{folder / "{host}"}};
  const PlanIdentity identity = plan_identity(on_files, check_mounts({folder.path()}));
  EXPECT_TRUE(identity.contains("mount " + (folder / "{host}")));
  EXPECT_FALSE(identity.contains("mount " + folder.path()));
}

TEST(PlanIdentity, TuningsAreTheirOptionsSysctlsAndReadAhead) {
  RunPlan one = plan();
  one.volume = TunedExport{"s:/x", {"a name", "vers=3", {}, {}}};
  RunPlan other = one;
  std::get<TunedExport>(other.volume).tuning.name = "another";
  EXPECT_EQ(plan_identity(one, {}), plan_identity(other, {}));
  std::get<TunedExport>(other.volume).tuning.read_ahead_kib = 512;
  EXPECT_EQ(identity_difference(plan_identity(one, {}), plan_identity(other, {})),
            "volume 's:/x -o vers=3' is 's:/x -o vers=3 read-ahead 512 KiB' now");
}

}  // namespace
}  // namespace edagen
