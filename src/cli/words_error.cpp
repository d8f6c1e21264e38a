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

/// What "TEXT:{a,b}" says of a value, "one of a, b", or "UINT:in [2 - 10]"; "" when it says nothing.
std::string allowed_text(const std::string& type) {
  const auto colon = type.find(':');
  if (colon == std::string::npos) return "";
  std::string what = type.substr(colon + 1);
  if (!what.starts_with('{') || !what.ends_with('}')) return what;
  std::string names = "one of ";
  for (const char c : what.substr(1, what.size() - 2)) names += c == ',' ? std::string(", ") : std::string(1, c);
  return names;
}

/// What CLI11 says of too many values, of none, or of one for a flag, in words of ours that name the option; "" when it
/// says something else.
std::string values_error(const CLI::ParseError& error) {
  const std::string text = error.what(), at_most = ": At Most 1 required but received ", one = ": 1 required ",
                    missing = " missing", flag = "Could not convert: ";
  if (const auto at = text.find(at_most); at != std::string::npos)
    return fmt::format("{}: is given {} times, and goes once", text.substr(0, at), text.substr(at + at_most.size()));
  if (const auto at = text.find(one); at != std::string::npos && text.ends_with(missing)) {
    const auto type = at + one.size();
    const std::string allowed = allowed_text(text.substr(type, text.size() - missing.size() - type));
    return fmt::format("{}: needs a value{}", text.substr(0, at), allowed.empty() ? "" : " (" + allowed + ")");
  }
  if (const auto end = text.find(" = "); text.starts_with(flag) && end != std::string::npos)
    return fmt::format("{}: takes no value", text.substr(flag.size(), end - flag.size()));
  return "";
}

}  // namespace

std::string words_error(const CLI::App& app, const CLI::ParseError& error) {
  const bool of_values = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr ||
                         dynamic_cast<const CLI::ConversionError*>(&error) != nullptr;
  if (std::string ours = of_values ? values_error(error) : ""; !ours.empty()) return ours;
  const std::vector<std::string> unexpected = app.remaining(true);
  if (unexpected.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  const std::string& word = unexpected.front();
  const std::string near = did_you_mean(word.substr(0, word.find('=')), known_names(app));
  return fmt::format("{}: unknown {}{}", one_line(word), word.starts_with('-') ? "option" : "word",
                     near.empty() ? "" : " (" + near + ")");
}

}  // namespace edagen
