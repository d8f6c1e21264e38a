// What several hosts agree on before a run touches anything, and while they build its dataset.
#pragma once

#include "dataset/dataset_builder.hpp"
#include "edagen/run_plan.hpp"
#include "hosts/hosts.hpp"
#include "nfs/mount_info.hpp"
#include "session/identity_difference.hpp"

namespace edagen {

/// {host} and {rank} in a path stand for this process's; without hosts it is rank 0.
std::string path_on_host(const std::string& path, const Hosts* hosts);
bool is_of_host(const std::string& path);
/// Looks at the directories of this process. Throws Error (usage) when one cannot be used.
std::vector<MountDirectory> mounts_on_host(const MountDirectories& given, const Hosts* hosts);

struct MountFact {
  std::string path, fstype, source;
};
void fields(auto&& visit, Is<MountFact> auto& fact) {
  visit("path", fact.path);
  visit("fstype", fact.fstype);
  visit("source", fact.source);
}

/// What one host found.
struct HostFacts {
  std::string error;  ///< why it cannot take part; empty: it can
  std::vector<MountFact> mounts;
  double budget = 0;  ///< bytes that the dataset may have there
  PlanIdentity plan;  ///< that it is about to carry out, without the host
};
void fields(auto&& visit, Is<HostFacts> auto& facts) {
  visit("error", facts.error);
  visit("mounts", facts.mounts);
  visit("budget", facts.budget);
  visit("plan", facts.plan);
}

/// Returns the least budget of all hosts. Throws Error (usage), on all of them the same, when one cannot take part or
/// has found something else than the others: the error names it, by host.
double agree(Hosts& hosts, const RunPlan& plan, const HostFacts& here);

/// The procs of this host's clients.
class HostShare final : public BuildTogether {
 public:
  HostShare(Hosts& hosts, const DealtClients& clients) : hosts_(hosts), clients_(clients) {}
  const DealtClients& clients() const { return clients_; }
  bool leads() const override { return hosts_.leads(); }
  bool has(const PlannedProc& proc) const override { return hosts_.has(proc.client, clients_); }
  std::string leaders(const std::string& id) override { return hosts_.broadcast(id); }
  bool all(bool yes) override;

 private:
  Hosts& hosts_;
  DealtClients clients_;
};

}  // namespace edagen
