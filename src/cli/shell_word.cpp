#include "cli/shell_word.hpp"

#include <algorithm>
#include <string_view>

#include "base/words.hpp"

namespace edagen {

std::string shell_word(const std::string& word) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("_-./:=,+@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  return "'" + replaced(word, "'", "'\\''") + "'";
}

}  // namespace edagen
