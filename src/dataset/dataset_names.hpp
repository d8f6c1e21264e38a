// What a name below a dataset directory may stand for, so that nothing is taken for a part of the dataset that is none.
#pragma once

#include <string_view>

namespace edagen {

/// Levels of a dataset's directories: the dataset directory itself, which has those of clients; a client's, which has
/// those of procs; a proc's; from there on directories with files.
inline constexpr int level_of_clients = 0, level_of_procs = 1, level_in_proc = 2, level_of_files = 3;

/// The meaning of a name, as far as the name alone shows it.
struct NameInDataset {
  enum class Kind {
    foreign,   ///< edagen makes nothing of this name there
    own_file,  ///< the marker or the lock
    file,      ///< a file or a link; or an open file that was removed, as the file system names it
    directory,
  };
  Kind kind = Kind::foreign;
  int level = 0;  ///< of the directory's content, for a directory
};

/// Whether file systems give this name to an open file that was removed.
bool is_of_removed_file(std::string_view name);

/// The marker, the lock, or the marker that is being written: edagen's files beside the clients' directories.
bool is_own_name(std::string_view name);

/// What `name` stands for in a directory at `level`. `deepest` is the level of the deepest directories with files
/// (level_in_proc + DatasetSpec::depth); where it is not known, any_depth.
inline constexpr int any_depth = 1'000'000;
NameInDataset name_in_dataset(std::string_view name, int level, int deepest);

}  // namespace edagen
