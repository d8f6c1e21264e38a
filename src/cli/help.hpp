// The help of each command: --help has its examples and the options that most users need, --help-all every option.
#pragma once

#include <CLI/CLI.hpp>

namespace edagen {

/// Gives `app` and the commands that are added to it afterwards --help, --help-all and their formatter.
void add_help(CLI::App& app);

}  // namespace edagen
