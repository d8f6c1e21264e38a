// What a report says, and how often.
#pragma once

#include <string>

namespace edagen::testing {

/// The first lines, which are the answer.
inline std::string first_lines(const std::string& text) { return text.substr(0, text.find("\n\n") + 1); }

/// How often `part` is in `text`.
inline int count_of(const std::string& part, const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace edagen::testing
