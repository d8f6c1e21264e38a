#include "cli/progress.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace edagen {

void Progress::show(const std::string& text, Nanos every) {
  if (live_) {
    winsize size{};
    const std::size_t width =
        ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 100u;
    std::fputs(fmt::format("\r\033[K{}", text.substr(0, width)).c_str(), stderr);
    std::fflush(stderr);
    drawn_ = true;
  } else if (now() - logged_ >= every) {
    spdlog::info("{}", text);
    logged_ = now();
  }
}

void Progress::clear() {
  if (drawn_) std::fputs("\r\033[K", stderr), std::fflush(stderr);
  drawn_ = false;
}

std::string build_text(const BuildProgress& progress) {
  const double share = std::clamp(progress.share(), 0.0, 1.0);
  const double seconds = std::max(to_seconds(progress.elapsed), 1e-3);
  const int filled = static_cast<int>(share * 24);
  const std::string left = share > 0.01 ? format_duration(from_seconds(seconds * (1 - share) / share)) + " left" : "";
  return fmt::format("[{:<24}] {:3.0f} %  dataset: {} files, {} of {}, {}/s  {}", std::string(std::size_t(filled), '#'),
                     100 * share, format_count(static_cast<double>(progress.files_done)),
                     format_bytes(static_cast<Bytes>(progress.bytes_done)),
                     format_bytes(static_cast<Bytes>(progress.bytes)),
                     format_bytes(static_cast<Bytes>(progress.bytes_done / seconds)), left);
}

}  // namespace edagen
