// Lines of a file of any length, one after the other.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "edagen/units.hpp"

namespace edagen {

class LineReader {
 public:
  /// Throws Error (usage) when the file cannot be read or is not a regular one, which never blocks.
  LineReader(std::string path, Bytes longest_line);

  /// The next line without its end, valid until the next call; nullopt after the last. Throws Error (usage) when it
  /// cannot be read or is longer than the longest line.
  std::optional<std::string_view> next();

 private:
  bool read_more();

  std::string path_;
  std::size_t longest_line_;
  Descriptor file_;
  std::string text_;  ///< what was read and not taken; `begin_` is where the next line begins
  std::size_t begin_ = 0, searched_ = 0;
};

}  // namespace edagen
