#include "load/throttling.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <vector>

namespace edagen {
namespace {

namespace fs = std::filesystem;

std::string text_of(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool lists_cpu(const std::string& words) {
  std::istringstream list(words);
  for (std::string word; std::getline(list, word, ',');)
    if (word == "cpu") return true;
  return false;
}

/// A mount of the hierarchy that limits processors, and the group at its root.
struct Hierarchy {
  fs::path mount_point, root;
  bool unified = false;  ///< version 2
};

/// proc(5), mountinfo: id, parent, device, root, mount point, options, optional fields, "-", type, source, options.
std::vector<Hierarchy> hierarchies(const std::string& mounts) {
  std::vector<Hierarchy> found;
  std::istringstream lines(mounts);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t separator = line.find(" - ");
    if (separator == std::string::npos) continue;
    std::string id, parent, device, root, mount_point, type, source, options;
    std::istringstream(line) >> id >> parent >> device >> root >> mount_point;
    std::istringstream(line.substr(separator + 3)) >> type >> source >> options;
    if (type == "cgroup2" || (type == "cgroup" && lists_cpu(options)))
      found.push_back({mount_point, root, type == "cgroup2"});
  }
  return found;
}

/// The group of this process. proc(5), cgroup: hierarchy, controllers, group; version 2 names no controllers.
std::optional<fs::path> group_in(const Hierarchy& hierarchy, const std::string& cgroups) {
  std::istringstream lines(cgroups);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (hierarchy.unified ? controllers.empty() : lists_cpu(controllers)) return line.substr(second + 1);
  }
  return std::nullopt;
}

Nanos throttled_time_in(const fs::path& group) {
  std::ifstream file(group / "cpu.stat");
  std::string name;
  for (std::int64_t value = 0; file >> name >> value;) {
    if (name == "throttled_time") return Nanos(value);
    if (name == "throttled_usec") return std::chrono::microseconds(value);
  }
  return Nanos(0);
}

}  // namespace

ThrottledTimes throttled_times(const std::string& cgroups, const std::string& mounts) {
  ThrottledTimes times;
  for (const Hierarchy& hierarchy : hierarchies(mounts)) {
    const std::optional<fs::path> group = group_in(hierarchy, cgroups);
    if (!group) continue;
    // In a container the path may be the host's: then the mount point is the group.
    fs::path below = group->lexically_relative(hierarchy.root);
    if (below.empty() || *below.begin() == "..") below = ".";
    for (fs::path place = below;; place = place.parent_path()) {
      const fs::path directory = hierarchy.mount_point / place;
      times[directory.string()] = throttled_time_in(directory);
      if (place.empty() || place == ".") break;
    }
  }
  return times;
}

ThrottledTimes throttled_times() {
  return throttled_times(text_of("/proc/self/cgroup"), text_of("/proc/self/mountinfo"));
}

Nanos most_throttled(const ThrottledTimes& before, const ThrottledTimes& after) {
  Nanos most{0};
  for (const auto& [group, time] : after)
    if (const auto was = before.find(group); was != before.end()) most = std::max(most, time - was->second);
  return most;
}

}  // namespace edagen
