// What the help has of each command beside its options.
#pragma once

#include <string>
#include <vector>

namespace edagen {

struct CommandHelp {
  std::vector<std::string> examples;
  std::string usual_options;  ///< what --help shows, names without dashes; empty: all options
};

/// `command`: "curve", "workloads import-fio"; "": the program.
const CommandHelp& help_of(const std::string& command);

}  // namespace edagen
