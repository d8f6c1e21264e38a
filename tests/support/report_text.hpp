// What a report says first.
#pragma once

#include <string>

namespace edagen::testing {

/// The first lines, which are the answer.
inline std::string first_lines(const std::string& text) { return text.substr(0, text.find("\n\n") + 1); }

}  // namespace edagen::testing
