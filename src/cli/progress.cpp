#include "cli/progress.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/utf8.hpp"

namespace edagen {

void Progress::show(const std::string& text) {
  if (live_) {
    winsize size{};
    const std::size_t width =
        ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 100u;
    std::fputs(fmt::format("\r\033[K{}", text.substr(0, size_of_columns(text, width))).c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
  } else if (now() - logged_ >= std::chrono::seconds(5)) {
    spdlog::info("{}", text);
    logged_ = now();
  }
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr), std::fflush(stderr);
  drawn_ = false;
}

std::string time_text(Nanos elapsed, Nanos expected) {
  const Nanos seconds = std::chrono::round<std::chrono::seconds>(elapsed);
  return format_duration(seconds) + (seconds > expected ? ", " + format_duration(expected) + " were expected"
                                                        : " of " + format_duration(expected));
}

std::string BuildText::text(const BuildProgress& progress) {
  constexpr Nanos window = std::chrono::seconds(5);
  if (!last_.empty() && progress.elapsed < last_.back().elapsed) last_.clear();  // of another dataset
  last_.push_back(progress);
  while (last_.size() > 2 && last_[1].elapsed + window <= progress.elapsed) last_.pop_front();
  const BuildProgress before = last_.size() > 1 ? last_.front() : BuildProgress{.bytes = progress.bytes};
  const double seconds = std::max(to_seconds(progress.elapsed - before.elapsed), 1e-3);
  const double share = std::clamp(progress.share(), 0.0, 1.0);
  const double bytes_per_sec = (progress.bytes_done - before.bytes_done) / seconds,
               files_per_sec = static_cast<double>(progress.files_done - before.files_done) / seconds;
  const int filled = static_cast<int>(share * 24);
  const std::string left =
      share > 0.01 && bytes_per_sec > 0
          ? ", " + format_duration(from_seconds((progress.bytes - progress.bytes_done) / bytes_per_sec)) + " left"
          : "";
  return fmt::format("[{:<24}] {:.0f} %  dataset: {} of {}, {}/s, {} files/s{}", std::string(std::size_t(filled), '#'),
                     100 * share, format_bytes(static_cast<Bytes>(progress.bytes_done)),
                     format_bytes(static_cast<Bytes>(progress.bytes)), format_bytes(static_cast<Bytes>(bytes_per_sec)),
                     format_count(files_per_sec), left);
}

}  // namespace edagen
