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
  /// Throws Error (usage) when the file cannot be read or is not a regular one. Never blocks.
  LineReader(std::string path, Bytes longest_line);

  /// The next line without its end, valid until the next call; nullopt after the last line. Throws Error (usage) when
  /// the line cannot be read or is too long.
  std::optional<std::string_view> next();

 private:
  bool read_more();

  std::string path_;
  std::size_t longest_line_;
  Descriptor file_;
  std::string text_;  ///< text that was read and not yet returned; the next line begins at `begin_`
  std::size_t begin_ = 0, searched_ = 0;
};

}  // namespace edagen
