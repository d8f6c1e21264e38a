#include "edagen/report/journal.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "edagen/core/error.hpp"

namespace edagen {

Journal::Journal(std::string path)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (fd_ < 0) throw usage_error("--journal " + path_, std::strerror(errno));
}

Journal::~Journal() { ::close(fd_); }

void Journal::append(const char* type, Document line) {
  Document typed = {{"type", type}};
  typed.update(line);
  const std::string text = typed.dump() + "\n";
  if (::write(fd_, text.data(), text.size()) == static_cast<ssize_t>(text.size()) || failed_) return;
  failed_ = true;
  spdlog::warn("journal {}: {}", path_, std::strerror(errno));
}

void Journal::remove() { ::unlink(path_.c_str()); }

std::string Journal::default_path() {
  namespace fs = std::filesystem;
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path folder = state && *state ? fs::path(state) : home && *home ? fs::path(home) / ".local/state" : fs::path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder / "edagen", error);
  folder = folder.empty() || error ? fs::temp_directory_path() : folder / "edagen";
  return folder / fmt::format("{:%Y%m%dT%H%M%S}-{}.jsonl", fmt::gmtime(std::time(nullptr)), ::getpid());
}

}  // namespace edagen
