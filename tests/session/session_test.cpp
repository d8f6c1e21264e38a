#include "edagen/session.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

#include "edagen/error.hpp"
#include "fakes/fake_network.hpp"
#include "fakes/session_fixture.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FakeTarget;
using testing::journals_in;
using testing::kept_on;
using testing::plan_on;
using testing::SessionTest;
using testing::simulated;
using testing::TemporaryDirectory;

/// Not on a tmpfs, as $TMPDIR may be.
constexpr const char* place_with_a_page_cache = "/var/tmp";

TEST_F(SessionTest, CountsTheOpsThatATargetOfOnesOwnWasAskedFor) {
  const auto target = std::make_shared<FakeTarget>();
  RunPlan plan = plan_on(target);
  std::get<LoadSeries>(plan.measurement).load.duration = 500ms;
  const Result result = session_.run(plan);
  std::uint64_t asked = 0;
  for (const auto& [proc, ops] : target->ops()) asked += ops.size();
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_GT(result.load_points[0].operations, 100u);
  EXPECT_GE(asked, result.load_points[0].operations) << "those in flight at the end do not count";
  EXPECT_EQ(result.target.kind, TargetKind::own);
  EXPECT_EQ(result.target.model, "fake");
  if (result.load_points[0].valid()) EXPECT_EQ(exit_status_of(result), exit_status::done);
  EXPECT_EQ(from_json<Result>(to_json(result)).target.kind, TargetKind::own);
}

TEST_F(SessionTest, EmitsThePlanEachPointAndTheResultAndLeavesNoJournal) {
  const Result result = session_.run(simulated());
  EXPECT_NE(watcher_.plan.find("1,000 ops/s"), std::string::npos) << watcher_.plan;
  EXPECT_EQ(watcher_.points, 1);
  EXPECT_EQ(watcher_.results, 1);
  EXPECT_EQ(watcher_.operations, result.load_points[0].operations);
  EXPECT_EQ(journals_in(state_.path()), 0u);
}

TEST_F(SessionTest, DescribesAPlanWithoutCarryingItOut) {
  const std::string text = session_.describe(simulated());
  EXPECT_NE(text.find("regular (simulated)"), std::string::npos) << text;
  EXPECT_EQ(watcher_.points + watcher_.results, 0);
  EXPECT_FALSE(std::filesystem::exists(state_ / "edagen"));
}

TEST_F(SessionTest, AMixWithoutProcsOfAPhaseIsWarnedOfInThePlanAndNotedAndInvalidInTheResult) {
  RunPlan plan = simulated();
  plan.workload = load_workload("eda_mixed");
  for (const std::uint64_t procs : {1u, 2u}) {
    plan.procs_per_client = procs;
    const std::string text = session_.describe(plan);
    EXPECT_NE(text.find("\n  warning  eda_physical has no proc: "), std::string::npos) << text;
    const Result result = session_.run(plan);
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_TRUE(result.notes[0].starts_with("eda_physical has no proc: ")) << result.notes[0];
    EXPECT_TRUE(result.load_points[0].is_invalid_for(Invalid::mix_off));
  }
  plan.procs_per_client = 5;
  EXPECT_EQ(session_.describe(plan).find("warning"), std::string::npos);
}

TEST_F(SessionTest, WritesEachOutputAndAJournalThatReadsAsTheSameResult) {
  const TemporaryDirectory folder;
  RunPlan plan = simulated();
  plan.outputs = {{{"document", folder / "r.json"}, [](const Result& result) { return dumped(to_json(result)); }, true},
                  {{"name", folder / "name"}, [](const Result& result) { return result.workload.name; }, false}};
  plan.journal = Place{"journal", folder / "j.jsonl"};
  const Result result = session_.run(plan);
  EXPECT_EQ(to_json(read_result(folder / "r.json")), to_json(result));
  EXPECT_EQ(to_json(read_result(folder / "j.jsonl")), to_json(result));
  EXPECT_EQ(std::filesystem::file_size(folder / "name"), std::string("eda_functional").size());
}

TEST_F(SessionTest, AnOutputThatCannotBeWrittenIsRefusedBeforeAnythingElse) {
  RunPlan plan = simulated();
  plan.outputs = {{{"table", "/nonexistent/x"}, [](const Result&) { return std::string(); }, false}};
  EXPECT_THROW(session_.run(plan), Error);
  EXPECT_EQ(watcher_.plan, "");
}

