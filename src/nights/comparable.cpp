#include "nights/comparable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/part_difference.hpp"
#include "nights/references.hpp"

namespace edagen {
namespace {

/// "0.2" of "0.2.1": patches measure the same.
std::string first_two_numbers(const std::string& version) {
  const auto dot = version.find('.');
  return dot == std::string::npos ? version : version.substr(0, version.find('.', dot + 1));
}

/// The key that allows a part: "mount" of "mount /mnt/a".
std::string key_of(const std::string& part) { return part.starts_with("mount ") ? "mount" : part; }

/// Whether the part, which is not the same, makes a difference.
bool differs_by(const std::string& part, const std::vector<std::string>& allowed) {
  return part != "seed" && std::ranges::find(allowed, key_of(part)) == allowed.end();
}

/// Calls `visit` for each reference that both have measured.
template <class Visit>
void for_each_reference(const NightMeasurement& before, const NightMeasurement& now, const Visit& visit) {
  for (std::size_t number = 1; number <= 1 + now.further_references.size(); ++number) {
    const Comparable &was = comparable_of_reference(before, number), &is = comparable_of_reference(now, number);
    if (!was.empty() && !is.empty()) visit(number, was, is);
  }
}

}  // namespace

const std::vector<std::string>& comparable_keys() {
  static const std::vector<std::string> keys = {"edagen version", "host",    "kernel", "workload", "volume",  "mount",
                                                "procs",          "dataset", "load",   "limits",   "clients", "NFS"};
  return keys;
}

Comparable comparable_parts(const Result& result) {
  Comparable parts = result.plan;
  if (parts.empty()) parts["workload"] = result.workload.name;  // of a version that did not keep its plan
  parts.erase("seed");                                          // other random numbers of the same load
  parts["edagen version"] = first_two_numbers(result.edagen_version);
  parts["host"] = result.host.name;
  parts["kernel"] = result.host.kernel;
  const std::size_t hosts = result.load_points.empty() ? 0 : result.load_points.front().hosts.size();
  parts["clients"] = fmt::format("{} with {} procs{}", result.clients, result.procs,
                                 hosts > 1 ? fmt::format(" on {} hosts", hosts) : "");
  std::string nfs;
  for (const MountFigures& mount : result.target.mounts)
    if (mount.nfs_version)
      nfs += fmt::format("{}{}: NFS {}, {} connections", nfs.empty() ? "" : "; ", mount.path, *mount.nfs_version,
                         mount.connections.value_or(1));
  if (!nfs.empty()) parts["NFS"] = nfs;
  return parts;
}

std::string difference_in_words(const Comparable& before, const Comparable& now,
                                const std::vector<std::string>& allowed) {
  return part_difference(before, now, [&](const std::string& part) { return differs_by(part, allowed); });
}

std::string difference_in_words(const NightMeasurement& before, const NightMeasurement& now,
                                const std::vector<std::string>& allowed) {
  std::string text = difference_in_words(before.comparable, now.comparable, allowed);
  for_each_reference(before, now, [&](std::size_t number, const Comparable& was, const Comparable& is) {
    const std::string differs = difference_in_words(was, is, allowed);
    if (!differs.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", volume_role(number), differs);
  });
  return text;
}

std::set<std::string> differing_keys(const NightMeasurement& before, const NightMeasurement& now,
                                     const std::vector<std::string>& allowed) {
  std::set<std::string> keys;
  const auto add = [&](const Comparable& was, const Comparable& is) {
    part_difference(was, is, [&](const std::string& part) {
      if (differs_by(part, allowed)) keys.insert(key_of(part));
      return false;
    });
  };
  add(before.comparable, now.comparable);
  for_each_reference(before, now, [&](std::size_t, const Comparable& was, const Comparable& is) { add(was, is); });
  return keys;
}

}  // namespace edagen
