#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "cli/commands.hpp"
#include "edagen/exit_status.hpp"

namespace edagen {
namespace {

/// What a shell proposes after a word.
struct Proposals {
  std::string after;  ///< "COMMAND" or "COMMAND --option"; the program has no name
  std::string words;  ///< separated by spaces; empty: files
};

/// "a b" of a type such as TEXT:{a,b}; empty where there is none.
std::string values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto from = type.find('{'), to = type.find('}');
  if (from == std::string::npos || to == std::string::npos) return "";
  std::string values = type.substr(from + 1, to - from - 1);
  std::ranges::replace(values, ',', ' ');
  return values;
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

void add_proposals(const CLI::App& command, const std::string& path, std::vector<Proposals>& all) {
  std::ostringstream words;
  for (const CLI::App* const next : command.get_subcommands({})) words << next->get_name() << ' ';
  for (const CLI::Option* const option : command.get_options()) {
    if (option->get_group().empty()) continue;  // it is refused, with what to use instead
    for (const std::string& name : names_of(*option)) {
      words << name << ' ';
      if (option->get_items_expected_max() > 0) all.push_back({path + " " + name, values_of(*option)});
    }
  }
  all.push_back({path, words.str()});
  for (const CLI::App* const next : command.get_subcommands({}))
    add_proposals(*next, path.empty() ? next->get_name() : path + " " + next->get_name(), all);
}

/// The same function in both shells: prints what to propose after `$1`, or fails where that is not known.
std::string table_of(const std::vector<Proposals>& all) {
  std::string text = "_edagen_proposals() {\n  case $1 in\n";
  for (const Proposals& each : all) text += fmt::format("    '{}') echo '{}' ;;\n", each.after, each.words);
  return text + "    *) return 1 ;;\n  esac\n}\n";
}

constexpr const char* of_bash = R"sh(_edagen() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command= proposals i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    if _edagen_proposals "${command:+$command }${COMP_WORDS[i]}" >/dev/null && [[ ${COMP_WORDS[i]} != -* ]]; then
      command=${command:+$command }${COMP_WORDS[i]}
    fi
  done
  [[ -n $command || ${COMP_WORDS[1]} != -* || $COMP_CWORD == 1 ]] || command=run
  proposals=$(_edagen_proposals "$command $before" || _edagen_proposals "$command")
  [[ $COMP_CWORD != 1 || $word != -* ]] || proposals+=" $(_edagen_proposals run)"
  COMPREPLY=($(compgen -W "$proposals" -- "$word"))
}
complete -o default -F _edagen edagen
)sh";

constexpr const char* of_zsh = R"sh(_edagen() {
  local command= proposals i
  for ((i = 2; i < CURRENT; ++i)); do
    if [[ ${words[i]} != -* ]] && _edagen_proposals "${command:+$command }${words[i]}" >/dev/null; then
      command=${command:+$command }${words[i]}
    fi
  done
  [[ -n $command || ${words[2]} != -* || $CURRENT == 2 ]] || command=run
  proposals=$(_edagen_proposals "$command ${words[CURRENT-1]}" || _edagen_proposals "$command")
  [[ $CURRENT != 2 || ${words[2]} != -* ]] || proposals+=" $(_edagen_proposals run)"
  if [[ -n $proposals ]]; then compadd -- ${=proposals}; else _files; fi
}
if [[ $funcstack[1] == _edagen ]]; then _edagen "$@"; else compdef _edagen edagen; fi
)sh";

}  // namespace

void add_completion_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("completion", "Print the script with which a shell completes commands and options");
  auto shell = std::make_shared<std::string>();
  command->add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  line.does(*command, [&line, shell] {
    std::vector<Proposals> all;
    add_proposals(line.app, "", all);
    if (*shell == "zsh") std::cout << "#compdef edagen\n";
    std::cout << table_of(all) << (*shell == "zsh" ? of_zsh : of_bash);
    return exit_status::done;
  });
}

}  // namespace edagen
