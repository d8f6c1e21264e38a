#include "cli/stdout_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>

#include "base/write_file.hpp"

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
  if (error_ == 0 && !write_all(STDOUT_FILENO, {pbase(), pptr()})) error_ = errno;
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace edagen
