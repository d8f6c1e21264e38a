// A regular expression. std::regex stays in one file: whatever includes it is compiled for seconds.
#pragma once

#include <memory>
#include <string>

namespace edagen {

/// An ECMAScript expression. Immutable, and so safe to share between threads.
class Pattern {
 public:
  /// Throws std::regex_error.
  explicit Pattern(const std::string& expression);

  /// Whether a part of `text` matches; with ^ and $ the whole.
  bool is_in(const std::string& text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace edagen
