#include "dataset/dataset_removal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/beneath.hpp"
#include "base/directory_tree.hpp"
#include "dataset/dataset_names.hpp"
#include "edagen/error.hpp"

namespace edagen {

void ForeignLeft::add(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  if (count_++ == 0 || path < first_) first_ = path;
}

void ForeignLeft::check() const {
  const std::scoped_lock lock(mutex_);
  if (count_ == 0) return;
  const std::string more = count_ == 1 ? "" : fmt::format(", like {} more", count_ - 1);
  throw run_error(first_, "was not made by edagen and stays" + more,
                  "move it away; edagen clean then removes the rest of the dataset");
}

bool DatasetRemoval::entry(int parent, const char* name, const std::string& path, int level) const {
  const NameInDataset named = name_in_dataset(name, level, any_depth);
  if (named.kind == NameInDataset::Kind::own_file) return false;
  if (named.kind == NameInDataset::Kind::file) return file(parent, name, path);
  const std::string its_path = path + "/" + name;
  if (named.kind == NameInDataset::Kind::foreign) return left_.add(its_path), false;
  thread_.call_started("removing", path, name);
  {
    const Descriptor directory = open_beneath(parent, name, O_RDONLY | O_DIRECTORY);
    if (!directory && errno == ENOENT) return true;
    if (!directory && (errno == ENOTDIR || errno == ELOOP)) return left_.add(its_path), false;
    if (!directory) throw run_error(its_path, why_not_beneath(errno));
    bool is_empty = true;
    for_each_name(directory.get(), its_path, [&](const char* inner, unsigned char) {
      if (!entry(directory.get(), inner, its_path, named.level)) is_empty = false;
    });
    if (!is_empty) return false;
  }
  thread_.call_started("removing", path, name);
  if (!remove_emptied(parent, name) && errno != ENOENT) throw run_error(its_path, why_not_beneath(errno));
  return true;
}

bool DatasetRemoval::file(int parent, const char* name, const std::string& path) const {
  thread_.call_started("removing", path, name);
  if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return true;
  const int refused = errno;
  if (refused != EISDIR && refused != EPERM) throw run_error(path + "/" + name, why_not_beneath(refused));
  if (open_beneath(parent, name, O_RDONLY | O_DIRECTORY) || errno == EXDEV) return left_.add(path + "/" + name), false;
  throw run_error(path + "/" + name, "cannot be removed: Operation not permitted",
                  "chattr -ia makes an immutable or append-only file an ordinary one");
}

}  // namespace edagen
