// Reports of results as a user asks for them.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text_file.hpp"
#include "result/result_json.hpp"
#include "support/program.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

TEST(ReportCommand, AnOutputThatCannotBeWrittenIsNamedAndTheOthersStillCome) {
  const TemporaryDirectory folder;
  const std::string result = folder.write("r.json", dumped(to_json(sample_result(sample_curve()))));
  for (const auto& [full, other] : {std::pair{"--csv", "--html"}, std::pair{"--html", "--csv"}}) {
    const std::string file = folder / (std::string(other) + ".txt");
    const Outcome outcome = edagen({"report", result, full, "/dev/full", other, file});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(std::string(full) + " /dev/full: No space left on device"), std::string::npos)
        << outcome.err;
    EXPECT_NE(outcome.out.find("eda_mixed"), std::string::npos) << outcome.out;
    EXPECT_GT(std::filesystem::file_size(file), 100u);
  }
}

TEST(ReportCommand, LabelsAndTheHostOfARunAreInAllItsReports) {
  const TemporaryDirectory folder;
  const std::string file = folder / "r.json";
  const Outcome run = edagen({"--target", "sim:regular", "--phase", "mixed", "--duration", "1s", "--label",
                              "storage=24 x 4 TB, RAID 6", "--label", "ticket=4711", "--json", file});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_NE(run.out.find("  storage: 24 x 4 TB, RAID 6\n"), std::string::npos) << run.out;
  const Outcome report = edagen({"report", file, "--csv", "-"});
  EXPECT_NE(report.out.find("Command,Labels\n"), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("\"storage=24 x 4 TB, RAID 6; ticket=4711\""), std::string::npos) << report.out;
  const Document document = Document::parse(read_text_file(file, 16 * MiB));
  EXPECT_EQ(document["labels"]["ticket"], "4711");
  EXPECT_TRUE(document["host"]["sysctls"].contains("net.core.rmem_max"));
}

TEST(ReportCommand, AFileThatIsGivenTwiceIsRefusedByWhateverName) {
  const TemporaryDirectory folder;
  const std::string result = folder.write("r.json", dumped(to_json(sample_result(sample_curve()))));
  const std::string link = folder / "link.json";
  std::filesystem::create_symlink(result, link);
  for (const std::string& again : {result, link}) {
    const Outcome outcome = edagen({"report", result, again});
    EXPECT_TRUE(is_refused(outcome, "is the same file as " + result));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(ReportCommand, APlaceThatCannotBeOpenedIsRefusedBeforehand) {
  const TemporaryDirectory folder;
  const std::string result = folder.write("r.json", dumped(to_json(sample_result(sample_curve()))));
  const Outcome outcome = edagen({"report", result, "--csv", "/nonexistent/r.csv", "--html", folder / "r.html"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "r.html"));
}

}  // namespace
}  // namespace edagen::testing
