// Text for people as a terminal has columns for it.
#pragma once

#include <string>

namespace edagen {

/// `text` with its long lines broken after words when the descriptor is a terminal; as it is for a pipe or a file.
std::string terminal_lines(const std::string& text, int descriptor);

/// Prints it so on stdout, or on stderr where stdout is for something else.
void print_text(const std::string& text, bool to_stderr);

}  // namespace edagen
