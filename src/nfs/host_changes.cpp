#include "nfs/host_changes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "base/own_file.hpp"
#include "base/text_file.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {
namespace {

constexpr const char* record_name = "edagen-compare.sysctls";  ///< lines of a sysctl's name and its value before

/// With single spaces: the kernel writes tabs between numbers.
std::string with_single_spaces(const std::string& text) {
  std::istringstream words(text);
  std::string all;
  for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
  return all;
}

std::string path_of(const HostPlaces& places, std::string name) {
  std::ranges::replace(name, '.', '/');
  return places.sysctls + "/" + name;
}

std::optional<std::string> read_sysctl(const HostPlaces& places, const std::string& name) {
  std::ifstream file(path_of(places, name));
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return with_single_spaces(line);
}

bool write_sysctl(const HostPlaces& places, const std::string& name, const std::string& value) {
  std::ofstream file(path_of(places, name));
  file << value << std::flush;
  return static_cast<bool>(file);
}

std::string record_path(const HostPlaces& places) { return places.record + "/" + record_name; }

Descriptor open_record(const HostPlaces& places, int flags) {
  const Descriptor directory(::open(places.record.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory) throw usage_error(places.record, std::strerror(errno));
  return open_own_file(directory.get(), record_name, flags, places.record);
}

/// The values before, by name; of a line that was cut off none.
std::map<std::string, std::string> values_in(const HostPlaces& places, int record) {
  std::string text = read_text_file(record, record_path(places), largest_definition);
  text.erase(text.rfind('\n') + 1);  // npos + 1 is 0
  std::map<std::string, std::string> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t space = line.find(' '); space != std::string::npos)
      values.try_emplace(line.substr(0, space), line.substr(space + 1));
  return values;
}

/// Those of `before` that have another value now.
std::map<std::string, std::string> changed(const HostPlaces& places, const std::map<std::string, std::string>& before) {
  std::map<std::string, std::string> other = before;
  std::erase_if(other,
                [&](const auto& each) { return read_sysctl(places, each.first).value_or(each.second) == each.second; });
  return other;
}

std::string mount_prefix(const HostPlaces& places) { return places.record + "/edagen-compare-"; }

std::vector<std::string> mounts_left(const HostPlaces& places) {
  std::vector<std::string> left;
  for (const NfsMountStats& mount : read_mountstats())
    if (mount.mount_point.starts_with(mount_prefix(places))) left.push_back(mount.mount_point);
  return left;
}

/// The process number of a mount(8) or mount.nfs(8) that was started by a comparison, if there is one.
std::optional<std::string> mount_under_way(const HostPlaces& places) {
  std::error_code gone;  // processes end meanwhile
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    std::ifstream words(entry.path() / "cmdline");
    std::string word;
    if (!std::getline(words, word, '\0') || !std::filesystem::path(word).filename().string().starts_with("mount"))
      continue;
    while (std::getline(words, word, '\0'))
      if (word.starts_with(mount_prefix(places))) return entry.path().filename();
  }
  return std::nullopt;
}

/// The changes of this process, while there are some; the mutex is also that of their values before.
struct Present {
  std::mutex mutex;
  const HostChanges* changes = nullptr;
};
Present& present() {
  static Present one;
  return one;
}

std::string sysctl_left(const HostPlaces& places, const std::string& name, const std::string& before) {
  return fmt::format("{} is {} and was {} before a comparison that was killed", name,
                     read_sysctl(places, name).value_or(""), before);
}

}  // namespace

std::optional<std::string> HostChanges::value(const std::string& name) const { return read_sysctl(places_, name); }

bool HostChanges::set_back(const std::string& name, const std::string& before) const {
  return write_sysctl(places_, name, before);
}

std::string HostChanges::lost_with(const std::string& name) const {
  static const std::map<std::string, std::string> in_bytes = {
      {"vm.dirty_ratio", "vm.dirty_bytes"}, {"vm.dirty_background_ratio", "vm.dirty_background_bytes"}};
  const auto bytes = in_bytes.find(name);
  return bytes == in_bytes.end() || value(bytes->second).value_or("0") == "0" ? "" : bytes->second;
}