TEST_F(SessionTest, WhatWasMeasuredBeforeAStopIsTheResult) {
  RunPlan plan = simulated();
  std::get<LoadSeries>(plan.measurement).repeats = 5;
  watcher_.stop = &stop_;
  const Result result = session_.run(plan);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(exit_status_of(result), exit_status::interrupted);
  EXPECT_LT(result.load_points.size(), 5u);
  EXPECT_EQ(journals_in(state_.path()), 1u) << "nothing else holds it";
}

TEST_F(SessionTest, ATargetThatIsNotMadeFailsTheRun) {
  RunPlan plan = plan_on(nullptr);
  plan.volume = OwnTarget{"none", [](const auto&) { return std::unique_ptr<Target>(); }};
  EXPECT_THROW(session_.run(plan), Error);
}

TEST_F(SessionTest, ARunWhoseDatasetAnotherRunHasTakenMeanwhileHasFailed) {
  const TemporaryDirectory here;
  std::vector<DatasetLeft::Why> left;
  const EventSink take_lock = on(
      [&](const WindowBegan&) {
        here.write("edagen.data/edagen.lock", R"({"host":"elsewhere","boot":"b","since":"s","pid":7,"started":1})");
      },
      [&](const DatasetLeft& dataset) { left.push_back(dataset.why); });
  RunPlan plan = kept_on(here.path(), 2.0 * MiB);
  std::get<LoadSeries>(plan.measurement).load.duration = 500ms;
  const Result result = Session(take_lock, stop_.get_token()).run(plan);
  EXPECT_EQ(result.status, Status::failed);
  EXPECT_TRUE(result.failure.value_or("").ends_with("/edagen.data: is used by process 7 on elsewhere by now"));
  EXPECT_EQ(left, std::vector{DatasetLeft::Why::taken}) << "it is not kept for a later run of this plan";
}

TEST_F(SessionTest, ARunWhoseDatasetAnotherRunTakesEndsWithWhatItHasMeasuredAndLeavesTheDataset) {
  const TemporaryDirectory here, folder;
  const std::string other = R"({"host":"elsewhere","boot":"b","since":"s","pid":7,"started":1})";
  bool is_taken = false;
  std::vector<DatasetLeft::Why> left;
  const EventSink take_lock = on(
      [&](const IntervalEnded&) {
        if (!std::exchange(is_taken, true)) here.write("edagen.data/edagen.lock", other);
      },
      [&](const DatasetLeft& dataset) { left.push_back(dataset.why); });
  RunPlan plan = kept_on(here.path(), 2.0 * MiB);
  plan.keep_dataset = false;
  plan.look_at_lock_every = 200ms;
  plan.journal = Place{"journal", folder / "j.jsonl"};
  LoadPoint& load = std::get<LoadSeries>(plan.measurement).load;
  load.duration = 20s;
  load.interval = 100ms;
  const Result result = Session(take_lock, stop_.get_token()).run(plan);
  EXPECT_EQ(exit_status_of(result), exit_status::run_failed);
  const std::string failure = result.failure.value_or("");
  EXPECT_TRUE(failure.ends_with("/edagen.data: is used by process 7 on elsewhere by now")) << failure;
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_GT(result.load_points[0].operations, 0u);
  EXPECT_LT(result.load_points[0].seconds.count(), 20);
  EXPECT_TRUE(result.load_points[0].is_invalid_for(Invalid::interrupted));
  const Result of_journal = read_result(folder / "j.jsonl");
  EXPECT_EQ(of_journal.failure, result.failure);
  EXPECT_EQ(of_journal.load_points.size(), 1u);
  EXPECT_EQ(testing::text_of(here / "edagen.data/edagen.lock"), other) << "the dataset is the other run's";
  EXPECT_EQ(left, std::vector{DatasetLeft::Why::taken});
}

TEST_F(SessionTest, ADatasetThatThePageCacheHoldsIsNotedUnlessTheVolumeIsSimulated) {
  const TemporaryDirectory here(place_with_a_page_cache);
  const Result result = session_.run(kept_on(here.path(), 2.0 * MiB));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("fits in the free memory of this host"), std::string::npos) << result.notes[0];
  EXPECT_NE(watcher_.plan.find(result.notes[0]), std::string::npos) << "the same words: " << watcher_.plan;
  EXPECT_TRUE(session_.run(simulated()).notes.empty());
  EXPECT_TRUE(session_.run(plan_on(std::make_shared<FakeTarget>())).notes.empty());
}

