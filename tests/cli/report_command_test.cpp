// Reports of results as a user asks for them.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/text_file.hpp"
#include "result/result_json.hpp"
#include "support/program.hpp"
#include "support/report_text.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

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

TEST(ReportCommand, ANoteThatSeveralResultsHaveStandsThereOnceWithTheirFiles) {
  const TemporaryDirectory folder;
  Result result = sample_result(sample_curve());
  result.notes = {"the dataset fits"};
  const std::string a = folder.write("a.json", dumped(to_json(result))),
                    b = folder.write("b.json", dumped(to_json(result)));
  const Outcome both = edagen({"report", a, b});
  EXPECT_EQ(count_of("the dataset fits", both.out), 1) << both.out;
  EXPECT_NE(both.out.find("\n\nNote: all results: the dataset fits\n"), std::string::npos) << both.out;
  result.notes.clear();
  const Outcome three = edagen({"report", a, b, folder.write("c.json", dumped(to_json(result)))});
  EXPECT_NE(three.out.find("\nNote: " + a + ", " + b + ": the dataset fits"), std::string::npos) << three.out;
  EXPECT_NE(edagen({"report", a}).out.find("\nNote: the dataset fits\n"), std::string::npos);
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

}  // namespace
}  // namespace edagen::testing
