#include "session/host_agreement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/words.hpp"
#include "hosts/wire.hpp"
#include "session/measured.hpp"

namespace edagen {
namespace {

/// Times of day further apart than that spoil what is compared by date, and hint at a host that nobody looks after.
constexpr Nanos most_wall_clock_offset = std::chrono::seconds(10);

/// The export of an NFS mount: hosts may reach one server by several of its addresses.
std::string volume_of(const MountFact& mount) {
  return mount.fstype.starts_with("nfs") ? "nfs " + export_path(mount.source) : mount.fstype;
}

std::string difference(const HostFacts& leaders, const HostFacts& facts, bool of_host) {
  if (!facts.error.empty()) return facts.error;
  if (std::string plan = identity_difference(leaders.plan, facts.plan); !plan.empty()) return "another plan: " + plan;
  for (std::size_t i = 0; i < std::min(leaders.mounts.size(), facts.mounts.size()); ++i) {
    const std::string expected = volume_of(leaders.mounts[i]), found = volume_of(facts.mounts[i]);
    if (!of_host && expected != found)
      return fmt::format("mount {} is {} ({}), on rank 0 it is {} ({})", facts.mounts[i].path, facts.mounts[i].fstype,
                         facts.mounts[i].source, leaders.mounts[i].fstype, leaders.mounts[i].source);
  }
  return "";
}

}  // namespace

std::string path_on_host(const std::string& path, const Hosts* hosts) {
  const std::string named = replaced(path, "{host}", hosts ? hosts->name(hosts->rank()) : this_host().name);
  return replaced(named, "{rank}", std::to_string(hosts ? hosts->rank() : 0));
}

bool is_of_host(const std::string& path) {
  return path.find("{host}") != std::string::npos || path.find("{rank}") != std::string::npos;
}

std::vector<MountDirectory> mounts_on_host(const MountDirectories& given, const Hosts* hosts) {
  std::vector<std::string> directories = given.paths;
  for (std::string& directory : directories) directory = path_on_host(directory, hosts);
  return check_mounts(directories);
}

double agree(Hosts& hosts, const RunPlan& plan, const HostFacts& here) {
  if (hosts.leads()) hosts.synchronize();
  const std::vector<std::string> sent = hosts.gather(to_wire(here));
  std::vector<std::string> differences;
  double budget = here.budget;
  if (hosts.leads()) {
    const auto leaders = from_wire<HostFacts>(sent.front());
    const auto* const mounts = std::get_if<MountDirectories>(&plan.volume);
    const bool of_host = mounts && std::ranges::any_of(mounts->paths, is_of_host);
    for (int rank = 0; rank < hosts.size(); ++rank) {
      const auto facts = from_wire<HostFacts>(sent[static_cast<std::size_t>(rank)]);
      budget = std::min(budget, facts.budget);
      if (const std::string what = difference(leaders, facts, of_host); !what.empty())
        differences.push_back(hosts.called(rank) + ": " + what);
      const Nanos apart = hosts.wall_clock_offset(rank);
      if (std::chrono::abs(apart) > most_wall_clock_offset)
        differences.push_back(fmt::format("{}: its time of day is {} {} rank 0's", hosts.called(rank),
                                          format_duration(std::chrono::abs(apart)),
                                          apart > Nanos(0) ? "ahead of" : "behind"));
    }
  }
  WireWriter verdict;
  verdict.add(differences, budget);
  const std::string said = hosts.broadcast(verdict.take());
  WireReader(said).read(differences, budget);
  if (!differences.empty()) throw usage_error("hosts", fmt::format("{}", fmt::join(differences, "; ")));
  return budget;
}

bool HostShare::all(bool yes) {
  const std::vector<std::string> said = hosts_.gather(yes ? "y" : "n");
  const bool all = std::ranges::all_of(said, [](const std::string& one) { return one == "y"; });
  return hosts_.broadcast(all ? "y" : "n") == "y";
}

}  // namespace edagen
