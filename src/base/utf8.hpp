// Columns of UTF-8 text: two for each wide character, one for each other code point.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace edagen {

inline bool begins_code_point(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

inline std::size_t code_points_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_code_point));
}

/// The code point that begins at `at`. Where bytes are missing it is another one.
inline char32_t code_point_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  char32_t point = more == 0 ? first : first & (0x3fu >> more);
  for (std::size_t i = at + 1; i <= at + more && i < text.size(); ++i)
    point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3fu);
  return point;
}

/// The columns of the code point that begins at `at`.
inline std::size_t columns_at(std::string_view text, std::size_t at) {
  struct Range {
    char32_t first, last;
  };
  // Scripts and signs that are wide or fullwidth in Unicode's EastAsianWidth.txt (UAX 11).
  constexpr Range wide[] = {{0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0xa4cf},   {0xa960, 0xa97f},
                            {0xac00, 0xd7a3}, {0xf900, 0xfaff},   {0xfe30, 0xfe6f},   {0xff01, 0xff60},
                            {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};
  const char32_t point = code_point_at(text, at);
  if (point < wide[0].first) return 1;
  return std::ranges::any_of(wide, [&](Range range) { return point >= range.first && point <= range.last; }) ? 2 : 1;
}

inline std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (begins_code_point(text[at])) columns += columns_at(text, at);
  return columns;
}

/// The bytes of what the first `columns` columns have room for.
inline std::size_t size_of_columns(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if (!begins_code_point(text[at])) continue;
    seen += columns_at(text, at);
    if (seen > columns) break;
  }
  return at;
}

}  // namespace edagen
