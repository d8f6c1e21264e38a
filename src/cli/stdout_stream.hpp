// std::cout, which keeps the reason why it has failed.
#pragma once

#include <streambuf>
#include <vector>

namespace edagen {

/// From its making to its end std::cout writes by way of this to the descriptor of stdout. One at a time.
class StdoutStream final : public std::streambuf {
 public:
  StdoutStream();
  ~StdoutStream() override;
  StdoutStream(const StdoutStream&) = delete;
  StdoutStream& operator=(const StdoutStream&) = delete;

  /// Something can be written there: not where it was closed, and the read end of nothing holds its place.
  static bool is_open();
  /// Writes all that was said so far; 0, or the errno of the first write that failed.
  int finish();

 protected:
  int_type overflow(int_type character) override;
  int sync() override;

 private:
  std::vector<char> buffer_ = std::vector<char>(65'536);  ///< not on the stack of main(), which may be as small
  std::streambuf* before_;
  int error_ = 0;
};

}  // namespace edagen
