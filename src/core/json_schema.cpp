#include "edagen/core/json_schema.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "edagen/core/embedded.hpp"
#include "edagen/core/error.hpp"
#include "edagen/core/units.hpp"

namespace edagen {
namespace {

using nlohmann::json;

const json& resolve(const json& schema, const json& root) {
  if (!schema.contains("$ref")) return schema;
  return root.at(json::json_pointer(schema.at("$ref").get<std::string>().substr(1)));
}

/// Names an unknown member with the nearest known one; a schema validator alone says only that it is not allowed.
void check_members(const json& value, const json& unresolved, const json& root, const json::json_pointer& at,
                   const std::string& where) {
  const json& schema = resolve(unresolved, root);
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

}  // namespace

json parse_json(std::string_view text, const std::string& where) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    std::string what = error.what();  // "[json.exception.parse_error.101] parse error at line 3, column 5: ..."
    if (const auto end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    throw usage_error(where, "not JSON: " + what);
  }
}

json read_json_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) throw usage_error(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return parse_json(text.str(), path);
}

void check_schema(const json& document, std::string_view schema_path, const std::string& where) {
  const json schema_json = json::parse(embedded_file(schema_path));
  check_members(document, schema_json, schema_json, json::json_pointer(), where);

  valijson::Schema schema;
  valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), schema);
  valijson::ValidationResults results;
  if (valijson::Validator().validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results)) return;
  valijson::ValidationResults::Error deepest, error;
  while (results.popError(error))
    if (error.context.size() > deepest.context.size()) deepest = error;
  throw usage_error(where + "#" + pointer_of(deepest.context), deepest.description);
}

}  // namespace edagen
