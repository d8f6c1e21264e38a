#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "directory_builder.hpp"
#include "edagen/core/error.hpp"
#include "edagen/core/parallel.hpp"
#include "edagen/dataset/dataset_builder.hpp"
#include "edagen/dataset/dataset_marker.hpp"

namespace edagen {

bool remove_dataset(const std::string& mount, std::size_t threads) {
  const std::string path = mount + "/" + dataset_directory;
  const Descriptor root(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!root && errno == ENOENT) return false;
  if (!root) throw usage_error(path, std::strerror(errno));
  if (!read_marker(root.get())) throw usage_error(path, "has no marker of edagen's", "nothing was removed");
  struct stat info {};
  if (::fstat(root.get(), &info) != 0) throw run_error(path, std::strerror(errno));

  // The procs' directories, two levels down, are shared out among the threads.
  std::vector<std::string> trees;
  for_each_name(root.get(), [&](const char* client, unsigned char) {
    const Descriptor directory(::openat(root.get(), client, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory || std::strcmp(client, marker_name) == 0) return;
    for_each_name(directory.get(),
                  [&](const char* proc, unsigned char) { trees.push_back(std::string(client) + "/" + proc); });
  });
  std::atomic<std::size_t> next{0};
  run_in_parallel(std::max<std::size_t>(1, threads), {}, [&](std::stop_token halt) {
    for (std::size_t i = next++; i < trees.size() && !halt.stop_requested(); i = next++) {
      const auto slash = trees[i].find('/');
      const Descriptor client(::openat(root.get(), trees[i].substr(0, slash).c_str(),
                                       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      struct stat its {};
      if (!client || ::fstat(client.get(), &its) != 0) throw run_error(path + "/" + trees[i], std::strerror(errno));
      if (its.st_dev != info.st_dev)
        throw run_error(path + "/" + trees[i], "is on another file system", "unmount it first");
      remove_tree(client.get(), trees[i].c_str() + slash + 1, info.st_dev);
    }
  });
  for_each_name(root.get(), [&](const char* name, unsigned char) {
    if (std::strcmp(name, marker_name) != 0) remove_tree(root.get(), name, info.st_dev);
  });
  if (::unlinkat(root.get(), marker_name, 0) != 0 || ::rmdir(path.c_str()) != 0)
    throw run_error(path, std::strerror(errno));
  return true;
}

}  // namespace edagen