HostChanges::HostChanges(HostPlaces places) : places_(std::move(places)) {
  struct stat info {};
  do {  // again when another comparison has just removed the file
    record_ = open_record(places_, O_RDWR | O_CREAT | O_APPEND);
    if (!record_ || ::flock(record_.get(), LOCK_EX | LOCK_NB) != 0)
      throw usage_error(record_path(places_), errno == EWOULDBLOCK
                                                  ? "another comparison of tunings is running on this host"
                                                  : std::strerror(errno));
  } while (::fstat(record_.get(), &info) == 0 && info.st_nlink == 0);
  undo_what_was_left();
  const std::lock_guard lock(present().mutex);
  present().changes = this;
}

void HostChanges::undo_what_was_left() {
  const std::string path = record_path(places_);
  const TimePoint end = now() + places_.mount_ends_within;
  while (const auto process = mount_under_way(places_)) {
    if (now() >= end)
      throw usage_error(path, "a comparison that was killed has left process " + *process + ", which still mounts",
                        "wait for it, or kill it");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (const auto& [name, before] : changed(places_, values_in(places_, record_.get()))) {
    const std::string left = sysctl_left(places_, name, before);
    if (!set_back(name, before)) throw usage_error(path, left, "set it back and remove this file");
    spdlog::warn("{}: it is set back to {}", left, before);
  }
  if (::ftruncate(record_.get(), 0) != 0) throw usage_error(path, std::strerror(errno));
  for (const std::string& mount : mounts_left(places_)) {
    if (::umount2(mount.c_str(), UMOUNT_NOFOLLOW | MNT_FORCE | MNT_DETACH) != 0)
      throw usage_error(mount, fmt::format("was left by a comparison that was killed, and cannot be unmounted: {}",
                                           std::strerror(errno)));
    spdlog::warn("{} was left by a comparison that was killed: it is unmounted", mount);
  }
  for (const auto& entry : std::filesystem::directory_iterator(places_.record))
    if (entry.path().string().starts_with(mount_prefix(places_))) ::rmdir(entry.path().c_str());
}

std::string HostChanges::make_mount_point() const {
  std::string directory = mount_prefix(places_) + "XXXXXX";
  if (::mkdtemp(directory.data()) == nullptr)
    throw run_error(directory, std::strerror(errno), "comparing tunings needs root");
  return directory;
}

HostChanges::~HostChanges() {
  const std::lock_guard lock(present().mutex);
  if (present().changes == this) present().changes = nullptr;
  if (record_ && changed(places_, before_).empty()) ::unlink(record_path(places_).c_str());
}

void HostChanges::release() { record_.close(); }

bool HostChanges::set(const std::string& name, const std::string& value) {
  const std::lock_guard lock(present().mutex);
  const std::string before = this->value(name).value_or("");
  if (!before_.contains(name)) {
    const std::string line = name + " " + before + "\n";
    struct stat info {};
    if (::fstat(record_.get(), &info) != 0) throw run_error(record_path(places_), std::strerror(errno));
    if (!write_all(record_.get(), line) || ::fsync(record_.get()) != 0) {
      const int error = errno;
      static_cast<void>(::ftruncate(record_.get(), info.st_size) == 0);  // the next line is not to follow a part of one
      throw run_error(record_path(places_), std::strerror(error));
    }
    before_.emplace(name, before);
  }
  return write_sysctl(places_, name, value);
}

void HostChanges::set_back_before_exit() {
  const std::lock_guard lock(present().mutex);
  const HostChanges* const changes = present().changes;
  if (!changes) return;
  for (const auto& [name, before] : changed(changes->places_, changes->before_)) changes->set_back(name, before);
}

std::vector<std::string> HostChanges::left_behind(const HostPlaces& places) {
  std::vector<std::string> left;
  if (const Descriptor record = open_record(places, O_RDONLY))
    for (const auto& [name, before] : changed(places, values_in(places, record.get())))
      left.push_back(sysctl_left(places, name, before));
  for (const std::string& mount : mounts_left(places))
    left.push_back(mount + " is mounted by a comparison that was killed");
  return left;
}

}  // namespace edagen
