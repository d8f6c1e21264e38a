// A file of JSON lines that grows while a run goes on, so that a run that is killed loses nothing measured.
//   {"type":"header", ...the document without load points}
//   {"type":"interval", "point":0, "phase":"warmup"|"measure", ...}
//   {"type":"point", "point":0, ...a load point}
//   {"type":"end", "status":...}
#pragma once

#include <string>

#include "edagen/report/result_document.hpp"

namespace edagen {

/// Not thread-safe.
class Journal {
 public:
  /// Throws Error (usage) when the file cannot be made.
  explicit Journal(std::string path);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Writes one line at once; a failure is told once on stderr and the run goes on.
  void append(const char* type, Document line);
  const std::string& path() const { return path_; }
  void remove();

  /// A fresh name below $XDG_STATE_HOME/edagen (~/.local/state/edagen), which is made if needed.
  static std::string default_path();

 private:
  std::string path_;
  int fd_;
  bool failed_ = false;
};

}  // namespace edagen
