#include "edagen/core/json_schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "edagen/core/embedded.hpp"
#include "edagen/core/error.hpp"
#include "edagen/core/text_file.hpp"
#include "edagen/core/units.hpp"

namespace edagen {
namespace {

using nlohmann::json;
using Event = json::parse_event_t;

constexpr int deepest = 64;
constexpr std::size_t most_values = 20'000'000;
constexpr double largest_number = 1e18;  ///< what follows is whole ns and bytes, in 64 bits
constexpr double least_number = 1e-100;  ///< besides 0: what is divided by it stays finite

const json& resolve(const json& schema, const json& root) {
  if (!schema.contains("$ref")) return schema;
  return root.at(json::json_pointer(schema.at("$ref").get<std::string>().substr(1)));
}

/// Names an unknown member with the nearest known one; a schema validator alone says only that it is not allowed. Refuses
/// texts that are too long before the validator matches them: std::regex recurses with each character.
void check_members(const json& value, const json& unresolved, const json& root, const json::json_pointer& at,
                   const std::string& where) {
  const json& schema = resolve(unresolved, root);
  if (value.is_string() && schema.contains("maxLength")) {
    const auto longest = schema.at("maxLength").get<std::size_t>();
    if (value.get_ref<const std::string&>().size() > longest)
      throw usage_error(where + "#" + at.to_string(), fmt::format("is longer than {} characters", longest));
  }
  if (value.is_array() && schema.contains("items")) {
    for (std::size_t i = 0; i < value.size(); ++i) check_members(value[i], schema.at("items"), root, at / i, where);
    return;
  }
  if (!value.is_object() || !schema.contains("properties")) return;
  const json& properties = schema.at("properties");
  for (const auto& [key, member] : value.items()) {
    if (properties.contains(key)) {
      check_members(member, properties.at(key), root, at / key, where);
      continue;
    }
    if (schema.value("additionalProperties", json(true)) != json(false)) continue;
    std::vector<std::string> known;
    for (const auto& [name, unused] : properties.items()) known.push_back(name);
    const std::string near = nearest_name(key, known);
    throw usage_error(where + "#" + (at / key).to_string(), fmt::format("unknown name '{}'", key),
                      near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
}

/// valijson writes a path as <root>[a][0]; people and editors know JSON pointers.
std::string pointer_of(const std::vector<std::string>& context) {
  std::string pointer;
  for (std::size_t i = 1; i < context.size(); ++i)
    pointer += "/" + context[i].substr(1, context[i].size() - 2);
  return pointer;
}

std::size_t values_in(const json& value) {
  std::size_t count = 1;
  if (value.is_structured())
    for (const json& member : value) count += values_in(member);
  return count;
}

struct CompiledSchema {
  json text;
  valijson::Schema rules;
};

/// `part` of an embedded schema; compiled once.
const CompiledSchema& compiled(std::string_view schema_path, const std::string& part) {
  static std::mutex mutex;
  static std::map<std::pair<std::string_view, std::string>, CompiledSchema> all;
  const std::lock_guard lock(mutex);
  const auto [at, is_new] = all.try_emplace({schema_path, part});
  CompiledSchema& schema = at->second;
  if (is_new) {
    schema.text = json::parse(embedded_file(schema_path));
    json start = schema.text;
    if (!part.empty()) {
      start = schema.text.at(json::json_pointer(part));
      start["definitions"] = schema.text.at("definitions");  // what it refers to
    }
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(start), schema.rules);
  }
  return schema;
}

}  // namespace

template <class Json>
Json parse_json(std::string_view text, const std::string& where) {
  std::size_t values = 0;
  const auto watch = [&](int depth, Event event, Json& parsed) {
    if (event == Event::key || event == Event::object_end || event == Event::array_end) return true;
    if (depth > deepest) throw usage_error(where, fmt::format("is nested deeper than {} levels", deepest));
    if (++values > most_values) throw usage_error(where, fmt::format("holds more than {} values", format_count(most_values)));
    if (parsed.is_number_float()) {
      const double size = std::abs(parsed.template get<double>());
      if (size > largest_number || (size > 0 && size < least_number))
        throw usage_error(where, fmt::format("the number {:g} is too {}", parsed.template get<double>(), size > 1 ? "large" : "small"));
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const json::exception& error) {
    std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    throw usage_error(where, "not JSON: " + what);
  }
}

template json parse_json<json>(std::string_view, const std::string&);
template nlohmann::ordered_json parse_json<nlohmann::ordered_json>(std::string_view, const std::string&);

json read_json_file(const std::string& path) { return parse_json(read_text_file(path, largest_definition), path); }

void check_schema(const json& document, std::string_view schema_path, const std::string& where, const std::string& part) {
  const CompiledSchema& schema = compiled(schema_path, part);
  check_members(document, schema.text.at(json::json_pointer(part)), schema.text, json::json_pointer(), where);

  const valijson::adapters::NlohmannJsonAdapter adapter(document);
  if (valijson::Validator().validate(schema.rules, adapter, nullptr)) return;
  // The validator tells of each violation there is: not of millions.
  if (values_in(document) > 1'000'000) throw usage_error(where, "is not what " + std::string(schema_path) + " describes");
  valijson::ValidationResults results;
  valijson::Validator().validate(schema.rules, adapter, &results);
  valijson::ValidationResults::Error deepest_error, error;
  while (results.popError(error))
    if (error.context.size() > deepest_error.context.size()) deepest_error = error;
  throw usage_error(where + "#" + pointer_of(deepest_error.context), deepest_error.description);
}

}  // namespace edagen
