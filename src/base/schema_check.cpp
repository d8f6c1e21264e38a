#include "base/schema_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"
#include "base/words.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

using nlohmann::json;
using Found = std::optional<Violation>;
using Names = std::vector<std::string>;

std::string in_quotes(std::string_view text) { return "'" + one_line(text, 60) + "'"; }

/// Returns "a, b and c".
std::string listed(const Names& words, std::string_view before_last) {
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i)
    list += (i == 0 ? "" : i + 1 == words.size() ? std::string(before_last) : ", ") + words[i];
  return list;
}

std::string listed_names(const Names& words, std::string_view before_last) {
  Names all;
  for (const std::string& word : words) all.push_back(in_quotes(word));
  return listed(all, before_last);
}

Names property_names(const SchemaRule& rule) {
  Names known;
  for (const auto& [name, unused] : rule.properties) known.push_back(name);
  return known;
}

std::string shown(const json& value) {
  return value.is_string() ? "text" : value.is_array() ? "a list" : value.is_object() ? "an object" : value.dump();
}

/// Returns "'x' is not ALLOWED" or "is 5, not ALLOWED"; `known` are the allowed words.
Violation is_not(const json& value, const std::string& allowed, const Names& known) {
  if (!value.is_string()) return {fmt::format("is {}, not {}", shown(value), allowed), ""};
  const auto& text = value.get_ref<const std::string&>();
  return {fmt::format("{} is not {}", in_quotes(text), allowed), did_you_mean(text, known)};
}

Found check_count(std::size_t count, const CountRange& range, const char* of_what, const std::string& which = "") {
  if (count >= range.least && count <= range.most) return std::nullopt;
  const bool few = count < range.least;
  return Violation{
      fmt::format("has {} {}: at {} {}{}", count == 0 ? "no" : format_count(static_cast<double>(count)), of_what,
                  few ? "least" : "most", format_count(static_cast<double>(few ? range.least : range.most)), which),
      ""};
}

bool has_type(const json& value, const SchemaRule& rule) {
  return rule.types.empty() ||
         std::ranges::any_of(rule.types, [&](const JsonType* type) { return type->holds(value); });
}

Found check_type(const json& value, const SchemaRule& rule) {
  if (has_type(value, rule)) return std::nullopt;
  Names allowed;
  for (const JsonType* const type : rule.types) allowed.emplace_back(type->words);
  return Violation{fmt::format("is {}, not {}", shown(value), listed(allowed, " or ")), ""};
}

Found check_word(const json& value, const SchemaRule& rule) {
  const auto* const word = value.get_ptr<const std::string*>();
  if (rule.words.empty() || (word != nullptr && std::ranges::find(rule.words, *word) != rule.words.end()))
    return std::nullopt;
  if (rule.words.size() == 1) return is_not(value, in_quotes(rule.words.front()), {});
  return is_not(value, "one of " + listed_names(rule.words, ", "), rule.words);
}

Found check_text(const json& value, const SchemaRule& rule) {
  const auto& text = value.get_ref<const std::string&>();
  if (Found found = check_count(code_points_of(text), rule.characters, "characters")) return found;
  if (!rule.pattern || rule.pattern->is_in(text)) return std::nullopt;
  return is_not(value, rule.description, {});
}

std::string limit_text(double limit) {
  return std::trunc(limit) == limit && std::abs(limit) < 1e15 ? format_count(limit) : fmt::format("{:g}", limit);
}

Found check_number(const json& value, const SchemaRule& rule) {
  const auto number = value.get<double>();
  const auto violation = [&](const char* bound, double limit) {
    return Violation{fmt::format("is {}: {} {}", value.dump(), bound, limit_text(limit)), ""};
  };
  if (number < rule.least) return violation("at least", rule.least);
  if (number <= rule.above) return violation("above", rule.above);
  if (number > rule.most) return violation("at most", rule.most);
  return std::nullopt;
}

/// The violation in the member or item `key` of a value.
template <class Key>
Found check_part(const json& part, const SchemaRule& rule, const Key& key) {
  Found found = violation_of(part, rule);
  if (found) found->pointer.insert(0, (json::json_pointer() / key).to_string());
  return found;
}

