// An independent validator takes and refuses the same documents by the published schemas as edagen does.
#include <gtest/gtest.h>

#include <functional>
#include <span>

#include "base/embedded.hpp"
#include "base/json_schema.hpp"
#include "base/schema.hpp"
#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nights/judge.hpp"
#include "nights/night_json.hpp"
#include "result/result_json.hpp"
#include "support/error_of.hpp"
#include "support/mutations.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/sample_nights.hpp"
#include "support/sample_result.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;
using nlohmann::json;

struct Kind {
  const char* name;
  std::function<std::vector<std::string>()> examples;
  Document (*schema)() = nullptr;  ///< of what edagen writes; nullptr: embedded
};

/// As it is published.
std::string schema_of_kind(const Kind& kind) {
  return kind.schema ? dumped(kind.schema())
                     : std::string(embedded_file(std::string("workloads/schema/") + kind.name + ".schema.json"));
}

std::vector<std::string> embedded_below(std::initializer_list<const char*> folders) {
  std::vector<std::string> texts;
  for (const char* const folder : folders)
    for (const EmbeddedFile& file : embedded_files())
      if (file.path.starts_with(folder)) texts.emplace_back(file.content());
  return texts;
}

std::vector<std::string> results() {
  std::vector<std::string> texts;
  for (const Curve& curve : {sample_curve(), sample_sweep(), single_point_curve()})
    texts.push_back(dumped(to_json(sample_result(curve))));
  return texts;
}

std::vector<std::string> comparisons() {
  return {dumped(to_json(sample_comparison("2ms"))), dumped(to_json(sample_comparison(std::nullopt)))};
}

std::vector<std::string> nights() {
  std::vector<std::string> texts;
  for (const Night& night : sample_history(2)) texts.push_back(dumped(to_json(night)));
  return texts;
}

std::vector<std::string> nightly_plans() {
  std::vector<std::string> texts;
  for (const char* const file : {"examples/nightly/nightly.json", "fuzz/corpus/nightly/nightly.json"})
    texts.push_back(read_text_file(source_path(file), largest_definition));
  return texts;
}

/// Of a night like those before, of a bad one, and of one without any.
std::vector<std::string> judgements() {
  const std::vector<Night> history = sample_history(31);
  const auto earlier = std::span(history).first(30);
  return {dumped(to_json(judge(earlier, history.back(), {}))),
          dumped(to_json(judge(earlier, sample_night(30, {sample_rate(800)}), {}))),
          dumped(to_json(judge({}, history.back(), {})))};
}

const Kind kinds[] = {{"workload",
                       [] {
                         return embedded_below({"workloads/eda_", "workloads/fio/"});
                       }},
                      {"volume", [] { return embedded_below({"workloads/volumes/"}); }},
                      {"tunings", [] { return embedded_below({"workloads/tunings/"}); }},
                      {"result", results, schema_of<Result>},
                      {"compare", comparisons, schema_of<ComparisonResult>},
                      {"nightly", nightly_plans},
                      {"night", nights, schema_of<Night>},
                      {"check", judgements, schema_of<NightJudgement>}};

/// The examples, and what is JSON of some hundred spoiled ones; each in a line.
std::vector<std::string> documents_of(const Kind& kind) {
  std::vector<std::string> documents, examples = kind.examples();
  for (const std::string& example : examples) documents.push_back(json::parse(example).dump());
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    const std::string spoiled = Mutations(seed).of_json(examples[seed % examples.size()]);
    const json document = json::parse(spoiled, nullptr, false);
    if (!document.is_discarded()) documents.push_back(document.dump());
  }
  return documents;
}

/// Why edagen refuses `document`; empty when it does not. Nullopt for what no schema can say: it is nested too deep, or
/// has fractions that are too large or too small.
std::optional<std::string> refusal(const std::string& document, const Schema& schema) {
  json parsed;
  try {
    parsed = parse_json(document, "f.json");
  } catch (const Error&) {
    return std::nullopt;
  }
  return error_of([&] { check_schema(parsed, schema, "f.json"); });
}

class SchemaJudge : public ::testing::TestWithParam<Kind> {};

TEST_P(SchemaJudge, TakesAndRefusesTheDocumentsThatEdagenDoes) {
  const std::string text = schema_of_kind(GetParam());
  const Schema schema(json::parse(text), GetParam().name);
  const TemporaryDirectory folder;
  const std::vector<std::string> documents = documents_of(GetParam());
  std::string lines;
  for (const std::string& document : documents) lines += document + "\n";
  const Outcome judge = Program({"/usr/bin/python3", source_path("tests/support/judge_documents.py"),
                                 folder.write("schema", text), folder.write("documents", lines)})
                            .wait();
  if (judge.status == 3) EDAGEN_SKIP("python3-jsonschema is not installed");
  ASSERT_EQ(judge.status, 0) << judge.err;
  ASSERT_EQ(judge.out.size(), 2 * documents.size());
  std::size_t taken = 0, refused = 0;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::optional<std::string> why = refusal(documents[i], schema);
    if (!why) continue;
    (why->empty() ? taken : refused) += 1;
    EXPECT_EQ(why->empty(), judge.out[2 * i] == '1') << *why << "\n" << one_line(documents[i], 2000);
  }
  EXPECT_GE(taken, 50u);
  EXPECT_GE(refused, 100u);
}

INSTANTIATE_TEST_SUITE_P(Of, SchemaJudge, ::testing::ValuesIn(kinds),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace edagen
