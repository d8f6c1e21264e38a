#include "workload/fio_option.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/text_file.hpp"
#include "support/paths.hpp"

namespace edagen {
namespace {

/// As docs/fio-equivalents.md has it.
std::string row_of(const FioOption& option) {
  std::string names = std::string("`") + option.names + "`";
  for (std::size_t at = 0; (at = names.find(' ', at)) != std::string::npos; at += 4) names.replace(at, 1, "`, `");
  const std::string remark = option.remark;
  switch (option.use) {
    case FioOption::Use::imported: return "| " + names + " | imported: " + remark + " |";
    case FioOption::Use::without_io:
      return "| " + names + " | nothing: it does not change what is done to the storage |";
    case FioOption::Use::detail: return "| " + names + " | as `" + remark + "` |";
    case FioOption::Use::noted: return "| " + names + " | noted: " + remark + " |";
    case FioOption::Use::refused: return "| " + names + " | refused: " + remark + " |";
  }
  return "";
}

TEST(FioOption, ThePageHasARowForEachOption) {
  const std::string page = read_text_file(testing::source_path("docs/fio-equivalents.md"), MiB);
  for (const std::span<const FioOption> options : {fio_job_options(), fio_engine_options()})
    for (const FioOption& option : options)
      EXPECT_NE(page.find(row_of(option) + "\n"), std::string::npos) << row_of(option);
}

TEST(FioOption, AnAliasIsTheOptionItself) {
  EXPECT_EQ(fio_option("io_limit"), fio_option("io_size"));
  EXPECT_EQ(fio_option("wait_for_previous"), fio_option("stonewall"));
  EXPECT_EQ(fio_option("mem_align"), fio_option("iomem_align"));
  EXPECT_EQ(fio_option("no_such"), nullptr);
}

TEST(FioOption, ADefaultSaysNothingHoweverItIsWritten) {
  const auto says = [](const char* name, const char* value) {
    return says_something(*fio_option(name), {name, std::string(value), "x"});
  };
  EXPECT_FALSE(says("continue_on_error", "0"));
  EXPECT_FALSE(says("loops", "0x1"));
  EXPECT_FALSE(says("rate_min", "0,0"));
  EXPECT_TRUE(says("rate_min", "0,1m"));
  EXPECT_FALSE(says("thinktime", "0ms"));
  EXPECT_TRUE(says("thinktime", "1"));
}

}  // namespace
}  // namespace edagen
