// Nights as JSON lines (workloads/schema/night.schema.json) and judgements as documents (check.schema.json).
#pragma once

#include <string_view>

#include "nights/night.hpp"
#include "result/result_json.hpp"

namespace edagen {

Document to_json(const Night& night);
Document to_json(const NightJudgement& judgement);

/// Of one line. Throws Error (usage) when it is no night, or names a figure twice; `where` names it.
Night night_of_line(std::string_view line, const std::string& where);

}  // namespace edagen
