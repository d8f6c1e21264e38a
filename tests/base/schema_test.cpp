#include "base/schema.hpp"

#include <gtest/gtest.h>

#include "base/embedded.hpp"

namespace edagen {
namespace {

std::string refusal(const char* schema) {
  try {
    const Schema read(nlohmann::json::parse(schema), "s.json");
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

TEST(Schema, AKeywordThatIsNotCheckedIsRefusedWithItsPlace) {
  EXPECT_EQ(refusal(R"({"oneOf": []})"), "s.json#/oneOf: is not a keyword that is checked");
  EXPECT_EQ(refusal(R"({"properties": {"a": {"items": {"multipleOf": 2}}}})"),
            "s.json#/properties/a/items/multipleOf: is not a keyword that is checked");
  EXPECT_EQ(refusal(R"({"definitions": {"unused": {"format": "date"}}})"),
            "s.json#/definitions/unused/format: is not a keyword that is checked");
  EXPECT_EQ(refusal(R"({"additionalProperties": {"not": {}}})"),
            "s.json#/additionalProperties/not: is not a keyword that is checked");
  EXPECT_EQ(refusal(R"({"properties": {"format": {"type": "string"}}})"), "") << "a member's name is no keyword";
}

TEST(Schema, AKeywordOfAFormThatIsNotCheckedIsRefused) {
  EXPECT_EQ(refusal(R"({"type": "float"})"), "s.json#/type: unknown type \"float\"");
  EXPECT_NE(refusal(R"({"enum": [1, 2]})"), "");
  EXPECT_NE(refusal(R"({"const": 1})"), "");
  EXPECT_NE(refusal(R"({"items": [{"type": "string"}]})"), "");
  EXPECT_NE(refusal(R"({"definitions": {"a": {}}, "items": {"$ref": "#/definitions/a", "minimum": 1}})"), "");
}

TEST(Schema, APatternNeedsALongestTextAndPatternsAndChoicesNeedADescriptionToShow) {
  EXPECT_NE(refusal(R"({"pattern": "a", "description": "a's"})"), "");
  EXPECT_NE(refusal(R"({"pattern": "a", "maxLength": 5})"), "");
  EXPECT_EQ(refusal(R"({"pattern": "a", "maxLength": 5, "description": "a's"})"), "");
  EXPECT_NE(refusal(R"({"anyOf": [{"type": "string"}, {"type": "null"}]})"), "");
  EXPECT_EQ(refusal(R"({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]})"), "");
}

TEST(Schema, AllOfEdagensSchemasAreRead) {
  std::size_t schemas = 0;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("workloads/schema/")) continue;
    EXPECT_NO_THROW(Schema(nlohmann::json::parse(file.content()), std::string(file.path)));
    ++schemas;
  }
  EXPECT_EQ(schemas, 4u);
}

TEST(Schema, AReferenceIsFollowedToItsRule) {
  const Schema schema(
      nlohmann::json::parse(
          R"({"properties": {"a": {"$ref": "#/definitions/x"}}, "definitions": {"x": {"minimum": 7}}})"),
      "s.json");
  EXPECT_EQ(schema.rule().properties.at("a")->least, 7);
}

}  // namespace
}  // namespace edagen
