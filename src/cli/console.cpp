#include "cli/console.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/mib.hpp"
#include "cli/shell_word.hpp"
#include "edagen/units.hpp"
#include "report/comparison_text.hpp"
#include "report/point_text.hpp"
#include "report/terminal.hpp"

namespace edagen {
namespace {

const char* error_text(int error) {
  switch (error) {
    case short_read_error: return "fewer bytes than the file has";
    case short_write_error: return "fewer bytes than were to be written";
    case bus_error: return "a fault in a mapped file";
    default: return std::strerror(error);
  }
}

}  // namespace

Console::Console(const LoggingOptions& talk, bool text_to_stderr, const LiveRun* run)
    : quiet_(talk.quiet),
      verbose_(talk.verbose),
      live_(talk.live_line()),
      text_to_stderr_(text_to_stderr),
      progress_(live_) {
  if (live_ && run && Screen::fits()) screen_.emplace(*run);
}

std::ostream& Console::text() const { return text_to_stderr_ ? std::cerr : std::cout; }

void Console::begins(const std::string& plan) {
  if (!quiet_) std::cerr << plan;
}

void Console::journal_opened(const std::string& path) {
  const std::lock_guard lock(journal_mutex_);
  journal_ = path;
}

void Console::ends_at_once() {
  if (screen_) screen_->let_go();
  const std::lock_guard lock(journal_mutex_);
  std::error_code none;
  if (std::filesystem::exists(journal_, none))  // it was removed when all that it holds was written
    spdlog::error("ended; edagen report {} shows what was measured", shell_word(journal_));
}

void Console::point_begins(std::optional<double> rate, const std::string& purpose) {
  if (purpose.empty()) return;
  point_ = fmt::format("{}: {}{}", points_done_ + 1, purpose, rate ? fmt::format(" at {}", format_count(*rate)) : "");
}

void Console::point_measured(const PointFigures& point) {
  ++points_done_;
  spdlog::debug("{}{}{}{}", point_, point_.empty() ? "" : ": ",
                point.has_figures() ? fmt::format("{} ops/s, latency {} ms", rate_cell(point),
                                                  point.statistic.value > Millis(0) ? ms(point.statistic.value) : "-")
                                    : figures_text(point),
                point.valid() ? "" : fmt::format(", {}", to_string(point.invalid.front())));
}

void Console::load_begins(const Result&) {
  if (screen_) screen_->show();
}

void Console::load_ended() {
  if (screen_) screen_->hide();
  progress_.clear();
  points_done_ = 0;
  load_began_.reset();
  will_take_ = Nanos(0);
  build_ = {};
  point_.clear();
}

void Console::finished(const Result& result) {
  if (result.failure) spdlog::error("{}", *result.failure);
  if (!result.load_points.empty()) text() << result_text(result, verbose_) << std::flush;
}

void Console::variant_run(const std::string& variant, std::size_t number, std::size_t of, const RunFigures& figures,
                          bool at_target) {
  spdlog::info("{} ({} of {}): {}", variant, number, of, figure_text(figures, at_target));
}

void Console::variant_refused(const std::string& variant, const std::string& why) {
  spdlog::warn("{} is left out: {}", variant, why);
}

void Console::finished(const ComparisonResult& comparison) {
  text() << comparison_text(comparison) << std::flush;
  if (comparison.failure) spdlog::error("{}", *comparison.failure);
}

void Console::op_failed(const std::string& what, OpKind kind, int error) {
  const char* const text = error_text(error);
  spdlog::warn("{} {}: {} ({})", to_string(kind), what, error_name(error), text);
}

void Console::op_stuck(const std::string& what, OpKind kind, Nanos age) {
  progress_.clear();
  spdlog::warn("stuck for {}: {} {}", format_duration(age), to_string(kind), what);
}

void Console::ops_never_returned(std::uint64_t count) {
  spdlog::error("{} never returned; ending without {}", counted(count, "op"), count == 1 ? "it" : "them");
}

void Console::dataset_left(const DatasetLeft& left) {
  using enum DatasetLeft::Why;
  std::string clean = "edagen clean";
  for (const std::string& mount : left.mounts) clean += " --mount " + shell_word(mount);
  const std::string size = fmt::format("{}, {}", counted(left.files, "file"), format_bytes(left.bytes));
  switch (left.why) {
    case asked: spdlog::info("the dataset is kept ({}); {} removes it", size, clean); break;
    case unfinished:
      spdlog::warn("the unfinished dataset is kept ({} so far): the next run completes it, {} removes it", size, clean);
      break;
    case stuck_ops:
      spdlog::warn("the dataset is kept ({}); {} removes it when the storage answers again", size, clean);
      break;
    case hanging_call: spdlog::error("the dataset is kept ({}); {} removes it", size, clean); break;
    case not_removed: spdlog::error("the dataset is left (up to {}); {} removes it", size, clean); break;
  }
}

void Console::hanging(const std::string& call, Nanos age) {
  if (live_ && !screen_) std::fputs("\r\033[K", stderr);
  spdlog::warn("stuck for {}: {}", format_duration(age), call);
}

void Console::abandon(const std::string& call) {
  if (screen_) screen_->let_go();
  spdlog::error("{} does not return: ending without it", call);
  ::_exit(exit_status::interrupted);
}

void Console::show(const char* phase, const Interval& interval) {
  if (screen_) return;
  const std::string latency =
      interval.response_mean && interval.response_p99
          ? fmt::format("mean {} p99 {} ms", format_millis(Millis(*interval.response_mean).count()),
                        format_millis(to_millis(*interval.response_p99)))
          : "no op ended";
  if (!load_began_) load_began_ = now() - interval.start - interval.length;
  const std::string time = will_take_ > Nanos(0) ? time_text(now() - *load_began_, will_take_) + "  " : "";
  progress_.show(fmt::format("{}{}{}{}: {} ops/s  {}{}  {} MiB/s", time, point_, point_.empty() ? "" : " ", phase,
                             format_count(interval.ops_per_sec()), latency,
                             interval.errors > 0 ? "  " + counted(interval.errors, "ERROR") : "",
                             format_mib(mib_per_sec(interval.bytes, interval.length))));
}

}  // namespace edagen
