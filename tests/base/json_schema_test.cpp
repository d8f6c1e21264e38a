#include "base/json_schema.hpp"

#include <gtest/gtest.h>

#include "base/embedded.hpp"
#include "support/error_of.hpp"

namespace edagen {
namespace {

constexpr const char* workload_schema = "workloads/schema/workload.schema.json";

std::string refusal(const std::string& text) {
  return testing::error_of([&] { check_schema(parse_json(text, "f.json"), workload_schema, "f.json"); });
}

TEST(JsonSchema, ASyntaxErrorNamesLineAndColumn) {
  const std::string what = refusal("{\n  \"name\": ,\n}");
  EXPECT_TRUE(what.starts_with("f.json: not JSON: parse error at line 2, column 11")) << what;
}

TEST(JsonSchema, AnUnknownNameIsReportedWithItsPointerAndTheNearestName) {
  EXPECT_EQ(refusal(R"({"schema":"edagen.workload/1","name":"a","phase":"custom","op_mixx":{}})"),
            "f.json#/op_mixx: unknown name 'op_mixx' (did you mean 'op_mix'?)");
  EXPECT_EQ(refusal(R"({"schema":"edagen.workload/1","name":"a","phase":"custom","op_mix":{"raed_rand":1}})"),
            "f.json#/op_mix/raed_rand: unknown name 'raed_rand' (did you mean 'read_rand'?)");
}

TEST(JsonSchema, AFileThatIsNotThereIsNamed) {
  EXPECT_EQ(testing::error_of([] { read_json_file("/nonexistent/x.json"); }),
            "/nonexistent/x.json: cannot be read: No such file or directory");
}

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

TEST(JsonSchema, WhatIsNestedDeeplyIsRefusedHoweverDeep) {
  EXPECT_NO_THROW(parse_json(nested(60), "f.json"));
  for (const std::size_t levels : {100, 50'000, 1'000'000})
    EXPECT_EQ(refusal(nested(levels)), "f.json: is nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_EQ(refusal(objects), "f.json: is nested deeper than 64 levels");
}

TEST(JsonSchema, NumbersAreRefusedThatNothingCanBeCountedIn) {
  EXPECT_TRUE(refusal(std::string(1'000'000, '9')).starts_with("f.json: not JSON: number overflow parsing '999"));
  EXPECT_EQ(refusal("[1e19]"), "f.json: the number 1e+19 is too large");
  EXPECT_EQ(refusal("[18446744073709551616]"), "f.json: the number 1.84467e+19 is too large");
  EXPECT_EQ(refusal("[-1e-200]"), "f.json: the number -1e-200 is too small");
  EXPECT_NO_THROW(parse_json("[18446744073709551615, 1e18, -1e-99, 0.0]", "f.json"));
}

TEST(JsonSchema, AKeyThatIsTwiceInOneObjectIsRefusedByItsName) {
  for (const char* const text : {R"({"a": 1, "b": {"c": 1, "c": 2}})", R"([{"d": 1}, {"c": [], "e": {}, "c": []}])"})
    EXPECT_EQ(refusal(text), "f.json: the key 'c' is there twice in one object");
  EXPECT_NO_THROW(parse_json(R"([{"a": {"a": [{"a": 1}, {"a": 1}]}, "b": 1}])", "f.json"));
}

TEST(JsonSchema, TextThatIsNotUtf8IsRefusedInOneLine) {
  const std::string what = refusal("{\"name\": \"a\xff\n\"}");
  EXPECT_TRUE(what.starts_with("f.json: not JSON: ")) << what;
  EXPECT_EQ(what.find('\n'), std::string::npos) << what;
}

TEST(JsonSchema, AMillionWrongOrUnknownMembersAreOneShortLine) {
  std::string many = R"({"schema":"edagen.workload/1","name":"a","phase":"custom","blend":[0)";
  for (int i = 0; i < 1'100'000; ++i) many += ",0";
  EXPECT_EQ(refusal(many + "]}"), "f.json#/blend: has 1,100,001 items: at most 100");
  const std::string what = refusal("{\"" + std::string(1'000'000, 'x') + "\":1}");
  EXPECT_LT(what.size(), 1500u);
}

TEST(JsonSchema, ALongNameIsRefusedBeforeItIsMatched) {
  EXPECT_EQ(refusal(R"({"schema":"edagen.workload/1","phase":"custom","name":")" + std::string(1'000'000, 'x') + "\"}"),
            "f.json#/name: has 1,000,000 characters: at most 128");
}

/// Where `rules` have a pattern and no longest text.
void find_unbounded(const nlohmann::json& rules, const std::string& where, std::vector<std::string>& found) {
  if (rules.is_object() && rules.contains("pattern") && rules["pattern"].is_string() && !rules.contains("maxLength"))
    found.push_back(where);
  if (!rules.is_structured()) return;
  for (const auto& [name, part] : rules.items()) find_unbounded(part, where + "/" + name, found);
}

TEST(JsonSchema, EveryPatternHasALongestText) {
  std::vector<std::string> found;
  int schemas = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("workloads/schema/")) continue;
    ++schemas;
    find_unbounded(nlohmann::json::parse(file.content()), std::string(file.path), found);
  }
  EXPECT_GT(schemas, 3);
  EXPECT_EQ(found, std::vector<std::string>());
}

TEST(JsonSchema, ManyObjectsAndManyMembersAreReadAsTheyStand) {
  constexpr int count = 50'000;  // in the square of that it would take minutes
  std::string objects = "[", members = "{";
  for (int i = 0; i < count; ++i) {
    objects += R"({"":0},)";
    members += "\"" + std::to_string(count - i) + "\":" + std::to_string(i) + ",";
  }
  objects += "0]";
  members += "\"last\":[]}";
  EXPECT_EQ(parse_json<nlohmann::ordered_json>(objects, "f.json").size(), count + 1u);
  EXPECT_EQ(parse_json(objects, "f.json").size(), count + 1u);
  const auto ordered = parse_json<nlohmann::ordered_json>(members, "f.json");
  EXPECT_EQ(ordered.begin().key(), std::to_string(count));
  EXPECT_EQ((--ordered.end()).key(), "last");
  EXPECT_EQ(nlohmann::json(ordered), parse_json(members, "f.json"));
}

TEST(JsonSchema, ADocumentIsReadAsByTheParserItself) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.ends_with(".json")) continue;
    const std::string text(file.content());
    EXPECT_EQ(parse_json(text, "f"), nlohmann::json::parse(text)) << file.path;
    EXPECT_EQ(parse_json<nlohmann::ordered_json>(text, "f").dump(), nlohmann::ordered_json::parse(text).dump());
  }
  const std::string all = R"([null,true,false,-1,0,18446744073709551615,1.5,-0.0,"a\\u00e9\\n","",[],{},[[{"a":[]}]]])";
  EXPECT_EQ(parse_json(all, "f"), nlohmann::json::parse(all));
  EXPECT_EQ(parse_json("5", "f"), nlohmann::json(5));
  for (const char* const bad : {"", "[", "[1,]", "{\"a\"}", "1 2", "[1]x", "nul"})
    EXPECT_THROW(parse_json(bad, "f"), Error) << bad;
}

}  // namespace
}  // namespace edagen
