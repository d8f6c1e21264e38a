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

std::map<std::string, std::string> labels_of(const std::vector<std::string>& given, const std::string& file) {
  std::map<std::string, std::string> labels;
  for (const std::string& text : given)
    if (!labels.insert(label_of(text, "--label")).second)
      throw usage_error("--label", fmt::format("'{}' is given twice", label_of(text, "--label").first));
  if (file.empty()) return labels;
  std::istringstream lines(read_text_file(file, largest_definition));
  std::map<std::string, std::string> of_file;
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const std::string where = fmt::format("{}, line {}", file, number);
    const auto label = label_of(line, where);
    if (!of_file.insert(label).second) throw usage_error(where, fmt::format("'{}' is there twice", label.first));
  }
  labels.merge(of_file);
  return labels;
}

}  // namespace edagen
