// Nights as JSON lines and judgements as documents: to_json() and schema_of() of result/result_json.hpp.
#pragma once

#include <string_view>

#include "nights/night.hpp"
#include "result/result_json.hpp"

namespace edagen {

template <>
inline constexpr DocumentKind document_kind<Night> = {"edagen.night/1", "edagen night",
                                                      "A line of nights.jsonl: what is kept of a night."};
template <>
inline constexpr DocumentKind document_kind<NightJudgement> = {"edagen.check/1", "edagen check",
                                                               "How a night, or a result, compares with a history."};

/// Reads a night from one line. Throws Error (usage) when it is no night, or names a figure twice; `where` names it.
Night night_of_line(std::string_view line, const std::string& where);

}  // namespace edagen