TEST_F(SessionTest, WhereSomeKindsOfProcsAloneHaveDirectIoThePageCacheOfTheOthersIsWarnedOf) {
  const TemporaryDirectory here(place_with_a_page_cache);
  RunPlan plan = kept_on(here.path(), 2.0 * MiB);
  plan.workload = load_workload("eda_mixed");
  ASSERT_EQ(plan.workload.proc_kinds.size(), 2u);
  plan.workload.proc_kinds[0].io.direct = true;
  EXPECT_NE(session_.describe(plan).find("fits in the free memory"), std::string::npos);
  plan.workload.proc_kinds[1].io.direct = true;
  EXPECT_EQ(session_.describe(plan).find("fits in the free memory"), std::string::npos);
}

/// In a process of its own, which ends with threads in ops. Returns what went wrong.
std::string with_ops_that_never_return_on_another_host(const EventSink& emit, Nanos window) {
  std::string wrong;
  testing::FakeNetwork network(2);
  testing::on_hosts(network, [&](Hosts& hosts) {
    const auto target = std::make_shared<FakeTarget>([&hosts](auto, const auto&) {
      while (!hosts.leads()) std::this_thread::sleep_for(1h);
      return OpResult{};
    });
    {
      RunPlan plan = plan_on(target);
      plan.clients = 2;
      plan.procs_per_client = 5;
      plan.stuck_after = 500ms;
      std::get<LoadSeries>(plan.measurement).load.duration = window;
      Session session(emit, {}, plan.stuck_after, &hosts);
      if (hosts.leads()) {
        const Result result = session.run(plan);
        if (exit_status_of(result) != exit_status::run_failed) wrong += "not failed; ";
        if (result.failure.value_or("").find("host1 (rank 1): stuck for ") != 0)
          wrong += "not named: " + result.failure.value_or("") + "; ";
        if (result.load_points.empty() || result.load_points[0].operations == 0) wrong += "nothing measured; ";
      } else {
        session.follow({plan});
      }
      if (!session.stuck()) wrong += "not stuck; ";
    }
    if (!hosts.leads() && target.use_count() == 1) wrong += "the target is gone under its threads; ";
  });
  return wrong;
}

[[noreturn]] void end_with(const std::string& wrong) {
  std::fputs(wrong.c_str(), stderr);
  ::_exit(wrong.empty() ? 0 : 1);
}

TEST_F(SessionTest, OpsThatNeverReturnOnAnotherHostFailTheRunByItsNameAndLeaveTheirTargetToTheirThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with(with_ops_that_never_return_on_another_host(watcher_, 400ms)), ::testing::ExitedWithCode(0), "");
}

TEST_F(SessionTest, OpsThatNeverReturnOnAnotherHostEndTheRunInMidWindow) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with(with_ops_that_never_return_on_another_host(watcher_, 1h)), ::testing::ExitedWithCode(0), "");
}

TEST_F(SessionTest, AnEmptyPlanIsRefused) {
  RunPlan none = simulated();
  std::get<LoadSeries>(none.measurement).values.clear();
  EXPECT_THROW(session_.run(none), Error);
  none = simulated();
  none.volume = MountDirectories{};
  EXPECT_THROW(session_.run(none), Error);
  none = simulated();
  none.clients = 0;
  EXPECT_THROW(session_.describe(none), Error);
}

TEST_F(SessionTest, AJournalGoesToTheTemporaryDirectoryWhereItsOwnCannotBeWritten) {
  const std::string file = state_.write("edagen", "in the way");
  EXPECT_EQ(session_.run(simulated()).status, Status::complete);
}

TEST_F(SessionTest, ARunThatIsStoppedInItsWarmUpHasMeasuredNoWindow) {
  RunPlan plan = simulated();
  std::get<LoadSeries>(plan.measurement).load.warmup = 5s;
  stop_.request_stop();
  const Result result = session_.run(plan);
  EXPECT_EQ(result.status, Status::interrupted);
  ASSERT_EQ(result.load_points.size(), 1u);
  const PointFigures& point = result.load_points[0];
  EXPECT_EQ(point.invalid, (std::vector<Invalid>{Invalid::nothing_measured, Invalid::interrupted}));
  EXPECT_EQ(point.seconds, Seconds(0));
  EXPECT_GT(point.warmup, Seconds(0));
  EXPECT_TRUE(point.intervals.empty());
  EXPECT_TRUE(from_json<Result>(to_json(result)).load_points[0].ended_in_warmup());
}

