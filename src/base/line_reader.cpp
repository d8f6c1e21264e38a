#include "base/line_reader.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/text_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t block = 256 * KiB;

}  // namespace

LineReader::LineReader(std::string path, Bytes longest_line)
    : path_(std::move(path)),
      longest_line_(static_cast<std::size_t>(longest_line)),
      file_(::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)) {
  struct stat info {};
  if (!file_ || ::fstat(file_.get(), &info) != 0)
    throw usage_error(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
  if (const std::string kind = irregular_kind(info); !kind.empty())
    throw usage_error(path_, "is " + kind + ", not a file");
}

std::optional<std::string_view> LineReader::next() {
  searched_ = begin_;
  for (;;) {
    const std::size_t end = text_.find('\n', searched_);
    if (end == std::string::npos) {
      if (text_.size() - begin_ > longest_line_)
        throw usage_error(path_, fmt::format("has a line that is longer than {}", format_bytes(Bytes(longest_line_))));
      searched_ = text_.size();
      if (read_more()) continue;
    }
    const std::size_t last = std::min(end, text_.size());
    if (end == std::string::npos && last == begin_) return std::nullopt;
    const std::string_view line(text_.data() + begin_, last - begin_);
    begin_ = std::min(last + 1, text_.size());
    return line;
  }
}

/// Reads on; returns false at the end of the file.
bool LineReader::read_more() {
  text_.erase(0, begin_);
  searched_ -= begin_;
  begin_ = 0;
  const std::size_t before = text_.size();
  text_.resize(before + block);
  ssize_t got = 0;
  do got = ::read(file_.get(), text_.data() + before, block);
  while (got < 0 && errno == EINTR);
  text_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got < 0) throw usage_error(path_, fmt::format("cannot be read: {}", std::strerror(errno)));
  return got > 0;
}

}  // namespace edagen
