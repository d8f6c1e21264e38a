#include "edagen/report/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "edagen/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(Journal, EachLineIsInTheFileAsSoonAsItIsAppended) {
  const testing::TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.append("header", {{"schema", "edagen.result/1"}});
  journal.append("interval", {{"t", 0}});
  std::ifstream file(journal.path());
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, R"({"type":"header","schema":"edagen.result/1"})");
  std::getline(file, line);
  EXPECT_EQ(line, R"({"type":"interval","t":0})");
}

TEST(Journal, AFileThatCannotBeMadeIsRefused) {
  EXPECT_THROW(Journal("/nonexistent/j.jsonl"), Error);
}

}  // namespace
}  // namespace edagen
