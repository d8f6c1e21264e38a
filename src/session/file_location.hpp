// Where a file lies in its file system, whatever mounts, bind mounts and links lead to it.
#pragma once

#include <string>

namespace edagen {

class FileLocation {
 public:
  /// The file or directory need not be there yet. Looks at the nearest directory above it that is.
  explicit FileLocation(const std::string& path);

  /// Whether it is, or lies below, the dataset directory of `mount`, which need not be there yet.
  bool is_in_dataset_of(const std::string& mount) const;
  /// Whether it lies below any directory with the marker of a dataset.
  bool is_in_a_dataset() const;

 private:
  std::string existing_;  ///< a directory, without links
  std::string in_file_system_;
};

}  // namespace edagen
