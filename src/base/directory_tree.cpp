#include "base/directory_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "edagen/error.hpp"

namespace edagen {

void for_each_name(int directory, const std::string& path, const std::function<void(const char*, unsigned char)>& f) {
  const auto fail = [&] { throw run_error(path, std::string("cannot be listed: ") + std::strerror(errno)); };
  Descriptor copy(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!copy) fail();
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(copy.get()), ::closedir);
  if (!stream) fail();
  static_cast<void>(copy.release());
  // All names are read first, as changing a directory while reading it may skip entries.
  std::vector<std::pair<std::string, unsigned char>> names;
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0) fail();
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name, entry->d_type);
  }
  for (const auto& [name, type] : names) f(name.c_str(), type);
}

bool remove_emptied(int parent, const char* name) {
  constexpr int tries = 100;
  for (int left = tries;; --left) {
    if (::unlinkat(parent, name, AT_REMOVEDIR) == 0) return true;
    if (errno != ENOTEMPTY || left == 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace edagen
