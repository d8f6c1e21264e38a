#include "base/schema_check.hpp"

#include <gtest/gtest.h>

#include "base/embedded.hpp"
#include "base/json_schema.hpp"
#include "support/error_of.hpp"

namespace edagen {
namespace {

using nlohmann::json;

std::string refusal_of(const json& document, const std::string& schema = "workload") {
  return testing::error_of([&] { check_schema(document, "workloads/schema/" + schema + ".schema.json", "f.json"); });
}

/// eda_functional with what `patch` changes (RFC 7396).
std::string refusal_of_patched(const char* patch) {
  json document = json::parse(embedded_file("workloads/eda_functional.json"));
  document.merge_patch(json::parse(patch));
  return refusal_of(document);
}

TEST(SchemaCheck, MissingMembersAreNamedTogether) {
  EXPECT_EQ(refusal_of_patched(R"({"name": null})"), "f.json#: 'name' is missing");
  EXPECT_EQ(refusal_of(json::object()),
            "f.json#: 'schema', 'name' and 'phase' are missing (\"schema\": \"edagen.workload/1\")");
}

TEST(SchemaCheck, ADocumentWithoutItsKindIsShownTheMemberThatNamesIt) {
  for (const std::string kind : {"workload", "volume", "tunings", "nightly"}) {
    const std::string refused = refusal_of(json::object(), kind);
    EXPECT_NE(refused.find("'schema'"), std::string::npos) << refused;
    EXPECT_TRUE(refused.ends_with(" missing (\"schema\": \"edagen." + kind + "/1\")")) << refused;
  }
}

TEST(SchemaCheck, OfSeveralSetsOfMembersTheOneThatIsBegunIsAskedFor) {
  EXPECT_EQ(refusal_of_patched(R"({"dataset": null})"),
            "f.json#: 'dataset' is missing: needed beside 'op_mix' and 'ops_per_sec_per_proc'");
  EXPECT_EQ(refusal_of_patched(R"({"dataset": null, "op_mix": null, "ops_per_sec_per_proc": null})"),
            "f.json#: needs 'blend', or 'op_mix', 'dataset' and 'ops_per_sec_per_proc'");
  EXPECT_EQ(refusal_of_patched(R"({"transfer": {"read": {"weighted": [{"weight": 1, "low": 5}]}}})"),
            "f.json#/transfer/read/weighted/0: 'high' is missing: needed beside 'low'");
}

TEST(SchemaCheck, AWrongTypeIsNamedBesideTheRightOne) {
  EXPECT_EQ(refusal_of_patched(R"({"dataset": {"data_files": "many"}})"),
            "f.json#/dataset/data_files: is text, not a whole number");
  EXPECT_EQ(refusal_of_patched(R"({"dataset": {"data_files": 1.5}})"),
            "f.json#/dataset/data_files: is 1.5, not a whole number");
  EXPECT_EQ(refusal_of_patched(R"({"op_mix": {"stat": true}})"), "f.json#/op_mix/stat: is true, not a number");
  EXPECT_EQ(refusal_of_patched(R"({"op_mix": [1]})"), "f.json#/op_mix: is a list, not an object");
  EXPECT_EQ(refusal_of_patched(R"({"io": {"direct": "yes"}})"), "f.json#/io/direct: is text, not true or false");
  EXPECT_EQ(refusal_of_patched(R"({"blend": [{"workload": 5, "procs": 1}]})"),
            "f.json#/blend/0/workload: is 5, not text or an object");
  EXPECT_EQ(refusal_of(nullptr), "f.json#: is null, not an object");
}

TEST(SchemaCheck, AWordThatIsNotAllowedIsNamedWithThoseThatAre) {
  EXPECT_EQ(refusal_of_patched(R"({"phase": "funktional"})"),
            "f.json#/phase: 'funktional' is not one of 'functional', 'physical', 'mixed', 'custom' (did you mean "
            "'functional'?)");
  EXPECT_EQ(refusal_of_patched(R"({"io": {"fsync": true}})"),
            "f.json#/io/fsync: is true, not one of 'none', 'close', 'end'");
  EXPECT_EQ(refusal_of_patched(R"({"io": {"fsync": "perhaps"}})"),
            "f.json#/io/fsync: 'perhaps' is not one of 'none', 'close', 'end'");
}

TEST(SchemaCheck, ADocumentOfAnotherKindIsNamedBeforeAnythingInIt) {
  EXPECT_EQ(refusal_of({{"schema", "edagen.volume/1"}, {"station", 1}}),
            "f.json#/schema: 'edagen.volume/1' is not 'edagen.workload/1'");
}

TEST(SchemaCheck, ANumberOutOfRangeIsShownWithTheLimit) {
  EXPECT_EQ(refusal_of_patched(R"({"unlink_nonempty_percent": 200})"),
            "f.json#/unlink_nonempty_percent: is 200: at most 100");
  EXPECT_EQ(refusal_of_patched(R"({"procs_per_job_set": 0})"), "f.json#/procs_per_job_set: is 0: at least 1");
  EXPECT_EQ(refusal_of_patched(R"({"dataset": {"data_files": 2000000000}})"),
            "f.json#/dataset/data_files: is 2000000000: at most 1,000,000,000");
  EXPECT_EQ(refusal_of_patched(R"({"ops_per_sec_per_proc": 1e-9})"),
            "f.json#/ops_per_sec_per_proc: is 1e-09: at least 1e-06");
  EXPECT_EQ(
      refusal_of_patched(R"({"dataset": {"file_size": null}, "transfer": {"read": {"uniform": null, "weighted": null,
      "lognormal": {"median": 5, "low": 1, "high": 9, "sigma": 0}}}})"),
      "f.json#/transfer/read/lognormal/sigma: is 0: above 0");
  EXPECT_EQ(refusal_of_patched(R"({"blend": []})"), "f.json#/blend: has no items: at least 1");
}

