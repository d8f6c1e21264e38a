#include "nightly/volume_needs.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "edagen/error.hpp"
#include "nfs/mount_info.hpp"
#include "session/host_agreement.hpp"

namespace edagen {
namespace {

MountInfo mount_under(const std::string& directory, StuckWatch::Thread& self) {
  self.call_started("looking at", directory);
  MountInfo mount = mount_info_of(directory);
  self.pause();
  return mount;
}

bool is_of_type(const MountInfo& mount, const std::string& fs) {
  return mount.fstype == fs || (fs == "nfs" && mount.is_nfs()) || mount.fstype.starts_with(fs + ".");  // fuse.sshfs
}

/// Type and device of "nfs4 server:/a rw,vers=4.1".
std::string without_options(const std::string& mount) { return mount.substr(0, mount.rfind(' ')); }

}  // namespace

void check_needs(const VolumeNeeds& needs, const RunPlan& plan, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (const std::string& point : needs.mount_points) {
    const MountInfo mount = mount_under(point, self);
    std::error_code error;
    if (std::filesystem::canonical(point, error) != mount.mount_point)
      throw usage_error("mount " + point,
                        fmt::format("nothing is mounted there: it is on {} of {}", mount.fstype, mount.mount_point));
  }
  const auto* const directories = std::get_if<MountDirectories>(&plan.volume);
  if (needs.fs.empty() || directories == nullptr) return;
  for (const std::string& path : directories->paths)
    if (const MountInfo mount = mount_under(path_on_host(path, nullptr), self); !is_of_type(mount, needs.fs))
      throw usage_error("mount " + path,
                        fmt::format("is on {} of {}, and {} is required", mount.fstype, mount.mount_point, needs.fs));
}

std::string moved_text(const Comparable& before, const Comparable& now) {
  std::string text;
  for (const auto& [part, source] : now) {
    const auto earlier = before.find(part);
    if (!part.starts_with("mount ") || earlier == before.end()) continue;
    const std::string is = without_options(source), was = without_options(earlier->second);
    if (is != was)
      text += fmt::format("{}{} is on '{}' and was on '{}'", text.empty() ? "" : "; ", part.substr(6), is, was);
  }
  return text;
}

}  // namespace edagen
