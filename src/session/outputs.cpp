#include "session/outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/descriptor.hpp"
#include "dataset/dataset_layout.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

bool lies_in_dataset(const std::string& path, const std::string& mount) {
  std::error_code ignored;
  const std::string data = fs::weakly_canonical(mount + "/" + dataset_directory, ignored).string();
  return (fs::weakly_canonical(fs::absolute(path, ignored), ignored).string() + "/").starts_with(data + "/");
}

}  // namespace

void check_places(const std::vector<Place>& places, const std::vector<std::string>& mounts, StuckWatch& watch) {
  for (const auto& [name, path] : places)
    for (const std::string& mount : mounts)
      if (lies_in_dataset(path, mount)) throw usage_error(fmt::format("{} {}", name, path), "lies in the dataset");
  for (auto place = places.begin(); place != places.end(); ++place)
    for (auto other = places.begin(); other != place; ++other)
      if (other->path == place->path)
        throw usage_error(place->name, fmt::format("goes to the same place as {}: {}", other->name,
                                                   place->path == "-" ? "stdout" : place->path));
  StuckWatch::Thread self(watch);
  for (const auto& [name, path] : places) {
    if (path == "-") continue;
    self.begins(fmt::format("opening {}", name), path);
    struct stat info {};
    // Who reads a FIFO would take the end of a first look for the end of all.
    if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) continue;
    if (!Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)))
      throw usage_error(fmt::format("{} {}", name, path), std::strerror(errno));
  }
}

void write_text(const Place& place, const std::string& text) {
  if (place.path == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(place.path);
  file << text;
  file.flush();
  if (!file) throw run_error(fmt::format("{} {}", place.name, place.path), std::strerror(errno));
}

}  // namespace edagen
