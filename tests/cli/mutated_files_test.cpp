// Files of every kind that edagen reads, spoiled: what comes of it is a success or a usage error of one line, never
// anything else. Under ASan and UBSan that is also: no undefined behaviour.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include <cstdlib>

#include "base/embedded.hpp"
#include "edagen/error.hpp"
#include "input.hpp"
#include "support/corpus.hpp"
#include "support/mutations.hpp"
#include "support/skip.hpp"

namespace edagen {
namespace {

using namespace testing;

/// How the files of an input are spoiled, and where examples are beside those of its corpus.
struct Kind {
  const char* name;
  std::string (Mutations::*json)(const std::string&);  ///< null: bytes alone
  std::vector<std::string> embedded;                   ///< folders
};
std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }

const Kind kinds[] = {
    {"workload", &Mutations::of_json, {"workloads/eda_", "workloads/fio/"}},
    {"volume", &Mutations::of_json, {"workloads/volumes/"}},
    {"tunings", &Mutations::of_json, {"workloads/tunings/"}},
    {"result", &Mutations::of_json, {}},
    {"journal", &Mutations::of_json_lines, {}},
    {"fio", nullptr, {}},
    {"mountstats", nullptr, {}},
    {"mountinfo", nullptr, {}},
    {"nights", &Mutations::of_json_lines, {}},
    {"nightly", &Mutations::of_json, {}},
    {"labels", nullptr, {}},
};

/// Those that are read and used.
std::vector<std::string> examples_of(const Kind& kind, const fuzz::Input& input) {
  std::vector<std::string> texts, used_ones;
  for (const auto& file : corpus_files_of(input)) texts.push_back(text_of(file));
  for (const std::string& folder : kind.embedded)
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.starts_with(folder)) texts.emplace_back(file.content());
  for (const std::string& text : texts) {
    bool used = false;
    EXPECT_EQ(fault_of(input, text, used), "");
    if (used) used_ones.push_back(text);
  }
  return used_ones;
}

void spoil(const Kind& kind, std::size_t times) {
  const fuzz::Input& input = fuzz::input_named(kind.name);
  const auto level = spdlog::get_level();
  spdlog::set_level(spdlog::level::off);  // journals tell how many lines they left out
  const std::vector<std::string> examples = examples_of(kind, input);
  ASSERT_FALSE(examples.empty());
  std::size_t used_ones = 0;
  int faults = 0;
  for (std::size_t seed = 0; seed < times && faults < 5; ++seed) {
    Mutations mutations(seed);
    const std::string& example = examples[seed % examples.size()];
    const bool as_json = kind.json != nullptr && seed % 3 != 0;
    const std::string spoiled = as_json ? (mutations.*kind.json)(example) : mutations.of_bytes(example);
    if (std::getenv("EDAGEN_SHOW_MUTATIONS") != nullptr) std::cerr << kind.name << " " << seed << "\n";
    bool used = false;
    if (const std::string fault = fault_of(input, spoiled, used); !fault.empty()) {
      ++faults;
      ADD_FAILURE() << kind.name << ", seed " << seed << ": " << fault << "\n" << one_line(spoiled, 2000);
    }
    used_ones += used ? 1 : 0;
  }
  spdlog::set_level(level);
  EXPECT_GT(used_ones, times / 20) << "too few came as far as being used";
}

class MutatedFiles : public ::testing::TestWithParam<Kind> {};

TEST_P(MutatedFiles, AreReadOrRefusedInOneLine) { spoil(GetParam(), 100); }

TEST_P(MutatedFiles, AreReadOrRefusedInOneLineTenThousandTimes) {
  EDAGEN_SLOW_TEST();
  spoil(GetParam(), 10'000);
}

INSTANTIATE_TEST_SUITE_P(Of, MutatedFiles, ::testing::ValuesIn(kinds),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace edagen
