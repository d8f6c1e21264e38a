// A word of a job file or of fio's command line.
#pragma once

#include <optional>
#include <string>

#include "edagen/error.hpp"

namespace edagen {

/// An option as it is written in a job file or on fio's command line.
struct FioWord {
  std::string option;                ///< as written: "blocksize"
  std::optional<std::string> value;  ///< nullopt: written without a value
  std::string where;                 ///< "jobs.fio:12 [job]"
  int kb_base = 1024;                ///< bytes of a "k"

  std::string text() const { return value.value_or("1"); }
  /// Throws Error (usage) that names the file, the line, the section and the option.
  [[noreturn]] void refuse(const std::string& what, const std::string& hint = "") const {
    throw usage_error(where + " " + option, what, hint);
  }
};

}  // namespace edagen
