#include "base/schema.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace edagen {
namespace {

using nlohmann::json;

bool is_whole(const json& value) {
  return value.is_number_integer() ||
         (value.is_number_float() && std::trunc(value.get<double>()) == value.get<double>());
}

constexpr std::array<JsonType, 7> json_types{{
    {"null", "null", [](const json& value) { return value.is_null(); }},
    {"boolean", "true or false", [](const json& value) { return value.is_boolean(); }},
    {"integer", "a whole number", is_whole},
    {"number", "a number", [](const json& value) { return value.is_number(); }},
    {"string", "text", [](const json& value) { return value.is_string(); }},
    {"array", "a list", [](const json& value) { return value.is_array(); }},
    {"object", "an object", [](const json& value) { return value.is_object(); }},
}};

void read_types(SchemaRule& rule, const json& value) {
  for (const json& keyword : value.is_array() ? value : json::array({value})) {
    const auto type = std::ranges::find_if(json_types, [&](const JsonType& known) { return known.keyword == keyword; });
    if (type == json_types.end()) throw std::logic_error("unknown type " + keyword.dump());
    rule.types.push_back(type);
  }
}

void ignore(SchemaRule&, const json&) {}

/// Keywords whose values hold no schemas.
const std::map<std::string, void (*)(SchemaRule&, const json&), std::less<>> plain_keywords = {
    {"$schema", ignore},
    {"title", ignore},
    {"default", ignore},
    {"description", [](SchemaRule& rule, const json& value) { rule.description = value.get<std::string>(); }},
    {"type", read_types},
    {"enum", [](SchemaRule& rule, const json& value) { rule.words = value.get<std::vector<std::string>>(); }},
    {"const", [](SchemaRule& rule, const json& value) { rule.words = {value.get<std::string>()}; }},
    {"minimum", [](SchemaRule& rule, const json& value) { rule.least = value; }},
    {"exclusiveMinimum", [](SchemaRule& rule, const json& value) { rule.above = value; }},
    {"maximum", [](SchemaRule& rule, const json& value) { rule.most = value; }},
    {"minLength", [](SchemaRule& rule, const json& value) { rule.characters.least = value; }},
    {"maxLength", [](SchemaRule& rule, const json& value) { rule.characters.most = value; }},
    {"minItems", [](SchemaRule& rule, const json& value) { rule.items.least = value; }},
    {"maxItems", [](SchemaRule& rule, const json& value) { rule.items.most = value; }},
    {"minProperties", [](SchemaRule& rule, const json& value) { rule.members.least = value; }},
    {"maxProperties", [](SchemaRule& rule, const json& value) { rule.members.most = value; }},
    {"pattern", [](SchemaRule& rule, const json& value) { rule.pattern.emplace(value.get<std::string>()); }},
    {"required", [](SchemaRule& rule, const json& value) { rule.required = value.get<std::vector<std::string>>(); }},
};

bool only_requires(const json& alternative) { return alternative.size() == 1 && alternative.contains("required"); }

}  // namespace

Schema::Schema(json text, std::string name) : text_(std::move(text)), name_(std::move(name)) { read(Pointer()); }

const SchemaRule& Schema::read(const Pointer& from) {
  const Pointer at = followed(from);
  const auto [place, is_new] = rules_.try_emplace(at.to_string());
  SchemaRule& rule = place->second;
  if (!is_new) return rule;
  for (const auto& [keyword, unused] : text_.at(at).items()) read_keyword(rule, keyword, at / keyword);
  const bool bounded = rule.characters.most < CountRange().most;
  if (rule.pattern && (!bounded || rule.description.empty()))
    throw broken(at, "a pattern needs maxLength and a description");
  if (!rule.any_of.empty() && rule.description.empty()) throw broken(at, "anyOf needs a description");
  return rule;
}

void Schema::read_keyword(SchemaRule& rule, const std::string& keyword, const Pointer& at) {
  const json& value = text_.at(at);
  if (const auto plain = plain_keywords.find(keyword); plain != plain_keywords.end()) {
    try {
      plain->second(rule, value);
    } catch (const std::exception& error) {
      throw broken(at, error.what());
    }
  } else if (keyword == "properties") {
    for (const auto& [name, property] : value.items()) {
      rule.properties[name] = &read(at / name);
      if (property.contains("const")) rule.tag = name;
    }
  } else if (keyword == "definitions") {
    for (const auto& [name, unused] : value.items()) read(at / name);
  } else if (keyword == "items") {
    rule.each = &read(at);
  } else if (keyword == "additionalProperties") {
    rule.closed = value == false;
    if (!value.is_boolean()) rule.others = &read(at);
  } else if (keyword == "anyOf") {
    read_choice(rule, at);
  } else {
    throw broken(at, "is not a keyword that is checked");
  }
}

void Schema::read_choice(SchemaRule& rule, const Pointer& at) {
  const json& alternatives = text_.at(at);
  const bool of_members = std::all_of(alternatives.begin(), alternatives.end(), only_requires);
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (of_members) rule.required_any.push_back(alternatives[i].at("required"));
    else rule.any_of.push_back(&read(at / i));
  }
}

Schema::Pointer Schema::followed(Pointer at) const {
  while (text_.at(at).is_object() && text_.at(at).contains("$ref")) {
    if (text_.at(at).size() > 1) throw broken(at, "nothing beside $ref is checked");
    at = Pointer(text_.at(at).at("$ref").get<std::string>().substr(1));
  }
  if (!text_.at(at).is_object()) throw broken(at, "is not a schema");
  return at;
}

std::logic_error Schema::broken(const Pointer& at, const std::string& what) const {
  return std::logic_error(name_ + "#" + at.to_string() + ": " + what);
}

}  // namespace edagen
