// The one exception type: what was wrong, where, and how to mend it.
#pragma once

#include <stdexcept>
#include <string>

namespace edagen {

class Error : public std::runtime_error {
 public:
  enum class Kind {
    usage,  ///< the caller's words or files are wrong and nothing was touched (exit 2)
    run     ///< the run could not be carried out (exit 1)
  };

  /// `where` is an option, a file with a JSON pointer, or a mount; `hint` may be empty.
  Error(Kind kind, std::string where, const std::string& what, const std::string& hint = "")
      : std::runtime_error(where + ": " + what + (hint.empty() ? "" : " (" + hint + ")")),
        kind_(kind), where_(std::move(where)) {}

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
