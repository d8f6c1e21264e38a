// Text from elsewhere in all that edagen shows: `edagen report` of hostile files, mounts and fio jobs with hostile
// names.
#include <gtest/gtest.h>

#include <filesystem>

#include "result/result_json.hpp"
#include "support/hostile.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

TEST(HostileText, InAResultAndInAComparisonIsInertInEachOutput) {
  const TemporaryDirectory folder;
  for (const std::string& document : {dumped(to_json(hostile_result())), dumped(to_json(hostile_comparison()))}) {
    const std::string file = folder.write("\x1b[31mr.json", document), html = folder / "r.html";
    const Outcome text = edagen({"report", file}), csv = edagen({"report", file, "--csv", "-"});
    ASSERT_EQ(text.status, 0) << text.err;
    EXPECT_TRUE(is_inert(text.out)) << text.out;
    EXPECT_NE(text.out.find("\\x1b[2J"), std::string::npos) << text.out;
    EXPECT_TRUE(is_inert(csv.out)) << csv.out;
    EXPECT_EQ(csv.out.find("\n="), std::string::npos) << csv.out;
    ASSERT_EQ(edagen({"report", file, "--html", html}).status, 0);
    EXPECT_EQ(text_of(html).find("<!--<script"), std::string::npos);
    EXPECT_EQ(text_of(html).find("\u202e"), std::string::npos);
  }
}

TEST(HostileText, InTheNameOfAMountIsInertInPlanTableMessagesAndProgress) {
  const TemporaryDirectory folder;
  const std::string mount = folder / "a\x1b[2J\u202e\nfake line";
  std::filesystem::create_directory(mount);
  const std::vector<std::string> words = {"run",    "--phase",    "functional", "--procs",    "1",  "--rate",
                                          "20",     "--warmup",   "0s",         "--duration", "1s", "--dataset-scale",
                                          "0.0001", "--progress", "always",     "--mount",    mount};
  const Outcome run = edagen(words);
  EXPECT_TRUE(run.status == 0 || run.status == 5) << run.err;
  std::string shown = run.err;  // but for the live line's own "erase to the end of the line"
  for (std::size_t at = 0; (at = shown.find("\r\x1b[K", at)) != std::string::npos;) shown.erase(at, 4);
  EXPECT_TRUE(is_inert(shown)) << shown;
  EXPECT_TRUE(is_inert(run.out)) << run.out;
  EXPECT_NE(run.out.find("on " + folder.path() + "/a\\x1b[2J"), std::string::npos) << run.out;
  std::filesystem::permissions(mount, std::filesystem::perms::none);
  std::filesystem::remove(mount);
  const Outcome gone = edagen(words);
  EXPECT_EQ(gone.status, 2);
  EXPECT_TRUE(is_inert(gone.err)) << gone.err;
}

TEST(HostileText, InAFioJobIsInertInWhatIsSaidOfIt) {
  const TemporaryDirectory folder;
  const std::string job =
      folder.write("j.fio", "[a\x1b[2J\u202e]\nrw=randread\nsize=1m\nbs=4k\nzonemode=\x1b]0;x\x07\n");
  const Outcome outcome = edagen({"workloads", "import-fio", job, "--output", folder / "w.json"});
  EXPECT_TRUE(is_inert(outcome.err)) << outcome.err;
  EXPECT_FALSE(outcome.err.empty());
}

}  // namespace
}  // namespace edagen::testing
