#include "workload/fio_option.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/text_file.hpp"
#include "support/paths.hpp"

namespace edagen {
namespace {

using Use = FioOption::Use;

/// The section of docs/fio-equivalents.md with this heading.
std::string section_of_page(const std::string& heading) {
  const std::string page = read_text_file(testing::source_path("docs/fio-equivalents.md"), MiB);
  const std::size_t begin = page.find("\n### " + heading + "\n");
  if (begin == std::string::npos) return "";
  return page.substr(begin, page.find("\n#", begin + 1) - begin) + "\n";
}

/// Rows of a table: the options of a use, those with equal remarks together.
std::vector<std::string> rows_of(Use use) {
  std::vector<std::pair<std::string, std::string>> names_by_remark;
  for (const std::span<const FioOption> options : {fio_job_options(), fio_engine_options()})
    for (const FioOption& option : options) {
      if (option.use != use) continue;
      std::string names = std::string("`") + option.names + "`";
      for (std::size_t at = 0; (at = names.find(' ', at)) != std::string::npos; at += 4) names.replace(at, 1, "`, `");
      const std::string remark = use == Use::detail ? std::string("`") + option.remark + "`" : option.remark;
      const auto row = std::ranges::find(names_by_remark, remark, &std::pair<std::string, std::string>::second);
      if (row == names_by_remark.end()) names_by_remark.emplace_back(names, remark);
      else row->first += ", " + names;
    }
  std::vector<std::string> rows;
  for (const auto& [names, remark] : names_by_remark)
    rows.push_back("| " + names + (remark.empty() ? "" : " | " + remark) + " |\n");
  return rows;
}

TEST(FioOption, ThePageHasEachOptionOnceInTheSectionOfItsUse) {
  const std::vector<std::pair<std::string, Use>> sections{{"Imported options", Use::imported},
                                                          {"Noted options", Use::noted},
                                                          {"Refused options", Use::refused},
                                                          {"Options that refine another option", Use::detail},
                                                          {"Options without effect on the storage", Use::without_io}};
  for (const auto& [heading, use] : sections) {
    const std::string section = section_of_page(heading);
    const std::vector<std::string> rows = rows_of(use);
    for (const std::string& row : rows)
      EXPECT_NE(section.find("\n" + row), std::string::npos) << heading << ": " << row;
    EXPECT_EQ(std::ranges::count(section, '\n') - static_cast<std::ptrdiff_t>(rows.size()),
              std::ranges::count(section.substr(0, section.find("|---")), '\n') + 2)
        << heading << " has other rows, too";
  }
}

TEST(FioOption, AnAliasIsTheOptionItself) {
  EXPECT_EQ(fio_option("io_limit"), fio_option("io_size"));
  EXPECT_EQ(fio_option("wait_for_previous"), fio_option("stonewall"));
  EXPECT_EQ(fio_option("mem_align"), fio_option("iomem_align"));
  EXPECT_EQ(fio_option("no_such"), nullptr);
}

TEST(FioOption, ADefaultChangesNothingHoweverItIsWritten) {
  const auto changes = [](const char* name, const char* value) {
    return changes_default(*fio_option(name), {name, std::string(value), "x"});
  };
  EXPECT_FALSE(changes("continue_on_error", "0"));
  EXPECT_FALSE(changes("loops", "0x1"));
  EXPECT_FALSE(changes("stats", "1"));
  EXPECT_TRUE(changes("stats", "0")) << "a job that fio leaves out of its figures";
  EXPECT_FALSE(changes("rate_min", "0,0"));
  EXPECT_TRUE(changes("rate_min", "0,1m"));
  EXPECT_FALSE(changes("thinktime", "0ms"));
  EXPECT_FALSE(changes("direct", "00"));
  EXPECT_TRUE(changes("direct", "01"));
  EXPECT_TRUE(changes("direct", "0x1"));
  EXPECT_TRUE(changes("nice", "-20"));
  EXPECT_TRUE(changes("thinktime", "1"));
}

}  // namespace
}  // namespace edagen
