// The command line: options -> a plan -> the rooms that carry it out.
#pragma once

namespace edagen {

/// What main() does. Returns the exit status of docs/reference.md.
int run_command_line(int argc, char** argv);

}  // namespace edagen
