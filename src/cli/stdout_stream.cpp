#include "cli/stdout_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

namespace edagen {

StdoutStream::StdoutStream() {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  before_ = std::cout.rdbuf(this);
}

StdoutStream::~StdoutStream() {
  finish();
  std::cout.rdbuf(before_);
}

bool StdoutStream::is_open() {
  const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

int StdoutStream::finish() {
  std::cout.flush();
  return error_;
}

StdoutStream::int_type StdoutStream::overflow(int_type character) {
  if (sync() != 0) return traits_type::eof();
  if (!traits_type::eq_int_type(character, traits_type::eof())) sputc(traits_type::to_char_type(character));
  return traits_type::not_eof(character);
}

int StdoutStream::sync() {
  for (const char* at = pbase(); at < pptr() && error_ == 0;) {
    const ssize_t written = ::write(STDOUT_FILENO, at, static_cast<std::size_t>(pptr() - at));
    if (written > 0) at += written;
    else if (written == 0 || errno != EINTR) error_ = written == 0 ? ENOSPC : errno;
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace edagen
