// Checks a JSON document against one of edagen's own JSON Schemas, with errors a person can act on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace edagen {

class Schema;

/// Parses `text` into nlohmann::json or ordered_json. Throws Error (usage) with line and column on a syntax error, and
/// on documents that edagen never has: more than 64 levels, more than 20 million values, a key twice in one object,
/// fractions above 1e18 or below 1e-100. `where` names the file.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text, const std::string& where);

/// Reads and parses a definition; throws Error (usage) when it cannot be read.
nlohmann::json read_json_file(const std::string& path);

/// Throws Error (usage) at the first violation: "FILE#/json/pointer: what (did you mean 'x'?)".
/// `schema_path` names an embedded schema, e.g. "workloads/schema/workload.schema.json".
void check_schema(const nlohmann::json& document, std::string_view schema_path, const std::string& where);
void check_schema(const nlohmann::json& document, const Schema& schema, const std::string& where);

}  // namespace edagen
