// The one exception type, with what was wrong, where, and how to mend it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace edagen {

/// Text of any origin as a piece of a message. Control characters, marks that turn the direction of text, and bytes
/// that are not UTF-8 are escaped (\n, \x1b); texts of more than `most` bytes lose their middle.
std::string one_line(std::string_view text, std::size_t most = 400);

class Error : public std::runtime_error {
 public:
  enum class Kind {
    usage,  ///< the caller's words or files are wrong and nothing was touched (exit 2)
    run     ///< the run could not be carried out (exit 1)
  };

  /// `where` is an option, a file with a JSON pointer, or a mount; `hint` may be empty. what() is one line, whatever it
  /// quotes from the user's files and words.
  Error(Kind kind, std::string where, const std::string& what, const std::string& hint = "")
      : std::runtime_error(one_line(where) + ": " + one_line(what) + (hint.empty() ? "" : " (" + one_line(hint) + ")")),
        kind_(kind),
        where_(std::move(where)) {}

  Kind kind() const { return kind_; }
  const std::string& where() const { return where_; }

 private:
  Kind kind_;
  std::string where_;
};

inline Error usage_error(std::string where, const std::string& what, const std::string& hint = "") {
  return Error(Error::Kind::usage, std::move(where), what, hint);
}
inline Error run_error(std::string where, const std::string& what, const std::string& hint = "") {
  return Error(Error::Kind::run, std::move(where), what, hint);
}

}  // namespace edagen
