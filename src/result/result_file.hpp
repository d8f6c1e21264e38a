// Reads what runs have left: result documents and journals.
#pragma once

#include <string>
#include <string_view>

#include "edagen/result.hpp"

namespace edagen {

/// What a result document holds, or what a journal's lines add up to: of a run that did not end, with status
/// "incomplete" and, for the point that was in flight, what its intervals say. Throws Error (usage).
Result read_result(const std::string& path);

/// Of a journal's lines; `path` is for messages.
Result result_of_journal(std::string_view text, const std::string& path);

}  // namespace edagen
