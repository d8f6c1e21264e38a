// The place of each name of each proc below a mount, by arithmetic, without memory per file.
//
//   MOUNT/edagen.data/c0003/p01/d017/f000123   client 3, its proc 1, data file 123 in directory 17
//   names: f data files, e empty files, m made directories, s symbolic links, l hard links
#pragma once

#include <string>

#include "edagen/file_population.hpp"

namespace edagen {

inline constexpr const char* dataset_directory = "edagen.data";

/// A proc's directory below the dataset directory, such as "c0003/p01".
std::string proc_directory(std::uint64_t client, std::uint64_t proc_of_client);

/// Whether a directory at this level may have this name: level 0 is a client's, level 1 a proc's, higher levels hold
/// files.
bool is_directory_name(std::string_view name, int level);

/// Writes paths relative to a proc's directory into a buffer of the caller. A small value; safe to share.
class NameWriter {
 public:
  static constexpr std::size_t longest = 256;

  explicit NameWriter(const DatasetSpec& dataset);

  /// Writes the path of `ref` and a closing 0; `buffer` has room for `longest` bytes. Returns the end (at the 0).
  char* write(NameRef ref, char* buffer) const;
  /// Writes only the last component of the path.
  char* write_leaf(NameRef ref, char* buffer) const;
  /// Writes the path of directory `index` without a trailing slash.
  char* write_directory(std::uint64_t index, char* buffer) const;

  std::uint64_t directory_of(NameRef ref) const;
  std::string path(NameRef ref) const;

  /// The name that a leaf stands for; NameClass::none for a foreign name.
  static NameRef parse_leaf(std::string_view leaf);

 private:
  std::uint64_t directories_;
  std::uint64_t data_files_;
  int depth_;
  std::uint64_t fan_out_;  ///< subdirectories per directory
};

}  // namespace edagen
