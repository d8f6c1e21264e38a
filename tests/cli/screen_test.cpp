// The live screen as tmux shows it.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

/// A terminal of its own.
class Terminal {
 public:
  Terminal(const std::string& size, const std::string& words)
      : tmux_("tmux -f /dev/null -S " + (here_ / "socket") + " ") {
    const Outcome began =
        shell("LC_ALL=C.UTF-8 " + tmux_ + "new-session -d " + size + " bash " + here_.write("run.sh", words));
    EXPECT_EQ(began.status, 0) << began.err;
  }
  ~Terminal() { shell(tmux_ + "kill-server"); }

  void type(const std::string& keys) const { shell(tmux_ + "send-keys " + keys); }
  void resize(const std::string& size) const { shell(tmux_ + "resize-window " + size); }
  std::string text() const { return shell("LC_ALL=C.UTF-8 " + tmux_ + "capture-pane -p").out; }
  /// Waits until it shows `part`, for a minute at most.
  bool shows(const std::string& part) const {
    for (int i = 0; i < 300; ++i) {
      if (text().find(part) != std::string::npos) return true;
      std::this_thread::sleep_for(200ms);
    }
    return false;
  }

 private:
  TemporaryDirectory here_;
  std::string tmux_;
};

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t seen = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++seen;
  return seen;
}

struct Size {
  friend void PrintTo(const Size& size, std::ostream* out) { *out << size.name; }
  const char* name;
  const char* options;  ///< of tmux
};

class ScreenIn : public ::testing::TestWithParam<Size> {
 protected:
  void SetUp() override {
    if (!is_installed("tmux")) EDAGEN_SKIP("tmux is not installed");
    for (const char* const name : {"a", "b"}) std::filesystem::create_directory(mount_ / name);
  }
  /// Of a run of minutes; then what is left of it and of the terminal's modes is shown.
  std::string script(const std::string& second = "b") const {
    return std::string("echo before; ") + edagen_path() + " --phase functional --mount " + (mount_ / "a") +
           " --mount " + (mount_ / second) +
           " --clients 4 --rate 400 --dataset-scale 0.02 --warmup 1s --duration 300s --json " + (mount_ / "r.json") +
           " >" + (mount_ / "out") + "; echo status $?; stty -a; exec sleep 100\n";
  }

  TemporaryDirectory mount_;
};

TEST_P(ScreenIn, IsDrawnInPlaceShowsEachViewAndEndsTheRunByAKey) {
  const Terminal terminal(GetParam().options, script());
  ASSERT_TRUE(terminal.shows("ops/s: measuring for")) << terminal.text();
  ASSERT_TRUE(terminal.shows("q or Ctrl-C ends the run")) << terminal.text();
  std::this_thread::sleep_for(2s);  // some more intervals
  const std::string drawn = terminal.text();
  EXPECT_EQ(times(drawn, "load point 1 at 400 ops/s:"), 1u) << drawn;
  EXPECT_EQ(times(drawn, "4 clients on 2 mounts"), 1u) << drawn;
  for (const char* const part : {" left", "ops/s", "MiB/s", "errors", "p99.9", "response", "service", "resp."})
    EXPECT_NE(drawn.find(part), std::string::npos) << part << "\n" << drawn;
  EXPECT_NE(drawn.find("\u2588"), std::string::npos) << drawn;  // the history
  terminal.type("m");
  ASSERT_TRUE(terminal.shows("\nmount ")) << terminal.text();
  EXPECT_TRUE(terminal.shows("/b ")) << terminal.text();
  terminal.type("c");
  ASSERT_TRUE(terminal.shows("\nclient ")) << terminal.text();
  EXPECT_TRUE(terminal.shows("\n3 on ")) << terminal.text();
  terminal.type("Tab");
  ASSERT_TRUE(terminal.shows("\nop ")) << terminal.text();
  terminal.type("q");
  ASSERT_TRUE(terminal.shows("status 130")) << terminal.text();
  const std::string after = terminal.text();
  EXPECT_EQ(times(after, "load point 1 at 400 ops/s:"), 0u) << after;
  EXPECT_EQ(times(after, "ends the run"), 0u) << after;
  EXPECT_EQ(times(after, "ending the run"), 1u) << after;
  EXPECT_NE(after.find(" icanon "), std::string::npos) << after;
  EXPECT_EQ(after.find("-echo "), std::string::npos) << after;
  EXPECT_NE(text_of(mount_ / "r.json").find("\"status\": \"interrupted\""), std::string::npos);
}

TEST_P(ScreenIn, FindsItsPlaceAgainWhenTheTerminalChangesItsSize) {
  const Terminal terminal(GetParam().options, script());
  ASSERT_TRUE(terminal.shows("ops/s: measuring for")) << terminal.text();
  terminal.resize("-x 90 -y 30");
  std::this_thread::sleep_for(3s);
  EXPECT_EQ(times(terminal.text(), "4 clients on 2 mounts"), 1u) << terminal.text();
  terminal.type("C-c");
  ASSERT_TRUE(terminal.shows("status 130")) << terminal.text();
  EXPECT_EQ(times(terminal.text(), "4 clients on 2 mounts"), 0u) << terminal.text();
}

TEST_P(ScreenIn, KeepsItsPlaceWhereANameHasWideCharacters) {
  std::string wide;
  for (int i = 0; i < 20; ++i) wide += "\u5bb9";
  std::filesystem::create_directory(mount_ / wide);
  const Terminal terminal(GetParam().options, script(wide));
  ASSERT_TRUE(terminal.shows("ops/s: measuring for")) << terminal.text();
  terminal.type("m");
  ASSERT_TRUE(terminal.shows("\u5bb9 ")) << terminal.text();
  std::this_thread::sleep_for(3s);
  EXPECT_EQ(times(terminal.text(), "4 clients on 2 mounts"), 1u) << terminal.text();
  terminal.type("q");
  ASSERT_TRUE(terminal.shows("status 130")) << terminal.text();
  EXPECT_EQ(times(terminal.text(), "4 clients on 2 mounts"), 0u) << terminal.text();
}

TEST_P(ScreenIn, GoesOnWhereTheTerminalHasNoSizeForAWhile) {
  const std::string sign = mount_ / "sign";
  const Terminal terminal(GetParam().options,
                          "(until [ -e " + sign + " ]; do sleep 0.1; done; stty -F /dev/tty cols 0) & " + script());
  ASSERT_TRUE(terminal.shows("ops/s: measuring for")) << terminal.text();
  mount_.write("sign", "");
  std::this_thread::sleep_for(3s);
  terminal.type("q");
  EXPECT_TRUE(terminal.shows("status 130")) << terminal.text();
}

INSTANTIATE_TEST_SUITE_P(Terminals, ScreenIn,
                         ::testing::Values(Size{"of80x24", "-x 80 -y 24"}, Size{"of120x40", "-x 120 -y 40"}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace edagen::testing
