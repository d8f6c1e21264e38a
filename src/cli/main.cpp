#include "cli/main.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "edagen/units.hpp"
#include "edagen/version.hpp"

namespace edagen {
namespace {

/// `edagen --phase mixed` is `edagen run --phase mixed`, `edagen help curve` is `edagen curve --help`.
std::vector<std::string> with_default_command(const CLI::App& app, std::vector<std::string> words) {
  static const std::vector<std::string> of_the_program = {"-h", "--help", "--version"};
  if (words.size() < 2) return words;
  if (words[1] == "version" && words.size() == 2) words[1] = "--version";
  if (words[1] == "help") {
    words.erase(words.begin() + 1);
    const auto is_next = [&](const CLI::App* command) { return words.size() > 1 && command->check_name(words[1]); };
    if (words.size() == 1 || !app.get_subcommands(is_next).empty()) words.emplace_back("--help");
  }
  const bool asks = std::find(of_the_program.begin(), of_the_program.end(), words[1]) != of_the_program.end();
  if (words[1].starts_with('-') && !asks) words.insert(words.begin() + 1, "run");
  return words;
}

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

int refuse(const std::string& message) {
  std::cerr << "edagen: " << one_line(message, 1500) << "\n";
  return exit_status::usage;
}

int refuse_words(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = app.remaining(true);
  if (unexpected.empty() || dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) {
    return refuse(error.what());
  }
  const std::string& word = unexpected.front();
  const std::string near = nearest_name(word.substr(0, word.find('=')), known_names(app));
  return refuse(fmt::format("{}: unknown {}{}", one_line(word), word.starts_with('-') ? "option" : "word",
                            near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app(
      "EDA workload generator for shared file storage: how many file operations and MiB per second a volume "
      "gives chip-design jobs, and at which latency.",
      "edagen");
  app.set_version_flag("--version", fmt::format("edagen {}", program_version_and_commit));
  app.set_help_flag();
  app.set_help_all_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(0, 1);
  CommandLine line{app, std::vector<std::string>(argv, argv + argc), {}};
  add_load_commands(line);
  add_report_command(line);
  add_mounts_command(line);
  add_compare_command(line);
  add_check_command(line);
  add_nightly_command(line);
  add_history_command(line);
  add_staleness_command(line);
  add_workloads_command(line);
  add_clean_command(line);
  app.footer(
      "Exit status: 0 done, 1 the run failed, 2 usage or a bad file (nothing was touched),\n"
      "3 a regression (check, nightly), 4 no load meets the latency target, 5 measured but invalid (the reasons are in "
      "the result), "
      "6 cannot tell (check, nightly), 130 interrupted "
      "(what was measured is written).");
  TalkOptions().apply();  // of commands without such options
  try {
    std::vector<std::string> words = with_default_command(app, line.arguments);
    std::reverse(words.begin() + 1, words.end());
    words.erase(words.begin());
    app.parse(std::move(words));
    if (!line.chosen) {
      std::cout << app.help("", CLI::AppFormatMode::All);
      return exit_status::done;
    }
    const int status = line.chosen();
    std::cout.flush();
    if (std::cout) return status;
    refuse(fmt::format("stdout: {}", std::strerror(errno)));
    return status == exit_status::interrupted ? status : exit_status::run_failed;
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return refuse_words(app, error);
  } catch (const Error& error) {
    refuse(error.what());
    return error.kind() == Error::Kind::usage ? exit_status::usage : exit_status::run_failed;
  } catch (const std::exception& error) {
    refuse(error.what());
    return exit_status::run_failed;
  }
}

}  // namespace edagen
