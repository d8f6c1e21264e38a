// Outputs that would lie in a dataset, or replace what they are made of.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text_file.hpp"
#include "support/bind_mount.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_runs.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;

TEST(DatasetOutputs, AnOutputInTheDatasetIsRefused) {
  const TemporaryDirectory mount;
  for (const char* const name : {"/edagen.data", "/edagen.data/edagen.dataset.json", "/./edagen.data/x/../r.json"}) {
    const Outcome outcome = run_small_on(mount.path(), {"--duration", "100ms", "--json", mount.path() + name});
    EXPECT_TRUE(is_refused(outcome, "lies in the dataset"));
  }
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(DatasetOutputs, AnOutputThatLeadsIntoTheDatasetByABindMountIsRefused) {
  const TemporaryDirectory mount, other;
  ASSERT_TRUE(ran(run_small_on(mount.path(), {"--duration", "100ms", "--keep-dataset"})));
  for (const char* const inside : {"edagen.data", "edagen.data/c0000", "edagen.data/c0000/p00"}) {
    const BindMount bound(mount / inside, other.path());
    if (!bound.mounted()) EDAGEN_SKIP("mounting is not allowed");
    const Outcome outcome =
        run_small_on(mount.path(), {"--duration", "100ms", "--reuse-dataset", "--json", other / "r.json"});
    EXPECT_TRUE(is_refused(outcome, "lies in the dataset")) << inside;
    EXPECT_EQ(edagen({"report", other / "none.json", "--html", other / "r.html"}).status, 2);
  }
}

TEST(DatasetOutputs, ADatasetStaysThatAnOutputLiesInAtTheEnd) {
  const TemporaryDirectory mount, other, here;
  Program run(edagen_words(
      run_words(mount.path(), together({"--duration", "1s", "--json", other / "r.json"}, held_until(here / "go")))));
  ASSERT_TRUE(run.wait_for_stderr("built in"));
  const BindMount bound(mount / "edagen.data/c0000", other.path());
  if (!bound.mounted()) EDAGEN_SKIP("mounting is not allowed");
  here.write("go", "");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("lies in the dataset"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::exists(mount / "edagen.data/c0000/r.json"));
}

TEST(DatasetOutputs, NoReportAndNoResultsOfAComparisonLieInADatasetThatGoesSomeDay) {
  const TemporaryDirectory mount, first, other, here;
  EXPECT_TRUE(ran(run_small_on(mount.path(), {"--duration", "100ms", "--keep-dataset", "--json", here / "r.json"})));
  const std::string data = mount.path() + "/edagen.data/";
  const auto refused = [](const std::vector<std::string>& words) {
    const Outcome outcome = edagen(words);
    EXPECT_TRUE(is_refused(outcome, "lies in the dataset"));
  };
  refused({"report", here / "r.json", "--html", data + "r.html"});
  refused({"compare", "--volume", "a=" + first.path(), "--volume", "b=" + other.path(), "--phase", "functional",
           "--rate", "10", "--repeat", "1", "--dataset-scale", "0.0001", "--results", other.path() + "/edagen.data/x"});
  EXPECT_FALSE(fs::exists(data + "r.html"));
  EXPECT_TRUE(fs::is_empty(other.path()));
}

TEST(DatasetOutputs, AJobFileIsNotReplacedByTheWorkloadMadeOfIt) {
  const TemporaryDirectory here;
  const std::string job = here.write("j.fio", "[a]\nrw=randread\nbs=4k\nsize=1m\n"), link = here / "link";
  fs::create_symlink(job, link);
  for (const std::string& output : {job, link}) {
    const Outcome outcome = edagen({"workloads", "import-fio", job, "--output", output});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
  }
  EXPECT_NE(read_text_file(job, 1000).find("randread"), std::string::npos);
}

}  // namespace
}  // namespace edagen::testing