TEST_F(SessionTest, AJournalThatWasAskedForAndIsRemovedOrReplacedMeanwhileIsTold) {
  const TemporaryDirectory folder;
  const std::string path = folder / "j.jsonl";
  RunPlan plan = simulated();
  plan.journal = Place{"--journal", path};
  for (const bool replaces : {false, true}) {
    Session session(on([&](const PointMeasured&) {
                      std::filesystem::remove(path);
                      if (replaces) std::ofstream(path) << "of somebody else";
                    }),
                    {});
    const Result result = session.run(plan);
    EXPECT_TRUE(session.cleanup_incomplete());
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_EQ(result.notes[0], "journal " + path + ": was removed or replaced during the run");
    EXPECT_EQ(std::filesystem::exists(path), replaces);
  }
  EXPECT_TRUE(session_.run(plan).notes.empty());
  EXPECT_FALSE(session_.cleanup_incomplete());
}

TEST_F(SessionTest, AJournalThatIsGoneIsToldAlsoWhereAnotherOutputCannotBeWritten) {
  const TemporaryDirectory here;
  const std::string folder = here / "out";
  std::filesystem::create_directory(folder);
  RunPlan plan = simulated();
  plan.journal = Place{"--journal", folder + "/j.jsonl"};
  plan.outputs = {{{"--json", folder + "/o.json"}, [](const Result&) { return "{}"; }}};
  const auto logger = spdlog::default_logger();
  std::ostringstream said;
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("said", std::make_shared<spdlog::sinks::ostream_sink_mt>(said)));
  Session session(on([&](const PointMeasured&) { std::filesystem::remove_all(folder); }), {});
  session.run(plan);
  spdlog::set_default_logger(logger);
  EXPECT_TRUE(session.cleanup_incomplete());
  EXPECT_NE(said.str().find("[error] --json " + folder), std::string::npos) << said.str();
  EXPECT_NE(said.str().find("[error] --journal " + folder + "/j.jsonl: was removed or replaced"), std::string::npos)
      << said.str();
}

TEST_F(SessionTest, AResultHasNotesOfTheFilesThatAreNotWhole) {
  const std::vector<std::string> failures = {"--hdr-log log: 3 lines are missing"};
  Session session(ignore_events, {}, 30s, nullptr, [&] { return failures; });
  EXPECT_EQ(session.run(simulated()).notes, failures);
}

TEST_F(SessionTest, TheDatasetThatWouldStayIsEmittedWhileARunUsesItAndNotAfterwards) {
  const TemporaryDirectory here;
  std::vector<DatasetLeft> now, while_measured;
  RunPlan plan = kept_on(here.path(), 2.0 * MiB);
  plan.keep_dataset = false;
  Session(
      on([&](const LeftoversChanged& its) { now = its.datasets; }, [&](const PointMeasured&) { while_measured = now; }),
      {})
      .run(plan);
  ASSERT_EQ(while_measured.size(), 1u);
  EXPECT_EQ(while_measured[0].mounts, std::vector{here.path()});
  EXPECT_EQ(while_measured[0].why, DatasetLeft::Why::hanging_call);
  EXPECT_GT(while_measured[0].files, 0u);
  EXPECT_TRUE(now.empty());
}

/// Each of two hosts has a directory of its own below `base`: m0 and m1.
RunPlan of_two_hosts(const TemporaryDirectory& base) {
  for (const char* const name : {"m0", "m1"}) std::filesystem::create_directory(base / name);
  RunPlan plan = kept_on(base / "m{rank}", {});
  plan.keep_dataset = false;
  plan.clients = 2;
  plan.dataset_scale = 0.0001;
  return plan;
}

