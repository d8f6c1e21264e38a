#include "cli/screen.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "base/write_file.hpp"
#include "live/background.hpp"

namespace edagen {
namespace {

constexpr ScreenSize smallest{60, 16};
constexpr int look_ms = 200;

/// nullopt: it is not known, as of a terminal whose window is hidden, which has no column.
std::optional<ScreenSize> terminal_size() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return std::nullopt;
  return ScreenSize{size.ws_col, size.ws_row};
}

/// The terminal's characters are UTF-8.
bool shows_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (!value || !*value) continue;
    std::string locale = value;
    std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

void write_to_terminal(const std::string& text) { static_cast<void>(write_all(STDERR_FILENO, text)); }

/// The keyboard is ours to read: a terminal, and we are in its foreground.
bool has_keyboard() { return ::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

}  // namespace

/// What is drawn now. Thread-safe.
class Screen::Lines {
 public:
  void draw(std::vector<std::string> lines, ScreenSize size) {
    const std::lock_guard lock(mutex_);
    if (!shown_) return;
    // Where lines have been wrapped anew, nobody knows where they begin.
    const bool anew = drawn_ > 0 && (size.columns != size_.columns || size.rows != size_.rows);
    const std::string text = (anew ? "\033[H\033[2J" : to_start()) + text_of(lines);
    lines_ = std::move(lines);
    drawn_ = lines_.size();
    size_ = size;
    write_to_terminal(text);
  }
  /// Calls f, which writes whole lines, above them.
  template <class F>
  void above(F f) {
    const std::lock_guard lock(mutex_);
    if (drawn_ > 0) write_to_terminal(to_start() + "\033[J");
    f();
    if (drawn_ > 0) write_to_terminal(text_of(lines_));
  }
  void show() {
    const std::lock_guard lock(mutex_);
    shown_ = true;
  }
  void hide() {
    const std::unique_lock lock(mutex_, std::chrono::milliseconds(500));  // the terminal may be stopped
    if (!lock) return;
    shown_ = false;
    if (drawn_ > 0) write_to_terminal(to_start() + "\033[J");
    drawn_ = 0;
  }

 private:
  std::string to_start() const {
    if (drawn_ == 0) return "\r";
    return drawn_ > 1 ? fmt::format("\r\033[{}A", drawn_ - 1) : "\r";
  }
  /// What does not fit into a line ends at the terminal's edge: it may give a character more columns than Unicode does.
  static std::string text_of(const std::vector<std::string>& lines) {
    std::string text = "\033[?7l";
    for (std::size_t i = 0; i < lines.size(); ++i) text += (i > 0 ? "\r\n" : "") + lines[i] + "\033[K";
    return text + "\033[J\033[?7h";
  }

  std::timed_mutex mutex_;
  bool shown_ = false;
  std::vector<std::string> lines_;
  std::size_t drawn_ = 0;  ///< lines; the cursor is at the end of the last one
  ScreenSize size_;
};

namespace {

/// A log that goes above what is drawn.
template <class Lines>
class AboveSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  AboveSink(std::shared_ptr<spdlog::sinks::sink> inner, std::shared_ptr<Lines> lines)
      : inner_(std::move(inner)), lines_(std::move(lines)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    lines_->above([&] {
      inner_->log(message);
      inner_->flush();
    });
  }
  void flush_() override { inner_->flush(); }
  void set_formatter_(std::unique_ptr<spdlog::formatter> formatter) override {
    inner_->set_formatter(std::move(formatter));
  }

 private:
  std::shared_ptr<spdlog::sinks::sink> inner_;
  std::shared_ptr<Lines> lines_;
};

}  // namespace

bool Screen::fits() {
  if (::isatty(STDERR_FILENO) != 1) return false;
  const char* const kind = std::getenv("TERM");
  const std::optional<ScreenSize> size = terminal_size();
  return kind && std::string_view(kind) != "dumb" && size && size->columns >= smallest.columns &&
         size->rows >= smallest.rows;
}

Screen::Screen(const LiveRun& run) : run_(run), lines_(std::make_shared<Lines>()), blocks_(shows_utf8()) {
  for (auto& sink : spdlog::default_logger()->sinks()) sink = std::make_shared<AboveSink<Lines>>(sink, lines_);
}

Screen::~Screen() { hide(); }

void Screen::show() {
  lines_->show();
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
}

void Screen::hide() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  restore_keyboard();
  lines_->hide();
}

void Screen::let_go() {
  {
    const std::lock_guard lock(keyboard_mutex_);
    let_go_ = true;
  }
  restore_keyboard();
  lines_->hide();
}

void Screen::work(const std::stop_token& stop) {
  yield_to_the_load();
  sigset_t signals;  // from the background the keyboard is not read, and nothing is to stop the load for it
  sigemptyset(&signals);
  sigaddset(&signals, SIGTTIN);
  sigaddset(&signals, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::uint64_t drawn = 0;
  TimePoint drawn_at{};
  while (!stop.stop_requested()) {
    mind_keyboard();
    const std::optional<ScreenView> before = view_;
    take_keys();
    const std::uint64_t version = run_.version();
    if (version == drawn && view_ == before && now() - drawn_at < std::chrono::seconds(1)) continue;
    drawn = version;
    drawn_at = now();
    draw();
  }
}

void Screen::draw() {
  const ScreenSize size = terminal_size().value_or(ScreenSize());
  const LiveState state = run_.state();
  const ScreenView view = view_.value_or(first_view(state));
  lines_->draw(screen_lines(state, view, {size.columns - 1, size.rows}, now(), blocks_, has_keyboard()), size);
}

/// For a moment; what is typed meanwhile is carried out.
void Screen::take_keys() {
  pollfd keyboard{STDIN_FILENO, POLLIN, 0};
  const bool read = has_keyboard();
  if (::poll(&keyboard, read ? 1 : 0, look_ms) != 1) return;
  char keys[64];
  const ssize_t many = has_keyboard() ? ::read(STDIN_FILENO, keys, sizeof(keys)) : -1;
  if (many <= 0) {  // it has gone
    ::poll(nullptr, 0, look_ms);
    return;
  }
  for (const char key : std::string_view(keys, static_cast<std::size_t>(many))) {
    if (key == 'o') view_ = ScreenView::ops;
    if (key == 'm') view_ = ScreenView::mounts;
    if (key == 'c') view_ = ScreenView::clients;
    if (key == 'h') view_ = ScreenView::hosts;
    if (key == '\t') {
      const LiveState state = run_.state();
      view_ = view_after(view_.value_or(first_view(state)), state);
    }
    if (key == 'q') ::kill(::getpid(), SIGINT);  // as Ctrl-C
  }
}

/// Keys come at once and are not shown. Again after the shell had the terminal.
void Screen::mind_keyboard() {
  const std::lock_guard lock(keyboard_mutex_);
  termios mode{};
  if (let_go_ || !has_keyboard() || ::tcgetattr(STDIN_FILENO, &mode) != 0) return;
  if ((mode.c_lflag & (ICANON | ECHO)) == 0) return;
  if (!keyboard_before_) keyboard_before_ = mode;
  mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  ::tcsetattr(STDIN_FILENO, TCSANOW, &mode);
}

void Screen::restore_keyboard() {
  const std::lock_guard lock(keyboard_mutex_);
  if (keyboard_before_ && has_keyboard()) ::tcsetattr(STDIN_FILENO, TCSANOW, &*keyboard_before_);
  keyboard_before_.reset();
}

}  // namespace edagen
