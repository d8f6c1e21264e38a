// Words of messages, and what is escaped in texts.
#pragma once

#include <algorithm>
#include <cctype>

#include "edagen/units.hpp"

namespace edagen {

/// `text` with `by` in place of each `what`.
inline std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  std::string made;
  for (std::size_t at = 0; (at = text.find(what)) != std::string_view::npos; text.remove_prefix(at + what.size()))
    made.append(text.substr(0, at)).append(by);
  made.append(text);
  return made;
}

/// `word` as a shell reads it back: in single quotes where it has to be.
inline std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  return "'" + replaced(word, "'", "'\\''") + "'";
}

/// "a" and "b" of "a,b"; of a text without a separator the text itself. Parts may be empty.
inline std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(separator, from)) != std::string::npos; from = at + 1)
    parts.push_back(text.substr(from, at - from));
  parts.push_back(text.substr(from));
  return parts;
}

/// The name that `word` is likely to mean: the nearest one, where at most two letters differ, and in a word of up to
/// four letters one; else one that begins with `word`; else "".
template <class Range>
std::string likely_name(std::string_view word, const Range& candidates) {
  std::string near = nearest_name(word, candidates);
  const std::size_t most_different = std::min<std::size_t>(2, (word.size() + 1) / 3);
  if (!near.empty() && edit_distance(word, near) > most_different) near.clear();
  if (near.empty() && word.size() >= 3)
    for (const std::string_view name : candidates)
      if (near.empty() && name.starts_with(word)) near = name;
  return near;
}

/// Returns "did you mean 'x'?"; empty when no name is near.
template <class Range>
std::string did_you_mean(std::string_view word, const Range& candidates) {
  const std::string near = likely_name(word, candidates);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

}  // namespace edagen
