// The help of each command, and the options that the docs name.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

/// The commands, and of each the words that may come after it: what a shell proposes.
std::map<std::string, std::vector<std::string>> words_after_commands() {
  const std::string script = edagen({"completion", "bash"}).out;
  const std::regex line(R"(    '([^']*)'\) echo '([^']*)' ;;)");
  std::map<std::string, std::vector<std::string>> all;
  for (std::sregex_iterator found(script.begin(), script.end(), line), end; found != end; ++found) {
    const std::string command = (*found)[1];
    if (command.find(" -") != std::string::npos || command.starts_with('-')) continue;  // values of an option
    all[command] = words_of((*found)[2]);
  }
  return all;
}

TEST(Help, TheHelpOfEachCommandNamesAllItsCommandsAndOptions) {
  const auto all = words_after_commands();
  for (const char* const command : {"", "run", "curve", "compare", "nightly", "workloads import-fio"})
    EXPECT_TRUE(all.contains(command)) << command;
  for (const auto& [command, words] : all) {
    std::vector<std::string> asked = words_of(command);
    asked.emplace_back("--help-all");
    const Outcome help = edagen(asked);
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_FALSE(words.empty()) << command;
    for (const std::string& word : words)
      EXPECT_TRUE(std::regex_search(help.out, std::regex("(^|[^\\w-])" + word + "($|[^\\w-])")))
          << "edagen " << command << " --help-all lacks " << word;
  }
  EXPECT_NE(edagen({"--help"}).out.find("Exit status: 0 done"), std::string::npos);
}

TEST(Help, TheHelpOfEachCommandFitsAScreenAndBeginsWithExamples) {
  for (const auto& [command, words] : words_after_commands()) {
    std::vector<std::string> asked = words_of(command);
    asked.emplace_back("--help");
    const Outcome help = edagen(asked);
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_LE(std::ranges::count(help.out, '\n'), 60) << "edagen " << command << " --help";
    EXPECT_NE(help.out.find("\nExamples:\n  edagen"), std::string::npos) << "edagen " << command << " --help";
    for (const std::string& line : lines_of(help.out))
      EXPECT_TRUE(line.size() <= 80 || line.find("edagen") != std::string::npos) << line;
    EXPECT_EQ(edagen(asked).out.find("TEXT"), std::string::npos) << "edagen " << command << ": each value has a kind";
  }
  const std::string run = edagen({"run", "--help"}).out;
  EXPECT_NE(run.find("--mount DIR"), std::string::npos) << run;
  EXPECT_NE(run.find("--phase functional|physical|mixed"), std::string::npos) << run;
  EXPECT_EQ(run.find("--max-workers"), std::string::npos) << "only --help-all has all";
  EXPECT_NE(edagen({"run", "--help-all"}).out.find("--stuck-after TIME"), std::string::npos);
}

TEST(Help, EachOptionThatTheDocsNameIsOneOfACommand) {
  // Of git, cmake, launchers, scripts and benches.
  std::set<std::string> known = {"--build", "--preset",    "--seeds",     "--set",     "--rtt",    "--install",
                                 "--mca",   "--mpi",       "--benchmark", "--ranks",   "--rounds", "--seconds",
                                 "--pty",   "--constants", "--bind-to",   "--cpu-bind"};
  for (const auto& [command, words] : words_after_commands()) known.insert(words.begin(), words.end());
  const std::regex quoted("`[^`\n]*`"), option("--[a-z][a-z-]*[a-z]");
  for (const std::string& page : words_of(
           "README.md docs/reference.md docs/tour.md docs/methodology.md docs/nfs.md docs/nightly.md "
           "docs/design/gate.md docs/troubleshooting.md docs/multi-host.md docs/scale.md docs/sizing.md "
           "docs/metrics.md docs/simulated-volumes.md docs/workload-format.md docs/reliability.md docs/design/files.md "
           "docs/design/hosts.md docs/design/measuring.md docs/design/scale.md docs/design/search.md")) {
    const std::string text = text_of(source_path(page));
    for (std::sregex_iterator code(text.begin(), text.end(), quoted), end; code != end; ++code) {
      const std::string words = code->str();
      for (std::sregex_iterator word(words.begin(), words.end(), option); word != end; ++word)
        EXPECT_TRUE(known.contains(word->str())) << page << ": " << word->str();
    }
  }
}

}  // namespace
}  // namespace edagen::testing
