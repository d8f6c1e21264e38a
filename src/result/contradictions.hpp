// Figures of one document that cannot all be true.
#pragma once

#include <string>

#include "result/result_json.hpp"

namespace edagen {

/// Throws Error (usage) that names the first place in a document, or in a part of one, where percentiles do not ascend,
/// a mean is above its maximum, kinds of op are not together all ops, or something is valid for which there are reasons
/// not to be. What rounding may do is let pass, and so is what is not there.
void check_contradictions(const Document& document, const std::string& where);

}  // namespace edagen
