#include "cli/words_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/words.hpp"
#include "cli/fio_words.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

/// The command that was chosen, and the subcommand of it; the program first.
std::vector<const CLI::App*> chosen_commands(const CLI::App& app) {
  std::vector<const CLI::App*> all = {&app};
  while (!all.back()->get_subcommands().empty()) all.push_back(all.back()->get_subcommands().front());
  return all;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options())
    if (!option->get_group().empty())  // else it is refused, with what to use instead
      for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

/// By its whole name, or by its letter.
bool has_option(const CLI::App& command, const std::string& name) {
  return std::ranges::any_of(command.get_options(), [&](const CLI::Option* option) {
    return !option->get_group().empty() &&
           (option->check_lname(name) || (name.size() == 1 && option->check_sname(name)));
  });
}

/// "is an option of curve and compare"; "" when no command has it. `name`: without dashes. `of_parts`: also of commands
/// such as "workloads import-fio".
std::string other_commands_hint(const CLI::App& app, const std::string& name, bool of_parts) {
  std::vector<std::string> commands;
  for (const CLI::App* const command : app.get_subcommands({})) {
    if (has_option(*command, name)) commands.push_back(command->get_name());
    if (!of_parts) continue;
    for (const CLI::App* const part : command->get_subcommands({}))
      if (has_option(*part, name)) commands.push_back(command->get_name() + " " + part->get_name());
  }
  if (commands.empty()) return "";
  const std::string last = commands.back();
  commands.pop_back();
  return fmt::format("is an option of {}{}{}", fmt::join(commands, ", "), commands.empty() ? "" : " and ", last);
}

bool imports_fio(const CLI::App& app) { return chosen_commands(app).back()->get_name() == "import-fio"; }

/// "known: run, curve, ..."; "" where the command has no commands.
std::string known_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* const part : command.get_subcommands({})) names.push_back(part->get_name());
  return names.empty() ? "" : fmt::format("known: {}", fmt::join(names, ", "));
}

/// "edagen workloads show"
std::string command_text(const CLI::App& app) {
  std::string text;
  for (const CLI::App* const command : chosen_commands(app)) text += (text.empty() ? "" : " ") + command->get_name();
  return text;
}

/// A hint for an option that the chosen command does not have. `name`: without dashes.
std::string option_hint(const CLI::App& app, const std::string& name) {
  if (imports_fio(app) && !fio_word_hint(name).empty())
    return "fio's words stand behind --: import-fio JOBFILE -- --size=1g, or import-fio -- --name=a --rw=read ...";
  // fio's --output is --json of a load, and of import-fio for those who have chosen "workloads".
  const std::vector<const CLI::App*> chosen = chosen_commands(app);
  const bool has_parts = chosen.size() > 1 && !chosen[1]->get_subcommands({}).empty();
  if (std::string others = other_commands_hint(app, name, has_parts); !others.empty()) return others;
  if (std::string fio = fio_word_hint(name); !fio.empty()) return fio;
  std::vector<std::string> names;
  for (const CLI::App* const command : chosen) std::ranges::copy(option_names(*command), std::back_inserter(names));
  const std::string near = likely_name(name, names);
  if (!near.empty()) return fmt::format("did you mean '--{}'?", near);
  const std::string others = other_commands_hint(app, name, true);
  const bool is_letter = name.size() == 1;
  return others.empty() && is_letter ? fmt::format("options have whole words: {} --help", command_text(app)) : others;
}

/// How a volume is named in the chosen command; "" where it has none.
std::string volume_hint(const CLI::App& app, const std::string& directory) {
  const std::vector<const CLI::App*> chosen = chosen_commands(app);
  const std::vector<std::string> options = option_names(*chosen.back());
  const std::string word = one_line(shell_word(directory));
  if (chosen.size() == 1 || std::ranges::count(options, "mount") > 0)
    return fmt::format("a volume is named by --mount {}", word);
  return std::ranges::count(options, "volume") > 0 ? fmt::format("a volume is named by --volume NAME={}", word) : "";
}

/// "--volume takes one value each time it is given"; "" where no option of several values is there.
std::string one_value_hint(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : command.get_options())
    if (!option->get_group().empty() && option->nonpositional() && option->count() > 0 &&
        option->get_items_expected_max() >= CLI::detail::expected_max_vector_size)
      names.push_back(option->get_name());
  if (names.empty()) return "";
  return fmt::format("{} {} one value each time it is given", fmt::join(names, " and "),
                     names.size() == 1 ? "takes" : "take");
}

/// The same for a word that is no option.
std::string word_hint(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::ranges::count(names, word) > 0) return fmt::format("a command stands first: edagen {} ...", word);
  for (const CLI::App* const command : app.get_subcommands({}))
    for (const CLI::App* const part : command->get_subcommands({}))
      if (part->get_name() == word) return fmt::format("did you mean 'edagen {} {}'?", command->get_name(), word);
  for (const CLI::App* const command : chosen_commands(app).back()->get_subcommands({}))
    names.push_back(command->get_name());
  static constexpr std::array<std::string_view, 14> units{"us",  "ms", "s", "min", "h", "KiB", "MiB",
                                                          "GiB", "k",  "K", "m",   "M", "g",   "G"};
  if (std::ranges::count(units, word) > 0) return fmt::format("a unit follows its number without a space: 10{}", word);
  if (word.find('/') != std::string::npos && word.find('=') == std::string::npos)
    if (std::string volume = volume_hint(app, word); !volume.empty()) return volume;
  if (std::string near = did_you_mean(word, names); !near.empty()) return near;
  const std::string known = known_commands(*chosen_commands(app).back());
  return known.empty() ? one_value_hint(*chosen_commands(app).back()) : known;
}

/// The values that the kind of an option allows: "one of a, b" for "TEXT:{a,b}", "in [2 - 10]" for "N:in [2 - 10]";
/// "FILE" for "FILE"; "" for plain text.
std::string allowed_text(const std::string& type) {
  const auto colon = std::min(type.find(":{"), type.find(":in ["));
  if (colon == std::string::npos) return type == "TEXT" ? "" : type;
  std::string what = type.substr(colon + 1);
  if (!what.starts_with('{')) return what;
  return "one of " + replaced(what.substr(1, what.size() - 2), ",", ", ");
}

/// CLI11's errors about too many values, no value, or a value for a flag, in words of ours that name the option; "" for
/// other errors.
std::string values_error(const CLI::ParseError& error) {
  const std::string text = error.what(), at_most = ": At Most 1 required but received ", one = ": 1 required ",
                    missing = " missing", flag = "Could not convert: ";
  if (const auto at = text.find(at_most); at != std::string::npos)
    return fmt::format("{}: is given {} times, but can be given once", text.substr(0, at),
                       text.substr(at + at_most.size()));
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
  const bool is_of_words = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr || imports_fio(app);
  if (unexpected.empty() || !is_of_words) return error.what();
  const std::string& word = unexpected.front();
  const bool is_option = word.starts_with('-');
  const std::string name = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const std::string hint = is_option ? option_hint(app, name.substr(0, name.find('='))) : word_hint(app, word);
  return fmt::format("{}: unknown {}{}", one_line(word), is_option ? "option" : "word",
                     hint.empty() ? "" : " (" + hint + ")");
}

}  // namespace edagen
