#include "base/definition_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/embedded.hpp"
#include "base/json_schema.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

constexpr std::string_view extension = ".json";

}  // namespace

std::vector<std::string> DefinitionFolder::names() const {
  std::vector<std::string> found;
  for (const EmbeddedFile& file : embedded_files()) {
    std::string_view name = file.path;
    if (!name.starts_with(path) || !name.ends_with(extension)) continue;
    name.remove_prefix(std::string_view(path).size());
    name.remove_suffix(extension.size());
    if (name.find('/') == std::string_view::npos || name.starts_with("fio/")) found.emplace_back(name);
  }
  std::sort(found.begin(), found.end());  // files are sorted with their extension
  return found;
}

std::string DefinitionFolder::text(const std::string& name) const {
  const auto all = names();
  if (std::find(all.begin(), all.end(), name) != all.end())
    return std::string(embedded_file(path + name + std::string(extension)));
  throw usage_error(what, fmt::format("unknown {} '{}'", what, name), known_names_hint(name, all) + "; or FILE.json");
}

bool DefinitionFolder::is_path(const std::string& name) {
  return name.starts_with('/') || name.starts_with('.') || name.ends_with(extension);
}

nlohmann::json DefinitionFolder::read(const std::string& name_or_path) const {
  return is_path(name_or_path) ? read_json_file(name_or_path) : nlohmann::json::parse(text(name_or_path));
}

}  // namespace edagen
