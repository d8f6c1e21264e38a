// Checks a JSON document against one of edagen's own JSON Schemas, with errors a person can act on.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace edagen {

/// Parses `text`; throws Error (usage) with line and column on a syntax error. `where` names the file.
nlohmann::json parse_json(std::string_view text, const std::string& where);

/// Reads and parses a file; throws Error (usage) when it cannot be read.
nlohmann::json read_json_file(const std::string& path);

/// Throws Error (usage) at the first violation: "FILE#/json/pointer: what (did you mean 'x'?)".
/// `schema_path` names an embedded schema, e.g. "workloads/schema/workload.schema.json".
void check_schema(const nlohmann::json& document, std::string_view schema_path, const std::string& where);

}  // namespace edagen
