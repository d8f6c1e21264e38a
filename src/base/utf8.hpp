// Columns of UTF-8 text: one for each code point.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace edagen {

inline bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

inline std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_code_point));
}

/// The bytes of the first `columns` columns.
inline std::size_t size_of_columns(std::string_view text, std::size_t columns) {
  std::size_t seen = 0, at = 0;
  while (at < text.size() && (!begins_code_point(text[at]) || seen++ < columns)) ++at;
  return at;
}

}  // namespace edagen