Found check_list(const json& list, const SchemaRule& rule) {
  if (Found found = check_count(list.size(), rule.items, "items")) return found;
  if (rule.each == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (Found found = check_part(list[i], *rule.each, i)) return found;
  return std::nullopt;
}

Found check_names(const json& object, const SchemaRule& rule) {
  if (!rule.closed) return std::nullopt;
  for (const auto& [name, unused] : object.items()) {
    if (rule.properties.contains(name)) continue;
    const Names known = property_names(rule);
    const std::string near = did_you_mean(name, known);
    return Violation{fmt::format("unknown name {}", in_quotes(name)),
                     near.empty() ? "known: " + listed_names(known, ", ") : near,
                     (json::json_pointer() / name).to_string()};
  }
  return std::nullopt;
}

Found check_values(const json& object, const SchemaRule& rule) {
  for (const auto& [name, member] : object.items()) {
    const auto property = rule.properties.find(name);
    const SchemaRule* const wanted = property == rule.properties.end() ? rule.others : property->second;
    if (wanted == nullptr) continue;
    if (Found found = check_part(member, *wanted, name)) return found;
  }
  return std::nullopt;
}

/// The names in `wanted` that are members of the object, or with `members` false those that are not.
Names of(const json& object, const Names& wanted, bool members) {
  Names found;
  std::ranges::copy_if(wanted, std::back_inserter(found),
                       [&](const std::string& name) { return object.contains(name) == members; });
  return found;
}

std::string are_missing(const Names& missing) {
  return fmt::format("{} {} missing", listed_names(missing, " and "), missing.size() == 1 ? "is" : "are");
}

/// A document without its kind is shown the member that names it.
Found check_required(const json& object, const SchemaRule& rule) {
  const Names missing = of(object, rule.required, false);
  if (missing.empty()) return std::nullopt;
  const bool has_kind = rule.tag.empty() || object.contains(rule.tag);
  return Violation{are_missing(missing),
                   has_kind ? "" : fmt::format(R"("{}": "{}")", rule.tag, rule.properties.at(rule.tag)->words.front())};
}

/// When the object has members of just one list, that list is meant.
Found check_required_any(const json& object, const SchemaRule& rule) {
  Names choices;
  const Names* present = nullptr;
  bool one_present = false;
  for (const Names& list : rule.required_any) {
    const std::size_t there = of(object, list, true).size();
    if (there == list.size()) return std::nullopt;
    if (there > 0) one_present = present == nullptr, present = &list;
    choices.push_back(listed_names(list, " and "));
  }
  if (choices.empty()) return std::nullopt;
  if (!one_present) return Violation{"needs " + listed(choices, ", or "), ""};
  return Violation{fmt::format("{}: needed beside {}", are_missing(of(object, *present, false)),
                               listed_names(of(object, *present, true), " and ")),
                   ""};
}

Found check_members(const json& object, const SchemaRule& rule) {
  if (const auto tag = object.find(rule.tag); !rule.tag.empty() && tag != object.end())
    if (Found found = check_part(*tag, *rule.properties.at(rule.tag), rule.tag)) return found;
  for (const auto check : {check_names, check_values, check_required, check_required_any})
    if (Found found = check(object, rule)) return found;
  return check_count(object.size(), rule.members, "members",
                     rule.closed ? " of " + listed_names(property_names(rule), ", ") : "");
}

/// Whether a value is of the kind that an alternative is for, even if it violates other rules of it.
bool is_meant(const json& value, const SchemaRule& rule) {
  if (!rule.any_of.empty())
    return std::ranges::any_of(rule.any_of, [&](const SchemaRule* inner) { return is_meant(value, *inner); });
  return rule.words.empty() && has_type(value, rule);
}

Found check_any_of(const json& value, const SchemaRule& rule) {
  if (rule.any_of.empty()) return std::nullopt;
  Found of_meant;
  Names known;
  for (const SchemaRule* const alternative : rule.any_of) {
    Found found = violation_of(value, *alternative);
    if (!found) return std::nullopt;
    if (is_meant(value, *alternative)) of_meant = std::move(found);
    known.insert(known.end(), alternative->words.begin(), alternative->words.end());
  }
  return of_meant ? of_meant : is_not(value, rule.description, known);
}

Found check_content(const json& value, const SchemaRule& rule) {
  if (value.is_string()) return check_text(value, rule);
  if (value.is_number()) return check_number(value, rule);
  if (value.is_array()) return check_list(value, rule);
  return value.is_object() ? check_members(value, rule) : std::nullopt;
}

}  // namespace

Found violation_of(const json& value, const SchemaRule& rule) {
  for (const auto check : {check_type, check_word, check_content, check_any_of})
    if (Found found = check(value, rule)) return found;
  return std::nullopt;
}

}  // namespace edagen