TEST_F(SessionTest, WhenAnotherHostFailsBeforeTheLoadTheDatasetStaysOnAllAndIsNamed) {
  const TemporaryDirectory base;
  const RunPlan plan = of_two_hosts(base);
  std::vector<std::string> left;
  const EventSink leader = on([&](const DatasetLeft&its) { left = its.mounts; }),
                  follower = on([](const DatasetBuilt&) { throw run_error("a thread", "was not started"); });
  testing::FakeNetwork network(2);
  testing::on_hosts(network, [&](Hosts& hosts) {
    Session session(hosts.leads() ? leader : follower, {}, 30s, &hosts);
    if (hosts.leads()) session.run(plan);
    else session.follow({plan});
  });
  EXPECT_EQ(left, std::vector{base / "m0"});
  for (const char* const name : {"m0", "m1"}) EXPECT_FALSE(std::filesystem::is_empty(base / name)) << name;
}

TEST_F(SessionTest, APlanSaysWhatThePageCacheHoldsAndOfASimulationThatItsTimeIsVirtual) {
  const TemporaryDirectory here(place_with_a_page_cache);
  const std::string on_files = session_.describe(kept_on(here.path(), 2.0 * MiB)),
                    model = session_.describe(simulated());
  EXPECT_NE(on_files.find("\n  memory   the dataset ("), std::string::npos) << on_files;
  EXPECT_EQ(model.find("memory"), std::string::npos) << model;
  RunPlan sweep = kept_on(here.path(), 2.0 * MiB);
  sweep.clients = 4;
  auto& series = std::get<LoadSeries>(sweep.measurement);
  series.swept = Swept::clients;
  series.values = {1, 4};
  const std::string of_few = session_.describe(sweep);
  EXPECT_NE(of_few.find("\n  memory   the part of the dataset of 1 client ("), std::string::npos) << of_few;
  EXPECT_NE(model.find("\n  time     2 s of virtual time"), std::string::npos) << model;
}

TEST_F(SessionTest, ThePlanHasTheTimeOfASecondWindow) {
  const TemporaryDirectory here;
  RunPlan plan = kept_on(here.path(), 2.0 * MiB);
  LoadPoint& load = std::get<LoadSeries>(plan.measurement).load;
  load.warmup = std::chrono::seconds(1), load.duration = std::chrono::seconds(20);
  const std::string text = session_.describe(plan);
  EXPECT_NE(text.find("\n  time     21 s (up to 41 s where the latency still trends), and what the dataset takes\n"),
            std::string::npos)
      << text;
}

TEST_F(SessionTest, WhenARunFailsEachHostNamesTheDatasetThatItHasAlone) {
  const TemporaryDirectory base;
  const RunPlan plan = of_two_hosts(base);
  std::vector<std::string> left;
  const EventSink leader = on([](const DatasetBuilt&) { throw run_error("d", "is full"); });
  const EventSink other = on([&](const DatasetLeft& its) { left = its.mounts; });
  testing::FakeNetwork network(2);
  testing::on_hosts(network, [&](Hosts& hosts) {
    Session session(hosts.leads() ? leader : other, {}, std::chrono::seconds(30), &hosts);
    if (hosts.leads()) session.run(plan);
    else session.follow({plan});
  });
  EXPECT_EQ(left, std::vector<std::string>{base / "m1"});
}

TEST_F(SessionTest, AMountThatIsADirectoryOfItsOwnOnEachHostIsNamedAsItWasGiven) {
  const TemporaryDirectory base;
  const RunPlan plan = of_two_hosts(base);
  std::vector<std::string> live;  // in metrics, on the live screen and in CSV
  const EventSink leader = on([&](const LoadBegan& load) { live.push_back(load.header.target.mounts.at(0).path); });
  std::vector<MountFigures> of_two;
  testing::FakeNetwork network(2);
  testing::on_hosts(network, [&](Hosts& hosts) {
    Session session(hosts.leads() ? leader : EventSink(ignore_events), {}, 30s, &hosts);
    if (hosts.leads()) of_two = session.run(plan).target.mounts;
    else session.follow({plan});
  });
  EXPECT_EQ(live, std::vector{base / "m{rank}"});
  ASSERT_EQ(of_two.size(), 1u);
  EXPECT_EQ(of_two[0].path, base / "m{rank}") << "the figures are of both directories";
  const Result of_one = session_.run(plan);
  ASSERT_EQ(of_one.target.mounts.size(), 1u);
  EXPECT_EQ(of_one.target.mounts[0].path, base / "m0");
}

}  // namespace
}  // namespace edagen
