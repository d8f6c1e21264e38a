// The live screen: some lines at the end of a terminal that are drawn over while a load is made. What is logged goes
// above them. Keys choose what is shown, and end the run.
#pragma once

#include <termios.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "live/live_run.hpp"
#include "live/screen_text.hpp"

namespace edagen {

class Screen {
 public:
  /// stderr is a terminal that is large enough.
  static bool fits();

  /// What is logged from here on keeps off the screen. `run` outlives this.
  explicit Screen(const LiveRun& run);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  /// From now on it is drawn, by a thread of its own.
  void show();
  /// It is taken away, and the keyboard is as it was.
  void hide();
  /// The same from any thread when the process is to end without its threads.
  void let_go();

 private:
  class Lines;
  void work(const std::stop_token& stop);
  void draw();
  void take_keys();
  void mind_keyboard();
  void restore_keyboard();

  const LiveRun& run_;
  const std::shared_ptr<Lines> lines_;  ///< shared with the log
  const bool blocks_;
  std::optional<ScreenView> view_;  ///< nullopt: no key has chosen one
  std::mutex keyboard_mutex_;
  std::optional<termios> keyboard_before_;
  bool let_go_ = false;
  std::jthread thread_;
};

}  // namespace edagen
