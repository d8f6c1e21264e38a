// Reads what runs have left: result documents and journals.
#pragma once

#include <string>

#include "edagen/report/result_document.hpp"

namespace edagen {

/// A result document, or the document that a journal's lines add up to: of a run that did not end, with status
/// "incomplete" and, for the point that was under way, what its intervals say. Throws Error (usage).
Document read_result(const std::string& path);

}  // namespace edagen
