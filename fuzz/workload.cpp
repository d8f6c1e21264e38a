#include "base/json_schema.hpp"
#include "input.hpp"
#include "use_ops.hpp"
#include "workload/workload_file.hpp"

namespace edagen::fuzz {

void use_workload(const std::string& text) { use_ops(parse_workload(parse_json(text, "w.json"), "w.json")); }

}  // namespace edagen::fuzz
