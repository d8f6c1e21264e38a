#include "cli/help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <sstream>

#include "report/wrapped_text.hpp"

namespace edagen {
namespace {

/// What the help has of each command beside its options.
struct CommandHelp {
  std::vector<std::string> examples;
  std::string usual_options;  ///< what --help shows, names without dashes; empty: all options
};
const std::map<std::string, CommandHelp> of_commands{
    {"",
     {{"edagen --phase mixed --mount /mnt/a --clients 10        # 20 s of load",
       "edagen curve --phase mixed --mount /mnt/a --clients 10  # the rate at 2 ms",
       "edagen compare --volume a=/mnt/a --volume b=/mnt/b --phase mixed",
       "edagen curve --phase mixed --target sim:regular         # without storage"},
      ""}},
    {"run",
     {{"edagen run --phase mixed --mount /mnt/a --mount /mnt/b --clients 20",
       "edagen --phase mixed --mount /mnt/a --rate 20k --duration 5m --json r.json",
       "edagen --workload fio/8k-randread --mount /mnt/a --io-depth 32"},
      "phase workload clients job-sets rate io-depth duration repeat mount target dataset-scale keep-dataset "
      "reuse-dataset direct dry-run json html journal verbose"}},
    {"curve",
     {{"edagen curve --phase mixed --mount /mnt/a --clients 10 --html curve.html",
       "edagen curve --phase mixed --mount /mnt/a --points 10 --max-rate 50k",
       "edagen curve --workload fio/4k-randread --mount /mnt/a --sweep io-depth=1,2,4"},
      "phase workload clients job-sets mount target dry-run json html verbose "
      "latency-target latency-statistic search-time points sweep"}},
    {"compare",
     {{"edagen compare --volume a=/mnt/a --volume b=/mnt/b --phase mixed --clients 10",
       "edagen compare --export server:/vol --tunings eda --phase mixed --rate 5k"},
      "phase workload clients job-sets rate duration dry-run json html verbose latency-target "
      "volume export tunings factor repeat results"}},
    {"report", {{"edagen report r.json --html r.html", "edagen report interrupted.jsonl"}, ""}},
    {"mounts", {{"edagen mounts", "edagen mounts /mnt/a /mnt/b"}, ""}},
    {"check",
     {{"edagen check before1.json before2.json before3.json now.json", "edagen check --history /var/lib/edagen"}, ""}},
    {"nightly",
     {{"edagen nightly --config /etc/edagen/nightly.json --dry-run",
       "edagen nightly --config /etc/edagen/nightly.json --junit edagen.xml"},
      ""}},
    {"history", {{"edagen history /var/lib/edagen --html /var/lib/edagen/index.html"}, ""}},
    {"staleness", {{"edagen staleness --writer /mnt/a/dir --reader /mnt/b/dir --duration 60s"}, ""}},
    {"workloads", {{"edagen workloads", "edagen workloads show eda_mixed > my.json"}, ""}},
    {"workloads list", {{"edagen workloads list"}, ""}},
    {"workloads show", {{"edagen workloads show eda_mixed > my.json"}, ""}},
    {"workloads validate", {{"edagen workloads validate my.json"}, ""}},
    {"workloads import-fio",
     {{"edagen workloads import-fio my.fio --output mine.json",
       "edagen workloads import-fio -- --name=a --rw=randread --bs=8k --size=1g"},
      ""}},
    {"clean", {{"edagen clean --mount /mnt/a --mount /mnt/b"}, ""}},
    {"schema", {{"edagen schema result > result.schema.json"}, ""}},
    {"completion", {{"edagen completion bash > /etc/bash_completion.d/edagen"}, ""}},
};

/// `command`: "curve", "workloads import-fio"; "": the program.
const CommandHelp& help_of(const std::string& command) {
  static const CommandHelp none;
  const auto found = of_commands.find(command);
  return found == of_commands.end() ? none : found->second;
}

constexpr const char* group_of_help = "Help";

/// The heading of an option; "" of one that is hidden.
std::string group_of(const CLI::App& app, const CLI::Option* option) {
  return option == app.get_help_ptr() || option == app.get_help_all_ptr() ? group_of_help : option->get_group();
}

/// "curve", "workloads import-fio"; "": the program.
std::string path_of(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "";
  const std::string before = path_of(*app.get_parent());
  return before.empty() ? app.get_name() : before + " " + app.get_name();
}

/// Two columns: a name and what it is.
std::string row(const std::string& name, const std::string& text) {
  constexpr std::size_t indent = 28;
  const std::string left = "  " + name;
  if (columns_of(left) + 2 <= indent) return wrapped(left + std::string(indent - columns_of(left), ' ') + text, indent);
  return left + "\n" + wrapped(std::string(indent, ' ') + text, indent);
}

/// "FILE", "on|off"; "" of a flag.
std::string kind_of_value(const CLI::Option& option) {
  if (option.get_type_size() == 0 || option.get_positional()) return "";
  std::string kind = option.get_type_name();
  const auto begin = kind.find('{'), end = kind.find('}');
  if (begin != std::string::npos && end != std::string::npos) {
    kind = kind.substr(begin + 1, end - begin - 1);
    std::ranges::replace(kind, ',', '|');
  }
  return kind.substr(0, kind.find(":in ["));  // the range of a number is printed when a value is outside of it
}

std::string names_of(const std::set<CLI::Option*>& options) {
  std::set<std::string> names;
  for (const CLI::Option* const option : options) names.insert(option->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

/// `all`: with what the option needs and excludes.
std::string option_row(const CLI::Option& option, bool all) {
  const bool is_positional = option.get_positional();
  const std::string kind = kind_of_value(option);
  std::string text = option.get_description();
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (!option.get_default_str().empty()) add("default: " + option.get_default_str());
  if (option.get_required() && !is_positional) add("required");
  if (all && !option.get_needs().empty()) add("needs " + names_of(option.get_needs()));
  if (all && !option.get_excludes().empty()) add("not with " + names_of(option.get_excludes()));
  return row(option.get_name(is_positional, !is_positional) + (kind.empty() ? "" : " " + kind), text);
}

class HelpFormatter final : public CLI::Formatter {
 public:
  /// `mode`: All has every option, and of the program every command.
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const bool all = mode == CLI::AppFormatMode::All;
    const CommandHelp& help = help_of(path_of(*app));
    std::string text = head_text(*app, name, "") + options_text(*app, help, all ? Which::all : Which::usual, "");
    if (all) text += commands_in_full(*app, name);
    else text += commands_text(*app) + rest_text(*app, name, help);
    return text + (app->get_parent() == nullptr ? "\n" + make_footer(app) : "");
  }

 private:
  enum class Which { usual, all, all_but_help };

  /// What the command is, its usage, examples and arguments. `of`: behind headings, in a text of several commands.
  std::string head_text(const CLI::App& app, const std::string& name, const std::string& of) const {
    std::string text = wrapped(app.get_description(), 0) + "\n" + make_usage(&app, name);
    const CommandHelp& help = help_of(path_of(app));
    if (!help.examples.empty()) text += fmt::format("\nExamples{}:\n  {}\n", of, fmt::join(help.examples, "\n  "));
    return text + arguments_text(app);
  }

  static std::string arguments_text(const CLI::App& app) {
    std::string rows;
    for (const CLI::Option* const option : app.get_options())
      if (option->get_positional()) rows += option_row(*option, true);
    return rows.empty() ? "" : "\nArguments:\n" + rows;
  }

  static std::string options_text(const CLI::App& app, const CommandHelp& help, Which which, const std::string& of) {
    std::vector<std::string> groups = app.get_groups();
    if (which != Which::all_but_help) groups.emplace_back(group_of_help);
    const auto is_its_own = [&](const std::string& group) {  // "Compare" of compare comes first
      return std::ranges::equal(group, app.get_name(), {}, [](char c) { return std::tolower(c); });
    };
    std::stable_partition(groups.begin(), groups.end(), is_its_own);
    std::string text;
    for (const std::string& group : groups) {
      std::string rows;
      for (const CLI::Option* const option : options_of(app))
        if (group_of(app, option) == group && (which != Which::usual || is_usual(app, option, help)))
          rows += option_row(*option, which != Which::usual);
      if (!rows.empty()) text += fmt::format("\n{}{}:\n{}", group, of, rows);
    }
    return text;
  }

  static std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options(
        [&](const CLI::Option* option) { return !option->get_positional() && !group_of(app, option).empty(); });
  }

  static bool is_usual(const CLI::App& app, const CLI::Option* option, const CommandHelp& help) {
    if (group_of(app, option) == group_of_help) return false;
    std::istringstream names(help.usual_options);
    for (std::string name; names >> name;)
      if (option->check_name("--" + name)) return true;
    return help.usual_options.empty();
  }

  static std::string commands_text(const CLI::App& app) {
    std::string rows;
    for (const CLI::App* const command : app.get_subcommands({}))
      rows += row(command->get_name(), command->get_description());
    return rows.empty() ? "" : "\nCommands (edagen COMMAND --help; --help-all has every option):\n" + rows;
  }

  std::string commands_in_full(const CLI::App& app, const std::string& name) const {
    std::string text;
    for (const CLI::App* const command : app.get_subcommands({})) {
      const std::string full_name = name + " " + command->get_name(), of = " of " + full_name;
      text += fmt::format("\n\n{}:\n{}{}{}", full_name, head_text(*command, full_name, of),
                          options_text(*command, help_of(path_of(*command)), Which::all_but_help, of),
                          commands_in_full(*command, full_name));
    }
    return text;
  }

  /// How to see the options that are not shown.
  static std::string rest_text(const CLI::App& app, const std::string& name, const CommandHelp& help) {
    const auto is_left_out = [&](const CLI::Option* option) {
      return group_of(app, option) != group_of_help && !is_usual(app, option, help);
    };
    const auto left_out = std::ranges::count_if(options_of(app), is_left_out);
    return left_out == 0 ? "" : fmt::format("\nand {} options more: {} --help-all\n", left_out, name);
  }
};

}  // namespace

void add_help(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Print the usual options and exit");
  app.set_help_all_flag("--help-all", "Print all options and exit");
}

}  // namespace edagen
