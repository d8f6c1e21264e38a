#include "session/fresh_directory.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "dataset/dataset_root.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::string_view name_begins = "edagen-", random_part = "XXXXXX";

/// Whether it is a directory of this user and no link, so that opening it leads nowhere else.
bool is_own_directory(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  struct stat info {};
  return name.starts_with(name_begins) && name.size() == name_begins.size() + random_part.size() &&
         ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
}

bool holds_unused_dataset(const std::string& directory) {
  try {
    return DatasetRoot(DatasetPlace{.mount = directory, .volume = ""}).marker().has_value();
  } catch (const Error&) {  // a run uses it, or it is none of edagen's
    return false;
  }
}

}  // namespace

std::string place_of_fresh_directories() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) throw usage_error("TMPDIR", error.message(), "or --mount DIR");
  return place.string();
}

std::string make_fresh_directory() {
  std::string pattern = place_of_fresh_directories() + "/" + std::string(name_begins) + std::string(random_part);
  if (::mkdtemp(pattern.data()) == nullptr) throw run_error(pattern, std::strerror(errno));
  return pattern;
}

void remove_fresh_directory(const std::string& directory) {
  std::error_code error;
  // With and without a slash at the end, which completion of words in a shell adds.
  const std::filesystem::path path = (std::filesystem::path(directory) / "").lexically_normal().parent_path();
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  struct stat info {};
  const bool is_one = !error && std::filesystem::equivalent(path.parent_path(), place, error) &&
                      is_own_directory(path) && ::lstat(path.c_str(), &info) == 0 && (info.st_mode & 077) == 0;
  if (is_one) static_cast<void>(::rmdir(path.c_str()));
}

std::vector<std::string> fresh_directories_left() {
  std::vector<std::string> left;
  std::error_code error;
  std::filesystem::directory_iterator entry(place_of_fresh_directories(), error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error))
    if (is_own_directory(entry->path()) && holds_unused_dataset(entry->path().string()))
      left.push_back(entry->path().string());
  std::ranges::sort(left);
  return left;
}

}  // namespace edagen