TEST(SchemaCheck, OfSeveralTypesTheOneThatIsMeantIsAskedFor) {
  EXPECT_EQ(refusal_of_patched(R"({"access": {"alignment": -1}})"), "f.json#/access/alignment: is -1: at least 0");
  EXPECT_EQ(refusal_of_patched(R"({"access": {"alignment": true}})"),
            "f.json#/access/alignment: is true, not a whole number of bytes, or text such as '64KiB'");
  EXPECT_EQ(refusal_of_patched(R"({"dataset": {"file_size": [1]}})"),
            "f.json#/dataset/file_size: is a list, not a size, or an object with 'uniform', 'weighted' or 'lognormal'");
  EXPECT_EQ(refusal_of_patched(R"({"ops_per_sec_per_proc": "maxx"})"),
            "f.json#/ops_per_sec_per_proc: 'maxx' is not a number of ops per second of one proc, or 'max': as fast as "
            "it goes "
            "(did you mean 'max'?)");
}

TEST(SchemaCheck, TextThatDoesNotFitAPatternIsToldWhatDoes) {
  EXPECT_EQ(refusal_of_patched(R"({"name": "a b"})"),
            "f.json#/name: 'a b' is not a name of letters, digits, '_', '.' and '-'");
  EXPECT_EQ(refusal_of_patched(R"({"name": ""})"),
            "f.json#/name: '' is not a name of letters, digits, '_', '.' and '-'");
}

TEST(SchemaCheck, AnUnknownNameIsToldTheNearestOrAll) {
  EXPECT_EQ(refusal_of_patched(R"({"op_mix": {"read_sec": 1}})"),
            "f.json#/op_mix/read_sec: unknown name 'read_sec' (did you mean 'read_seq'?)");
  EXPECT_EQ(refusal_of_patched(R"({"io": {"colour": 1}})"),
            "f.json#/io/colour: unknown name 'colour' (known: 'depth', 'direct', 'fsync')");
  EXPECT_EQ(refusal_of_patched(R"({"io": {"a/b~c\n": 1}})"),
            "f.json#/io/a~1b~0c\\n: unknown name 'a/b~c\\n' (known: 'depth', 'direct', 'fsync')");
}

TEST(SchemaCheck, CharactersAreCountedNotBytes) {
  json volume = {{"schema", "edagen.volume/1"}, {"name", ""}, {"station", {{"servers", 1}, {"service_us", 1}}}};
  for (int i = 0; i < 128; ++i) volume["name"].get_ref<std::string&>() += "\u00e9";
  EXPECT_TRUE(refusal_of(volume, "volume").ends_with("is not a name of letters, digits, '_', '.' and '-'"))
      << refusal_of(volume, "volume");
  volume["name"].get_ref<std::string&>() += "x";
  EXPECT_EQ(refusal_of(volume, "volume"), "f.json#/name: has 129 characters: at most 128");
}

TEST(SchemaCheck, AWholeNumberMayBeWrittenAsAFraction) {
  EXPECT_EQ(refusal_of_patched(R"({"procs_per_job_set": 2.0})"), "");
}

}  // namespace
}  // namespace edagen
