#include "edagen/error.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"

namespace edagen {
namespace {

bool continues_code_point(std::string_view text, std::size_t at) {
  return at < text.size() && !begins_code_point(text[at]);
}

/// Whether Unicode assigns or may assign the character: neither half of a surrogate pair nor a noncharacter, which
/// XML 1.0 and other formats refuse.
bool is_character(char32_t character) {
  const bool surrogate = character >= 0xd800 && character <= 0xdfff,
             noncharacter = (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
  return character <= 0x10ffff && !surrogate && !noncharacter;
}

/// Whether a character neither controls the terminal, nor ends a line, nor turns the direction of text (Unicode, UAX
/// 9).
bool is_harmless(char32_t character) {
  const bool control = character < 0xa0, mark = character == 0x61c || character == 0x200e || character == 0x200f,
             line_or_embedding = character >= 0x2028 && character <= 0x202e,
             isolate = character >= 0x2066 && character <= 0x2069;
  return !control && !mark && !line_or_embedding && !isolate;
}

/// The length in bytes of the printable character at `at`; 0 when there is none.
std::size_t printable_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if (!continues_code_point(text, at + i)) return 0;
  char32_t character = first & (0x7f >> length);
  for (std::size_t i = 1; i < length; ++i)
    character = character << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3f);
  constexpr char32_t least[] = {0, 0, 0x80, 0x800,
                                0x10000};  // smaller characters have a shorter form, which alone is UTF-8
  return character >= least[length] && is_character(character) && is_harmless(character) ? length : 0;
}

std::string escaped(std::string_view text) {
  std::string safe;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = printable_at(text, at);
    if (length > 0) safe += text.substr(at, length);
    else if (text[at] == '\n') safe += "\\n";
    else safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    at += std::max<std::size_t>(length, 1);
  }
  return safe;
}

}  // namespace

std::string one_line(std::string_view text, std::size_t most) {
  if (text.size() <= most) return escaped(text);
  std::size_t head = most * 2 / 3, tail = text.size() - most / 3;
  for (int i = 0; i < 3 && continues_code_point(text, head); ++i) --head;  // characters stay whole
  for (int i = 0; i < 3 && continues_code_point(text, tail); ++i) ++tail;
  return escaped(text.substr(0, head)) + "..." + escaped(text.substr(tail));
}

}  // namespace edagen
