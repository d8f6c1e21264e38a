// Where each name of each proc lies below a mount: arithmetic, no memory per file.
//
//   MOUNT/edagen.data/c0003/p01/d017/f000123   client 3, its proc 1, data file 123 in directory 17
//   names: f data files, e empty files, m made directories, s symbolic links, l hard links
#pragma once

#include <string>

#include "edagen/file_population.hpp"

namespace edagen {

inline constexpr const char* dataset_directory = "edagen.data";

/// "c0003/p01": a proc's directory below the dataset directory.
std::string proc_directory(std::uint64_t client, std::uint64_t proc_of_client);

/// Whether one of these may have this name: 0 a client's directory, 1 a proc's, any higher level one of files.
bool is_directory_name(std::string_view name, int level);

/// Paths relative to a proc's directory, written into a buffer of the caller. A small value; safe to share.
class NameWriter {
 public:
  static constexpr std::size_t longest = 256;

  explicit NameWriter(const DatasetSpec& dataset);

  /// Writes the path of `ref` and a closing 0; `buffer` has room for `longest` bytes. Returns the end (at the 0).
  char* write(NameRef ref, char* buffer) const;
  /// Only the last component of the path.
  char* write_leaf(NameRef ref, char* buffer) const;
  /// The path of directory `index` without a trailing slash.
  char* write_directory(std::uint64_t index, char* buffer) const;

  std::uint64_t directory_of(NameRef ref) const;
  std::string path(NameRef ref) const;

  /// What a leaf name stands for; NameClass::none for a foreign name.
  static NameRef parse_leaf(std::string_view leaf);

 private:
  std::uint64_t directories_;
  std::uint64_t data_files_;
  int depth_;
  std::uint64_t fan_out_;  ///< subdirectories per directory
};

}  // namespace edagen
