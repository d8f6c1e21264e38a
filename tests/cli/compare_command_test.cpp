// Comparisons as a user asks for them, on simulated volumes and real directories. On NFS: nfs_lab_test.cpp.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/small_runs.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

std::size_t lines_in(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

TEST(CompareCommand, TheTableOfThePublishedFiguresIsItsOutput) {
  const Outcome outcome = edagen({"compare", "--volume", "One regular volume=sim:regular", "--volume",
                                  "One large volume=sim:large", "--phase", "mixed", "--clients", "10", "--duration",
                                  "500ms", "--warmup", "100ms", "--repeat", "2", "-q"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* const part : {"I/O rate at 2 ms  MiB/s at 2 ms", "One regular volume", "One large volume", "faster"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
}

TEST(CompareCommand, ThePlanIsToldBeforeTheFirstRun) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen({"compare", "--volume", "dir=" + here.path(), "--volume", "model=sim:regular",
                                  "--phase", "functional", "--procs", "2", "--rate", "200", "--warmup", "0s",
                                  "--duration", "500ms", "--dataset-scale", "0.002", "--repeat", "2"});
  const std::string plan = outcome.err.substr(0, outcome.err.find("1 of 2"));
  for (const std::string& part :
       {std::string("comparison: 2 variants x 2 repeats, interleaved, by latency\n"),
        std::string("\n  time     in all up to about 1 s, and what the datasets take\n"),
        "\ndir (" + here.path() + ")\neda_functional: ", "\n  mount    " + here.path(),
        std::string("\n  memory   the dataset ("), std::string("\nmodel (sim:regular)\neda_functional: "),
        std::string("\n  load     200 ops/s, ")})
    EXPECT_NE(plan.find(part), std::string::npos) << part << "\n" << outcome.err;
  const Outcome quiet = edagen({"compare", "--volume", "a=sim:regular", "--volume", "b=sim:regular", "--phase",
                                "functional", "--rate", "100", "--duration", "500ms", "--warmup", "0s", "-q"});
  EXPECT_EQ(quiet.err.find("comparison:"), std::string::npos) << quiet.err;
}

TEST(CompareCommand, ThePlanNamesTheStatisticOfTheTarget) {
  const Outcome outcome = edagen({"compare", "--volume", "a=sim:regular", "--volume", "b=sim:large", "--phase", "mixed",
                                  "--latency-target", "20ms", "--latency-statistic", "p99", "--dry-run"});
  EXPECT_NE(outcome.out.find("by the rate at 20ms p99"), std::string::npos) << outcome.out;
}

TEST(CompareCommand, DirectoriesAreComparedAtARateAndFinishedRunsAreNotRunAgain) {
  const TemporaryDirectory a, b, results;
  const std::vector<std::string> words = words_of("compare --volume a=" + a.path() + " --volume b=" + b.path() +
                                                  " --phase functional --procs 2 --rate 200 --warmup 100ms --duration "
                                                  "500ms --dataset-scale 0.02 --repeat 2 --results " +
                                                  (results / "r") + " --json -");
  const Outcome first = edagen(words);
  EXPECT_TRUE(first.status == 0 || first.status == 5) << first.err;  // 5: on a loaded machine
  const json comparison = json::parse(first.out);
  EXPECT_EQ(comparison["status"], "complete");
  ASSERT_EQ(comparison["variants"].size(), 2u);
  EXPECT_EQ(comparison["variants"][1]["runs"].size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(a / "edagen.data"));
  EXPECT_TRUE(std::filesystem::exists(results / "r/2-b-2.json"));

  std::filesystem::remove(results / "r/2-b-2.json");  // an interrupted matrix goes on with what is missing
  const Outcome second = edagen(words);
  EXPECT_TRUE(second.status == 0 || second.status == 5) << second.err;
  EXPECT_EQ(json::parse(second.out)["variants"][0], comparison["variants"][0]);
  EXPECT_TRUE(std::filesystem::exists(results / "r/2-b-2.json"));
}

TEST(CompareCommand, VolumesOfDifferentSizesAreComparedWithTheSameFilesInAllRepeats) {
  const TemporaryDirectory here;
  const SmallDisk small(here / "small", 100'000), large(here / "large", 400'000);
  if (!small.mounted() || !large.mounted()) EDAGEN_SKIP("no tmpfs can be mounted");
  const Outcome outcome = edagen({"compare", "--volume", "small=" + (here / "small"), "--volume",
                                  "large=" + (here / "large"), "--phase", "functional", "--rate", "200", "--warmup",
                                  "100ms", "--duration", "500ms", "--repeat", "2", "--json", here / "c.json"});
  ASSERT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err;
  const json comparison = json::parse(text_of(here / "c.json"));
  const auto bytes_of = [&](std::size_t variant) {
    return comparison["variants"][variant]["last_run"]["dataset"]["bytes"].get<double>();
  };
  EXPECT_GT(bytes_of(0), 0);
  EXPECT_EQ(bytes_of(0), bytes_of(1)) << outcome.err;
  EXPECT_EQ(comparison["variants"][1]["runs"].size(), 2u);
}

TEST(CompareCommand, ResultsOfAnotherPlanAreRefusedAndNothingIsTouched) {
  const TemporaryDirectory results;
  const auto words = [&](const std::string& phase, const std::string& rate) {
    return std::vector<std::string>{
        "compare", "--volume",  "a=sim:regular", "--volume", "b=sim:large",      "--phase", phase,
        "--rate",  rate,        "--warmup",      "100ms",    "--duration",       "1s",      "--repeat",
        "1",       "--results", results.path(),  "--csv",    results / "out.csv"};
  };
  const Outcome first = edagen(words("functional", "500"));
  ASSERT_EQ(first.status, 0) << first.err;
  const auto figures_of = [](const Outcome& outcome) { return outcome.out.substr(0, outcome.out.find("\nedagen ")); };
  EXPECT_EQ(figures_of(edagen(words("functional", "500"))), figures_of(first)) << "of the same plan they are used";
  const std::string kept = text_of(results / "1-a-1.json");
  json edited = json::parse(kept);
  edited["load_points"][0]["latency_ms"]["response"]["mean"] = 1000;
  for (const bool has_digest : {true, false}) {
    if (!has_digest) edited.erase("digest");
    std::ofstream(results / "1-a-1.json") << edited.dump();
    const Outcome of_edited = edagen(words("functional", "500"));
    EXPECT_TRUE(is_refused(of_edited, "1-a-1.json: was edited since edagen wrote it"));
  }
  std::ofstream(results / "1-a-1.json") << kept;
  std::filesystem::remove(results / "out.csv");
  std::filesystem::remove(results / "2-b-1.json");
  const Outcome other = edagen(words("physical", "900"));
  EXPECT_EQ(other.status, 2) << other.err;
  for (const char* const part :
       {"1-a-1.json: is a result of another plan: load '500 ops/s", "' is '900 ops/s", "workload 'eda_functional #"})
    EXPECT_NE(other.err.find(part), std::string::npos) << other.err;
  EXPECT_FALSE(std::filesystem::exists(results / "out.csv"));
  EXPECT_FALSE(std::filesystem::exists(results / "2-b-1.json")) << "no run was made";
}

TEST(CompareCommand, AResultOfAnotherPlanThatWasInterruptedIsNotReplaced) {
  const TemporaryDirectory mount, results, other;
  Program run(edagen_words(run_words(mount.path(), {"--rate", "50", "--duration", "100s", "--json",
                                                    results / "1-a-1.json", "--interval-csv", other / "i.csv"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring:"));
  for (int left = 6000; left > 0 && std::ranges::count(text_of(other / "i.csv"), '\n') < 3; --left)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));  // the head, and the ops of two seconds
  run.signal(SIGINT);
  ASSERT_EQ(run.wait().status, 130);
  const std::string kept = text_of(results / "1-a-1.json");
  const Outcome outcome = edagen({"compare", "--volume", "a=sim:mm1", "--volume", "b=sim:mm1", "--phase", "functional",
                                  "--rate", "50", "--repeat", "1", "--results", results.path()});
  EXPECT_TRUE(is_refused(outcome, "1-a-1.json: is a result of another plan"));
  EXPECT_EQ(text_of(results / "1-a-1.json"), kept);
}

TEST(CompareCommand, ARateThatAVolumeDoesNotReachIsSaidAndIsTheExitStatus) {
  const Outcome outcome =
      edagen({"compare", "--volume", "regular=sim:regular", "--volume", "large=sim:large", "--phase", "mixed",
              "--clients", "10", "--rate", "100k", "--duration", "500ms", "--warmup", "100ms", "--repeat", "1"});
  EXPECT_EQ(outcome.status, 5) << outcome.err;
  EXPECT_NE(outcome.out.find("1 of 1 runs INVALID: achieved_rate_low"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("large: 1 of 1"), std::string::npos) << outcome.out;
}

TEST(CompareCommand, ASecondSignalLeavesWhatWasMeasuredAndSaysWhere) {
  const TemporaryDirectory state, mount;
  Program compare(edagen_words(words_of("compare --volume a=" + mount.path() +
                                        " --volume b=sim:regular --phase functional --rate 50 --duration 3s --warmup "
                                        "0s --repeat 3 --dataset-scale 0.002 --stuck-after 1h --job-sets 1")),
                  {{"XDG_STATE_HOME", state.path()}});
  ASSERT_TRUE(compare.wait_for_stderr("a (1 of 3): "));
  ASSERT_TRUE(compare.wait_for_stderr("a (2 of 3)  "));  // progress names the run that goes on
  compare.signal(SIGINT);
  ASSERT_TRUE(compare.wait_for_stderr("a second signal ends it at once"));
  compare.signal(SIGSTOP);
  ::usleep(600'000);  // else it is of the first
  compare.signal(SIGINT);
  compare.signal(SIGCONT);
  const Outcome outcome = compare.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  if (outcome.out.find("Scenario") != std::string::npos) return;  // it was done before the second signal came
  EXPECT_NE(outcome.err.find("edagen report "), std::string::npos) << outcome.err;
  for (const auto& entry : std::filesystem::directory_iterator(state / "edagen"))
    EXPECT_NE(edagen({"report", entry.path().string()}).out.find("Scenario"), std::string::npos);
}

TEST(CompareCommand, BadWordsAreRefused) {
  for (const auto& [words, expected] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{}, "needs either --volume (twice or more) or --export"},
           {{"--volume", "a=/tmp"}, "needs at least two variants (--volume NAME=DIR twice or more, or two tunings)"},
           {{"--volume", "a"}, "'a' is not NAME=DIR"},
           {{"--volume", "a=/tmp", "--volume", "a=/var"}, "'a' is there twice"},
           {{"--export", "nowhere"}, "'nowhere' is not SERVER:/PATH"},
           {{"--export", "s:/x", "--tunings", "edda"}, "unknown tunings 'edda' (did you mean 'eda'? known: "}}) {
    const Outcome outcome = edagen(together({"compare", "--phase", "mixed"}, words));
    EXPECT_TRUE(is_refused(outcome, expected));
  }
}

TEST(CompareCommand, AFileOfTuningsIsNotOverwrittenAndABuiltInNameIsNoFile) {
  if (::geteuid() != 0) EDAGEN_SKIP("mounting needs root");
  const TemporaryDirectory folder;
  const std::string own = folder.write("t.json", text_of(source_path("workloads/tunings/eda.json")));
  const auto planned = [](const std::string& tunings, const std::string& json_file) {
    return edagen({"compare", "--phase", "mixed", "--export", "127.0.0.1:/x", "--tunings", tunings, "--json", json_file,
                   "--dry-run"});
  };
  const Outcome refused = planned(own, own);
  EXPECT_TRUE(is_refused(refused, "is an input of this command"));
  EXPECT_EQ(planned("eda", "eda").status, 0) << planned("eda", "eda").err;
}

TEST(CompareCommand, NoOutputTakesThePlaceOfAResultThatIsKeptOrWillBe) {
  const TemporaryDirectory here;
  std::filesystem::create_directory(here / "res");
  const std::string earlier = here.write("res/3-c-9.json", "kept");
  const auto compared = [&](const char* option, const std::string& place, const std::string& more) {
    return edagen({"compare", "--phase", "functional", "--rate", "300", "--repeat", "1", "--volume", "a=sim:mm1",
                   "--volume", "b=sim:mm1", "--results", here / "res", option, place, more});
  };
  for (const std::string& place : {here / "res/1-a-1.json", here / "res/./2-b-1.json", earlier})
    for (const char* const option : {"--json", "--html", "--journal"})
      for (const char* const more : {"--spin=off", "--dry-run"}) {
        const Outcome outcome = compared(option, place, more);
        EXPECT_TRUE(is_refused(outcome, "is an input of this command"));
      }
  EXPECT_EQ(text_of(earlier), "kept");
  EXPECT_EQ(compared("--json", here / "res/all.json", "--spin=off").status % 5, 0);
}

TEST(CompareCommand, AResultsDirectoryWhoseParentIsMissingIsRefusedInOneLineAndNoneIsMade) {
  const TemporaryDirectory here;
  here.write("file", "");
  const auto compared = [&](const std::string& results, const char* more) {
    return edagen({"compare", "--phase", "functional", "--rate", "300", "--warmup", "0s", "--duration", "1s",
                   "--repeat", "1", "--volume", "a=sim:mm1", "--volume", "b=sim:mm1", "--results", results, more});
  };
  for (const char* const more : {"--spin=off", "--dry-run"})
    for (const auto& [place, why] : {std::pair("a/b/c", "No such file or directory"),
                                     {"a/b/", "No such file or directory"},
                                     {"file", "Not a directory"},
                                     {"file/b", "No such file or directory"}}) {
      const Outcome outcome = compared(here / place, more);
      EXPECT_EQ(outcome.status, 2) << outcome.err;
      EXPECT_EQ(outcome.err, "edagen: results " + (here / place) + ": " + why + "\n");
    }
  EXPECT_FALSE(std::filesystem::exists(here / "a"));
  EXPECT_EQ(compared(here / "a/", "--spin=off").status % 5, 0);
  EXPECT_TRUE(std::filesystem::exists(here / "a/2-b-1.json"));
}

TEST(CompareCommand, AResultsDirectoryThatIsALinkOfAnotherUserInASharedDirectoryIsRefusedAndNothingIsWrittenThere) {
  if (::geteuid() != 0) EDAGEN_SKIP("needs root, to make a link of another user");
  const TemporaryDirectory here;
  for (const char* const name : {"tmp", "victim"}) std::filesystem::create_directory(here / name);
  std::filesystem::permissions(here / "tmp", std::filesystem::perms(01777));
  std::filesystem::create_symlink(here / "victim", here / "tmp/link");
  ASSERT_EQ(::lchown((here / "tmp/link").c_str(), 12345, 12345), 0);
  for (const char* const results : {"tmp/link", "tmp/link/"})
    for (const char* const more : {"--spin=off", "--dry-run"}) {
      const Outcome outcome = edagen({"compare", "--phase", "functional", "--rate", "300", "--repeat", "1", "--volume",
                                      "a=sim:mm1", "--volume", "b=sim:mm1", "--results", here / results, more});
      EXPECT_TRUE(is_refused(outcome, "Permission denied"));
    }
  EXPECT_TRUE(std::filesystem::is_empty(here / "victim"));
}

TEST(CompareCommand, AResultOfAVolumeWithALongNameIsKept) {
  const TemporaryDirectory here;
  const Outcome outcome =
      edagen({"compare", "--phase", "functional", "--rate", "300", "--repeat", "1", "--volume",
              std::string(300, 'a') + "=sim:mm1", "--volume", "b=sim:mm1", "--results", here / "res"});
  EXPECT_EQ(outcome.status % 5, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::exists(here / "res/1-" + std::string(200, 'a') + "-1.json")) << outcome.err;
}

TEST(CompareCommand, OptionsOfSlicesThatCannotBeAreRefusedInOneLine) {
  for (const auto& [words, why] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--slices", "2s", "--points", "3", "--max-rate", "300"},
            "--slices: is not possible: --points has fixed load points"},
           {{"--rate", "300", "--slices", "1ms"}, "--slices: is below 100 ms"},
           {{"--rate", "300", "--slices", "often"}, "--slices: "},
           {{"--rate", "300", "--until", "0%"}, "--until: must be above 0"},
           {{"--rate", "300", "--until", "x"}, "--until: 'x' is not a number from 0 to 100"},
           {{"--rate", "300", "--max-time", "0s"}, "--max-time: must be above 0"},
           {{"--rate", "300", "--until", "2%", "--repeat", "3"}, "--repeat"}}) {
    const Outcome outcome =
        edagen(together({"compare", "--phase", "functional", "--volume", "a=sim:mm1", "--volume", "b=sim:mm1"}, words));
    EXPECT_TRUE(is_refused(outcome, why)) << why;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST(CompareCommand, SimulatedVolumesAlternateInSlicesUntilThePrecisionIsReached) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen({"compare", "--phase", "functional", "--rate", "300", "--volume", "a=sim:mm1",
                                  "--volume", "b=sim:mm1", "--until", "10%", "--json", here / "r.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("slices alternated (all variants can be up at once)"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("ended at the precision of --until 10%"), std::string::npos) << outcome.out;
  EXPECT_EQ(edagen({"report", here / "r.json"}).status, 0);
}

TEST(CompareCommand, ADryRunPrintsThePlanOfEachVariantAndTouchesNothing) {
  const TemporaryDirectory a, b;
  const Outcome outcome =
      edagen({"compare", "--phase", "functional", "--volume", "a=" + a.path(), "--volume", "b=" + b.path(), "--volume",
              "c=sim:regular", "--job-sets", "1", "--repeat", "2", "--dry-run", "--json", a / "r.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const std::string& expected :
       {std::string("3 variants x 2 repeats"), "mount    " + a.path(), "mount    " + b.path(),
        std::string("regular (simulated)"), std::string("search for the op rate at 2 ms mean response")})
    EXPECT_NE(outcome.out.find(expected), std::string::npos) << outcome.out;
  EXPECT_TRUE(std::filesystem::is_empty(a.path()));
  EXPECT_TRUE(std::filesystem::is_empty(b.path()));
}

TEST(CompareCommand, ThePlanOfSlicesHasNoTimesOfSingleRuns) {
  for (const auto& [words, load] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--slices", "1s"}, "search in slices for the op rate at 2 ms mean response"},
           {{"--rate", "300"}, "300 ops/s, poisson arrivals; in slices"}}) {
    const Outcome outcome = edagen(together({"compare", "--phase", "functional", "--volume", "a=sim:mm1", "--volume",
                                             "b=sim:mm1", "--arrivals", "poisson", "--dry-run"},
                                            words));
    EXPECT_NE(outcome.out.find("  load     " + load), std::string::npos) << outcome.out << outcome.err;
    EXPECT_NE(outcome.out.find("  time     in all up to about "), std::string::npos) << outcome.out;
    for (const std::string of_a_run : {"demonstrates", "measured"})
      EXPECT_EQ(outcome.out.find(of_a_run), std::string::npos) << outcome.out;
  }
}

TEST(CompareCommand, AllOutputsSayTheSameAndReportReadsDocumentAndJournal) {
  const TemporaryDirectory folder;
  const Outcome outcome =
      edagen(words_of("compare --volume regular=sim:regular --volume large=sim:large --phase mixed --rate 20000 "
                      "--clients 4 --warmup 100ms --duration 1s --repeat 2 --json " +
                      (folder / "r.json") + " --csv " + (folder / "r.csv") + " --html " + (folder / "r.html") +
                      " --journal " + (folder / "j.jsonl")));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(lines_in(text_of(folder / "r.csv")), 1u + 4u) << "a head and each run";
  EXPECT_NE(text_of(folder / "r.html").find("Comparison of 2 variants"), std::string::npos);
  const Outcome document = edagen({"report", folder / "r.json"}), journal = edagen({"report", folder / "j.jsonl"});
  const auto table = [](const std::string& text) { return text.substr(text.find('\n') + 1); };
  EXPECT_EQ(table(document.out), outcome.out);
  EXPECT_EQ(table(journal.out), outcome.out);
  const Outcome pages = edagen({"report", folder / "r.json", "--html", folder / "again.html", "--csv", "-"});
  EXPECT_EQ(pages.out, text_of(folder / "r.csv"));
}

TEST(CompareCommand, WhatIsAlikeInThePlansOfVariantsIsPrintedOnce) {
  const TemporaryDirectory a, b;
  const std::string plan = edagen({"compare", "--phase", "functional", "--volume", "a=" + a.path(), "--volume",
                                   "b=" + b.path(), "--rate", "100", "--dry-run"})
                               .out;
  for (const std::string& once :
       {std::string("\n  load "), std::string("\n  dataset "), "mount    " + a.path(), "mount    " + b.path()}) {
    EXPECT_NE(plan.find(once), std::string::npos) << once << "\n" << plan;
    EXPECT_EQ(plan.find(once), plan.rfind(once)) << once << "\n" << plan;
  }
}

TEST(CompareCommand, WhatItRefusesIsNotInItsHelp) {
  const std::string help = edagen({"compare", "--help-all"}).out;
  for (const char* const option : {" --mount", " --target"}) EXPECT_EQ(help.find(option), std::string::npos) << help;
  EXPECT_NE(help.find(" --volume"), std::string::npos) << help;
  const Outcome refused = edagen({"compare", "--phase", "functional", "--mount", "/a", "--volume", "a=sim:mm1"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.err.find("--volume NAME=DIR"), std::string::npos) << refused.err;
  const Outcome target = edagen({"compare", "--phase", "functional", "--target", "sim:mm1", "--volume", "a=sim:mm1"});
  EXPECT_NE(target.err.find("--target: does not go with compare"), std::string::npos) << target.err;
}

TEST(CompareCommand, ASimulatedVolumeAndARealOneAreNotComparedWithDifferentNumbersOfProcs) {
  const TemporaryDirectory real;
  const auto both = [&](std::initializer_list<std::string> more) {
    std::vector<std::string> words = {"compare",  "--phase",       "functional", "--dry-run",
                                      "--volume", "a=sim:regular", "--volume",   "b=" + real.path()};
    words.insert(words.end(), more);
    return edagen(words);
  };
  const Outcome refused = both({});
  EXPECT_EQ(refused.status, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_TRUE(refused.err.starts_with("edagen: --job-sets: is needed to compare a simulated volume with a real one"))
      << refused.err;
  EXPECT_EQ(both({"--job-sets", "2"}).status, 0);
  EXPECT_EQ(both({"--procs", "3"}).status, 0);
}

}  // namespace
}  // namespace edagen::testing
