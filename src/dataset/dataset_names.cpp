#include "dataset/dataset_names.hpp"

#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_lock.hpp"
#include "dataset/dataset_marker.hpp"

namespace edagen {

bool is_of_removed_file(std::string_view name) {
  // Somebody has put ".nfs-backup" there: nothing in it is removed.
  const auto has_number = [name](std::string_view prefix) {
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of("0123456789abcdefABCDEF", prefix.size()) == std::string_view::npos;
  };
  return has_number(".nfs") || has_number(".fuse_hidden");
}

bool is_own_name(std::string_view name) { return name == marker_name || name == new_marker_name || name == lock_name; }

NameInDataset name_in_dataset(std::string_view name, int level, int deepest) {
  using Kind = NameInDataset::Kind;
  if (level == level_of_clients && is_own_name(name)) return {Kind::own_file};
  if (level < deepest && is_directory_name(name, level)) return {Kind::directory, level + 1};
  if (is_of_removed_file(name)) return {Kind::file};
  if (level < level_of_files || level > deepest) return {Kind::foreign};
  switch (NameWriter::parse_leaf(name).cls) {
    case NameClass::none: return {Kind::foreign};
    case NameClass::made_dir: return {Kind::directory, deepest + 1};  // nothing is made in it
    default: return {Kind::file};
  }
}

}  // namespace edagen
