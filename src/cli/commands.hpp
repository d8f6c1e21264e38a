// The commands. Each adds itself to the command line; what it returns is the exit status.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace edagen {

class Hosts;

struct CommandLine {
  CLI::App& app;
  std::vector<std::string> arguments;  ///< as typed, the program first
  std::function<int()> chosen;         ///< what the chosen command does; set while parsing
  /// It is carried out by all hosts together; false: by the one that leads.
  bool on_all_hosts = false;
  Hosts* hosts = nullptr;  ///< that this process was started with; nullptr: none
  std::string error = {};  ///< why it was refused or has failed

  /// Chooses what `command` does when it is the one in the line.
  void does(CLI::App& command, std::function<int()> what, bool on_all = false) {
    command.callback([this, what = std::move(what), on_all] {
      on_all_hosts = on_all;
      chosen = what;
    });
  }
};

void add_load_commands(CommandLine& line);
void add_report_command(CommandLine& line);
void add_mounts_command(CommandLine& line);
void add_compare_command(CommandLine& line);
void add_staleness_command(CommandLine& line);
void add_workloads_command(CommandLine& line);
void add_check_command(CommandLine& line);
void add_nightly_command(CommandLine& line);
void add_history_command(CommandLine& line);
void add_clean_command(CommandLine& line);
void add_schema_command(CommandLine& line);
void add_completion_command(CommandLine& line);

}  // namespace edagen
