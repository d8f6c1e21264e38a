// A text as a file, for what is read by its path alone.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace edagen::fuzz {

/// One file per process and ending, in the directory for temporary files; it is gone after each use.
class TextFile {
 public:
  TextFile(const std::string& text, const std::string& ending)
      : path_((std::filesystem::temp_directory_path() / ("edagen-input-" + std::to_string(::getpid()) + ending))
                  .string()) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { ::unlink(path_.c_str()); }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace edagen::fuzz
