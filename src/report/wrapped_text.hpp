// Text in the columns of a terminal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace edagen {

inline constexpr std::size_t terminal_columns = 80;

/// Where a line may be broken: at a blank, and at a comma that is none of "39,601".
inline std::size_t end_of_word(std::string_view text) {
  const auto is_digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  std::size_t at = text.find_first_of(" ,");
  while (at < text.size() && text[at] == ',' && at > 0 && is_digit(at - 1) && is_digit(at + 1))
    at = text.find_first_of(" ,", at + 1);
  return std::min(at, text.size() - 1) + 1;
}

/// Lines of at most `columns` with an end each, broken after blanks and commas; a word that is longer stays whole. All
/// but the first are indented.
inline std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns = terminal_columns) {
  std::string all, line;
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    const std::string_view word = text.substr(0, end);
    const std::size_t needed = columns_of(word) - (word.back() == ' ' ? 1 : 0);
    if (line.find_first_not_of(' ') != std::string::npos && columns_of(line) + needed > columns) {
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

/// The same of each line of a text.
inline std::string wrapped_lines(std::string_view text, std::size_t indent, std::size_t columns = terminal_columns) {
  std::string all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    all += wrapped(text.substr(0, end), indent, columns);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return all;
}

}  // namespace edagen
