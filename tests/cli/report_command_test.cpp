// Reports of results as a user asks for them.
#include <gtest/gtest.h>

#include <filesystem>

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

TEST(ReportCommand, APlaceThatCannotBeOpenedIsRefusedBeforehand) {
  const TemporaryDirectory folder;
  const std::string result = folder.write("r.json", dumped(to_json(sample_result(sample_curve()))));
  const Outcome outcome = edagen({"report", result, "--csv", "/nonexistent/r.csv", "--html", folder / "r.html"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "r.html"));
}

}  // namespace
}  // namespace edagen::testing
