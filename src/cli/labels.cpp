#include "cli/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/text_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t longest_key = 64, longest_text = 1'000;

bool is_key(const std::string& key) {
  return !key.empty() && key.size() <= longest_key &&
         std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; });
}

std::pair<std::string, std::string> label_of(const std::string& text, const std::string& where) {
  const auto equals = text.find('=');
  const std::string key = text.substr(0, equals);
  if (equals == std::string::npos || !is_key(key))
    throw usage_error(where, fmt::format("'{}' is not KEY=TEXT", text), "a key has letters, digits, - _ and .");
  if (text.size() - equals - 1 > longest_text)
    throw usage_error(where, fmt::format("the text of '{}' has more than {} bytes", key, longest_text));
  return {key, text.substr(equals + 1)};
}

}  // namespace

void add_label(Labels& labels, const std::string& text, const std::string& where) {
  const auto label = label_of(text, where);
  if (!labels.insert(label).second) throw usage_error(where, fmt::format("'{}' is given twice", label.first));
}

Labels with_labels_of(Labels given, const std::string& file) {
  if (file.empty()) return given;
  std::istringstream lines(read_text_file(file, largest_definition));
  Labels of_file;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty() && line[0] != '#') add_label(of_file, line, fmt::format("{}, line {}", file, number));
  }
  given.merge(of_file);
  return given;
}

}  // namespace edagen
