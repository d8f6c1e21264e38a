#include "cli/words_error.hpp"

#include <fmt/format.h>

#include "base/words.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

/// The names that are known where the command line went wrong.
std::vector<std::string> known_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) names.push_back(command->get_name());
  for (const CLI::App* at = &app; at != nullptr;) {
    for (const CLI::Option* const option : at->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const auto chosen = at->get_subcommands();
    at = chosen.empty() ? nullptr : chosen.front();
  }
  return names;
}

}  // namespace

std::string words_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = app.remaining(true);
  if (unexpected.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  const std::string& word = unexpected.front();
  const std::string near = did_you_mean(word.substr(0, word.find('=')), known_names(app));
  return fmt::format("{}: unknown {}{}", one_line(word), word.starts_with('-') ? "option" : "word",
                     near.empty() ? "" : " (" + near + ")");
}

}  // namespace edagen
