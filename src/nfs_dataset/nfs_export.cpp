#include "nfs_dataset/nfs_export.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace edagen {
namespace {

std::vector<std::uint32_t> groups_of_process() {
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(0, ::getgroups(0, nullptr))));
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<std::size_t>(std::clamp(count, 0, static_cast<int>(max_groups))));
  return {groups.begin(), groups.end()};
}

}  // namespace

std::string NfsExport::volume() const { return fmt::format("{:x}", mounted.attributes.fsid); }

std::string NfsExport::name() const { return url.text.substr(0, url.text.find('?')); }

bool NfsExport::same_root(const NfsExport& other) const {
  // Servers whose exports have the same fsid= give the same handles: the times of their directories differ.
  const NfsAttributes &here = mounted.attributes, &there = other.mounted.attributes;
  return mounted.root == other.mounted.root && here.fsid == there.fsid && here.file_id == there.file_id &&
         here.changed == there.changed;
}

AuthSys credential_of(const NfsUrl& url, std::string machine) {
  const bool own = !url.uid && !url.gid;
  return {.machine = std::move(machine),
          .uid = url.uid.value_or(::geteuid()),
          .gid = url.gid.value_or(::getegid()),
          .groups = own ? groups_of_process() : std::vector<std::uint32_t>()};
}

}  // namespace edagen
