#include "dataset/foreign_files.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <vector>

#include "base/beneath.hpp"
#include "base/directory_tree.hpp"
#include "base/parallel.hpp"
#include "dataset/dataset_names.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

bool is_directory(int parent, const char* name, unsigned char type) {
  struct stat info {};
  return type != DT_UNKNOWN ? type == DT_DIR
                            : ::fstatat(parent, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

class Look {
 public:
  using Inside = std::function<void(int, const char*, const std::string&, int)>;

  Look(int depth, StuckWatch::Thread& thread) : deepest_(level_in_proc + depth), thread_(thread) {}

  /// Opens a directory; empty when it has just been removed.
  Descriptor open(int parent, const char* name, const std::string& path) const {
    thread_.call_started("looking at", path);
    Descriptor directory = open_beneath(parent, name, O_RDONLY | O_DIRECTORY);
    if (directory || errno == ENOENT) return directory;
    if (errno == ENOTDIR || errno == ELOOP || errno == EXDEV)
      throw usage_error(path, why_not_beneath(errno), "move it away");
    throw run_error(path, why_not_beneath(errno));
  }

  /// Calls `inside` for each directory in this one, with its parent, name and path, and the level of its content.
  void at(int directory, const std::string& path, int level, const Inside& inside) const {
    thread_.call_started("looking at", path);
    for_each_name(directory, path, [&](const char* name, unsigned char type) {
      const NameInDataset named = name_in_dataset(name, level, deepest_);
      if (named.kind == NameInDataset::Kind::own_file) return;
      const std::string its_path = path + "/" + name;
      if (named.kind == NameInDataset::Kind::directory) return inside(directory, name, its_path, named.level);
      if (named.kind == NameInDataset::Kind::foreign || is_directory(directory, name, type)) refuse_foreign(its_path);
    });
  }

  void all_below(int parent, const char* name, const std::string& path, int level) const {
    if (const Descriptor directory = open(parent, name, path))
      at(directory.get(), path, level,
         [&](int above, const char* child, const std::string& child_path, int child_level) {
           all_below(above, child, child_path, child_level);
         });
  }

 private:
  int deepest_;  ///< level of the deepest directories with files
  StuckWatch::Thread& thread_;
};

}  // namespace

void refuse_foreign(const std::string& path) {
  throw usage_error(path, "is not a file of the dataset and would be lost", "move it away");
}

void check_for_foreign(const DatasetRoot& root, int depth, const std::function<bool(const std::string&)>& skips,
                       std::size_t threads, const std::stop_token& stop, StuckWatch& watch) {
  std::vector<std::string> found;  // directories of procs
  {
    StuckWatch::Thread self(watch);
    const Look look(depth, self);
    look.at(root.descriptor(), root.path(), level_of_clients,
            [&](int parent, const char* client, const std::string& path, int level) {
              const Descriptor directory = look.open(parent, client, path);
              if (!directory) return;
              look.at(directory.get(), path, level, [&](int, const char* proc, const std::string&, int) {
                const std::string name = std::string(client) + "/" + proc;
                if (!skips(name)) found.push_back(name);
              });
            });
  }
  std::atomic<std::size_t> next{0};
  run_in_parallel(std::max<std::size_t>(threads, 1), stop, [&](const std::stop_token& halt) {
    StuckWatch::Thread thread(watch);
    const Look look(depth, thread);
    for (std::size_t i = next++; i < found.size() && !halt.stop_requested(); i = next++)
      look.all_below(root.descriptor(), found[i].c_str(), root.path() + "/" + found[i], level_in_proc);
  });
}

}  // namespace edagen
