#include "cli/terminal_lines.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/descriptor.hpp"

namespace edagen {
namespace {

/// A terminal with so many columns.
struct PseudoTerminal {
  Descriptor master, slave;

  explicit PseudoTerminal(unsigned short columns) : master(::posix_openpt(O_RDWR | O_NOCTTY)) {
    if (!master || ::grantpt(master.get()) != 0 || ::unlockpt(master.get()) != 0) return;
    const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    slave = Descriptor(::open(::ptsname(master.get()), O_RDWR | O_NOCTTY));
    ::ioctl(slave.get(), TIOCSWINSZ, &size);
  }
};

TEST(TerminalLines, LongLinesAreBrokenAfterWordsAtTheWidthOfTheTerminal) {
  const PseudoTerminal narrow(20), wide(60);
  ASSERT_TRUE(narrow.slave && wide.slave);
  const std::string text = "a sentence of some words\nshort\n";
  EXPECT_EQ(terminal_lines(text, narrow.slave.get()), "a sentence of some\n    words\nshort\n");
  EXPECT_EQ(terminal_lines(text, wide.slave.get()), text);
}

TEST(TerminalLines, APipeGetsTheLinesAsTheyAre) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const Descriptor reader(ends[0]), writer(ends[1]);
  const std::string text = std::string(200, 'x') + " " + std::string(200, 'y') + "\n";
  EXPECT_EQ(terminal_lines(text, writer.get()), text);
}

}  // namespace
}  // namespace edagen
