// Reads workload definitions: built-in ones by name, or JSON files by path.
// The format is docs/workload-format.md and workloads/schema/workload.schema.json.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "edagen/workload.hpp"

namespace edagen {

/// The text of a built-in workload; throws Error (usage) that suggests the nearest name.
std::string builtin_workload_text(const std::string& name);

/// Like load_workload(), from parsed JSON; `where` names the source in errors.
WorkloadSpec parse_workload(const nlohmann::json& document, const std::string& where);

}  // namespace edagen
