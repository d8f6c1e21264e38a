// Text in the columns of a terminal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace edagen {

inline constexpr std::size_t terminal_columns = 80;

/// A column for each code point of UTF-8.
inline std::size_t display_columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

/// Lines of at most 80 columns with an end each, broken after blanks and commas; a word that is longer stays whole. All
/// but the first are indented.
inline std::string wrapped(std::string_view text, std::size_t indent) {
  std::string all, line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" ,"), text.size() - 1) + 1;
    const std::string_view word = text.substr(0, end);
    const std::size_t needed = display_columns(word) - (word.back() == ' ' ? 1 : 0);
    if (line.find_first_not_of(' ') != std::string::npos && display_columns(line) + needed > terminal_columns) {
      line.erase(line.find_last_not_of(' ') + 1);
      all += line + "\n";
      line.assign(indent, ' ');
    }
    line += word;
    text.remove_prefix(end);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return all + line + "\n";
}

}  // namespace edagen
