#include "cli/terminal_lines.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

#include "report/wrapped_text.hpp"

namespace edagen {

std::string terminal_lines(const std::string& text, int descriptor) {
  if (::isatty(descriptor) != 1) return text;
  constexpr std::size_t indent = 4;
  winsize size{};
  const bool known = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 2 * indent;
  return wrapped_lines(text, indent, known ? size.ws_col : terminal_columns);
}

void print_text(const std::string& text, bool to_stderr) {
  (to_stderr ? std::cerr : std::cout) << terminal_lines(text, to_stderr ? STDERR_FILENO : STDOUT_FILENO) << std::flush;
}

}  // namespace edagen
