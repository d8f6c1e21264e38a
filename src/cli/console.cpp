#include "cli/console.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/mib.hpp"
#include "base/words.hpp"
#include "cli/terminal_lines.hpp"
#include "edagen/error.hpp"
#include "edagen/nfs_url.hpp"
#include "edagen/units.hpp"
#include "report/comparison_text.hpp"
#include "report/point_text.hpp"
#include "report/terminal.hpp"

namespace edagen {
namespace {

/// "a (2 of 1,000)"
std::string run_name(const auto& run) {
  return fmt::format("{} ({} of {})", run.variant, run.number, format_count(static_cast<double>(run.of)));
}

const char* error_text(int error) {
  switch (error) {
    case short_read_error: return "fewer bytes than the file has";
    case short_write_error: return "fewer bytes than were to be written";
    case bus_error: return "a fault in a mapped file";
    default: return std::strerror(error);
  }
}

/// Whether stdout and stderr are one file or pipe, as of `> log 2>&1` and `2>&1 | tee log`.
bool are_one_output() {
  struct stat out {};
  struct stat err {};
  return ::fstat(STDOUT_FILENO, &out) == 0 && ::fstat(STDERR_FILENO, &err) == 0 && out.st_dev == err.st_dev &&
         out.st_ino == err.st_ino;
}

/// Whether a reader of the result has what is on stderr, the plan above all, beside it.
bool is_below_plan(bool text_to_stderr) {
  return text_to_stderr || are_one_output() || (::isatty(STDOUT_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1);
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

void Console::observe(const Event& event) {
  phase_.observe(event);
  handle(
      event,
      [this](const PlanChecked& plan) {
        if (quiet_) return;
        std::cerr << plan.text;
        plan_ += plan.text;  // of each variant
      },
      [this](const JournalOpened& journal) {
        const std::lock_guard lock(mutex_);
        journal_ = journal.path;
      },
      [this](const LeftoversChanged& leftovers) {
        const std::lock_guard lock(mutex_);
        leftovers_ = leftovers.datasets;
      },
      [this](const LoadTimeExpected& load) {
        will_take_ = load.time;
        load_began_.reset();  // a load that failed has no LoadEnded
      },
      [this](const DatasetProgressed& dataset) { progress_.show(variant_ + build_.text(dataset.progress)); },
      [this](const DatasetBuilt&) { progress_.clear(); },
      [this](const LoadBegan&) {
        if (screen_) screen_->show();
      },
      [this](const PointBegan& point) { set_point(point); }, [this](const IntervalEnded& interval) { show(interval); },
      [this](const PointMeasured& point) { show(point); }, [this](const LoadEnded&) { end_load(); },
      [this](const RunFinished& run) { show(run.result); },
      [this](const VariantBegan& run) { variant_ = run_name(run) + "  "; },
      [this](const VariantMeasured& run) {
        variant_.clear();
        spdlog::info("{}: {}", run_name(run), figure_text(run.figures, run.at_target));
      },
      [](const VariantRefused& variant) {
        spdlog::warn("{} is left out: {}", variant.variant, one_line(variant.why, 120));
      },
      [this](const ComparisonFinished& comparison) { show(comparison.result); },
      [](const OpFailed& op) {
        const char* const text = error_text(op.error);
        spdlog::warn("{} {}: {} ({})", to_string(op.kind), op.what, error_name(op.error), text);
      },
      [this](const OpStuck& op) {
        progress_.clear();
        spdlog::warn("stuck for {}: {} {}", format_duration(op.age), to_string(op.kind), op.what);
      },
      [](const OpsNeverReturned& ops) {
        spdlog::error("{} never returned; ending without {}", counted(ops.count, "op"), ops.count == 1 ? "it" : "them");
      },
      [this](const DatasetLeft& dataset) { show(dataset); },
      [this](const CallHangs& hanging) {
        if (live_ && !screen_) std::fputs("\r\033[K", stderr);
        spdlog::warn("stuck for {}: {}", format_duration(hanging.age), hanging.call);
      },
      [this](const CallAbandoned& abandoned) {
        show_leftovers();
        if (screen_) screen_->let_go();
        spdlog::error("{} does not return: ending without it", abandoned.call);
      });
}

void Console::ends_at_once() {
  if (screen_) screen_->let_go();
  {
    const std::lock_guard lock(mutex_);
    std::error_code none;
    if (std::filesystem::exists(journal_, none))  // it was removed when all that it holds was written
      spdlog::error("ended; edagen report {} shows what was measured", shell_word(journal_));
  }
  show_leftovers();
}

void Console::show_leftovers() {
  const std::lock_guard lock(mutex_);
  for (const DatasetLeft& left : leftovers_) show(left);
}

void Console::set_point(const PointBegan& began) {
  if (began.purpose.empty()) return;
  point_ = fmt::format("step {}, {}{}", points_done_ + 1, began.purpose,
                       began.ops_per_sec ? fmt::format(" at {} ops/s", format_count(*began.ops_per_sec)) : "");
}

void Console::show(const PointMeasured& measured) {
  const PointFigures& point = measured.point;
  ++points_done_;
  spdlog::debug("{}{}{}{}", point_, point_.empty() ? "" : ": ",
                point.has_figures() ? fmt::format("{} ops/s, latency {} ms", rate_cell(point),
                                                  point.statistic.value > Millis(0) ? ms(point.statistic.value) : "-")
                                    : figures_text(point),
                point.valid() ? "" : ", INVALID: " + reason_names(point.invalid));
}

void Console::end_load() {
  if (screen_) screen_->hide();
  progress_.clear();
  points_done_ = 0;
  load_began_.reset();
  will_take_ = Nanos(0);
  build_ = {};
  point_.clear();
}

void Console::show(const Result& result) {
  const bool has_text = !result.load_points.empty();  // which has the failure, too
  if (result.failure && !(has_text && is_below_plan(text_to_stderr_))) spdlog::error("{}", *result.failure);
  if (!has_text) return;
  Result shown = result;
  leave_out_planned(shown.notes);
  print_text(result_text(shown, verbose_), text_to_stderr_);
}

void Console::leave_out_planned(std::vector<std::string>& notes) const {
  const auto is_in_plan = [&](const std::string& note) { return plan_.find(note) != std::string::npos; };
  if (is_below_plan(text_to_stderr_)) std::erase_if(notes, is_in_plan);
}

void Console::show(const ComparisonResult& comparison) {
  ComparisonResult shown = comparison;
  for (VariantFigures& variant : shown.variants)
    if (variant.last_run) leave_out_planned(variant.last_run->notes);
  print_text(comparison_text(shown), text_to_stderr_);
  // Not beside the text, which has it, too.
  if (comparison.failure && !is_below_plan(text_to_stderr_)) spdlog::error("{}", *comparison.failure);
}

void Console::show(const DatasetLeft& left) {
  using enum DatasetLeft::Why;
  std::string clean = "edagen clean";
  for (const std::string& mount : left.mounts)
    clean += (is_nfs_url(mount) ? " --target " : " --mount ") + shell_word(mount);
  const std::string size = fmt::format("{}, {}", counted(left.files, "file"), format_bytes(left.bytes));
  switch (left.why) {  // what nobody asked to keep is named with -q, too
    case asked: spdlog::info("the dataset is kept ({}); {} removes it", size, clean); break;
    case taken:
      spdlog::error("the dataset is left to the other run ({}); when that has ended, {} removes it", size, clean);
      break;
    case unfinished:
      spdlog::error("the unfinished dataset is kept ({} so far): the next run completes it, {} removes it", size,
                    clean);
      break;
    case stuck_ops:
      spdlog::error("the dataset is kept ({}); {} removes it when the storage answers again", size, clean);
      break;
    case hanging_call: spdlog::error("the dataset is kept ({}); {} removes it", size, clean); break;
    case not_removed: spdlog::error("the dataset is left (up to {}); {} removes it", size, clean); break;
  }
}

void Console::show(const IntervalEnded& ended) {
  const Interval& interval = ended.interval;
  errors_ += interval.errors;
  if (screen_) return;
  const std::string latency =
      interval.response_mean && interval.response_p99
          ? fmt::format("mean {} p99 {} ms", format_millis(Millis(*interval.response_mean).count()),
                        format_millis(to_millis(*interval.response_p99)))
          : "no op ended";
  if (!load_began_) load_began_ = now() - interval.start - interval.length;
  const std::string time = will_take_ > Nanos(0) ? time_text(now() - *load_began_, will_take_) + "  " : "";
  const std::string phase = phase_.text(ended.in_window);
  progress_.show(fmt::format("{}{}{}{}{}: {} ops/s  {}{}  {} MiB/s", variant_, time, point_,
                             point_.empty() || phase.empty() ? "" : ", ", phase, format_count(interval.ops_per_sec()),
                             latency, errors_ > 0 ? "  " + counted(errors_, "error") + " so far" : "",
                             format_mib(mib_per_sec(interval.bytes, interval.length))));
}

}  // namespace edagen
