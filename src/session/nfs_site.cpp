#include "session/nfs_site.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/usable_processors.hpp"
#include "dataset/dataset_budget.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs_dataset/nfs_tree.hpp"
#include "nfs_dataset/open_export.hpp"
#include "target/descriptor_budget.hpp"

namespace edagen {
namespace {

void refuse_what_is_not_there(const RunPlan& plan) {
  std::vector<std::string> names;
  for (const OpKind kind : ops_without_rpcs(plan.workload)) names.emplace_back(to_string(kind));
  if (!names.empty())
    throw usage_error(plan.workload.name,
                      fmt::format("has ops that edagen's NFS clients do not have: {}", fmt::join(names, ", ")),
                      "mount the export and give --mount DIR");
  if (plan.io_engine != IoEngine::automatic)
    throw usage_error("I/O engine", "has no effect on nfs://: RPCs carry the ops out", "without --io-engine");
}

/// In a load each client has a connection or more, and each processor that has clients a loop. Before the load each
/// thread that makes the dataset has a session with each export. What renews the lock of an export has one at any time,
/// and so has what looks whether another run has taken it, of one export after the other. Too few descriptors are
/// refused before the dataset is made, which may take hours.
void make_room_for_connections(const RunPlan& plan, const std::vector<NfsUrl>& urls, std::uint64_t clients) {
  constexpr std::size_t of_loop = 4, of_session = of_loop + 1;
  std::size_t nconnect = 1;
  for (const NfsUrl& url : urls) nconnect = std::max<std::size_t>(nconnect, url.nconnect);
  const std::size_t loops = std::min<std::size_t>(clients, usable_processor_count()),
                    of_load = clients * nconnect + of_loop * loops,
                    of_dataset = of_session * nfs_sessions_at_once * urls.size(),
                    of_locks = of_session * (urls.size() + 1),
                    least = spare_descriptors + of_locks + std::max(of_load, of_dataset);
  const std::size_t available =
      make_room_for_descriptors(spare_descriptors + of_locks + of_load + of_dataset, plan.plans_at_once);
  if (available < least)
    throw usage_error("open files",
                      fmt::format("the connections of {} clients, or those that make the dataset, need {} descriptors, "
                                  "{} are left",
                                  clients, least, available),
                      "raise the limit with ulimit -n, or use fewer clients or a lower nconnect=");
}

/// The URL's settings as they are in force.
NfsUrl in_force(const NfsExport& at) {
  NfsUrl url = at.url;
  url.read_size = at.read_bytes_max;
  url.write_size = at.write_bytes_max;
  url.uid = at.who.uid;
  url.gid = at.who.gid;
  url.port = at.mounted.port;
  return url;
}

}  // namespace

NfsSite::NfsSite(const RunPlan& plan, std::uint64_t clients_here) {
  refuse_what_is_not_there(plan);
  const NfsExports& given = *plan.exports();
  if (given.urls.empty()) throw usage_error("volume", "names no export");
  make_room_for_connections(plan, given.urls, clients_here);
  for (const NfsUrl& url : given.urls) {
    if (std::ranges::count(given.urls, url.text, &NfsUrl::text) > 1) throw usage_error(url.text, "is there twice");
    exports_.push_back(open_export(url));
  }
}

std::vector<std::string> NfsSite::urls() const {
  std::vector<std::string> all;
  for (const NfsExport& at : exports_) all.push_back(at.url.text);
  return all;
}

double NfsSite::budget(std::uint64_t clients) const {
  std::vector<MountSpace> spaces;
  for (const NfsExport& at : exports_) {
    NfsSession session(at);
    const NfsRoot root(at, session);
    if (root.marker() && root.marker()->budget_bytes) return *root.marker()->budget_bytes;
    spaces.push_back({at.volume(), at.free.bytes.value_or(space_where_unknown)});
  }
  return dataset_budget(std::move(spaces), clients);
}

std::unique_ptr<Dataset> NfsSite::dataset(const DatasetPlan& plan, bool reuse, BuildTogether* together) {
  auto made = std::make_unique<NfsDataset>(plan, exports_, reuse, together);
  dataset_ = made.get();
  return made;
}

std::vector<MountFigures> NfsSite::figures(std::uint64_t clients) const {
  std::vector<MountFigures> all;
  for (std::size_t i = 0; i < exports_.size(); ++i) {
    const NfsExport& at = exports_[i];
    const std::uint64_t its_clients = clients / exports_.size() + (i < clients % exports_.size() ? 1 : 0);
    all.push_back({.path = at.url.text,
                   .source = at.url.source(),
                   .fstype = "nfs",
                   .options = fmt::format("{},addr={},port={}", in_force(at).options(), at.mounted.address.to_string(),
                                          at.mounted.port),
                   .nfs_version = "3",
                   .connections = its_clients * at.url.nconnect});
  }
  return all;
}

std::string NfsSite::plan_text() const {
  std::string text;
  for (const NfsExport& at : exports_)
    text += fmt::format("  export   {}  {} port {}, as user {}:{}, {}{}\n", one_line(at.url.text),
                        at.mounted.address.to_string(), at.mounted.port, at.who.uid, at.who.gid,
                        at.free.bytes ? format_bytes(static_cast<Bytes>(*at.free.bytes)) + " free" : "room unknown",
                        at.url.nconnect > 1 ? fmt::format(", {} connections per client", at.url.nconnect) : "");
  return text;
}

MountedDirectories NfsSite::mounted_directories() const {
  MountedDirectories all;
  for (const NfsExport& at : exports_) {
    const auto first = std::ranges::find_if(exports_, [&](const NfsExport& other) { return at.same_root(other); });
    all.push_back(static_cast<std::size_t>(first - exports_.begin()));
  }
  return all;
}

NfsServer NfsSite::server_of(std::size_t number) const {
  const NfsExport& at = exports_[number];
  const NfsRoot& root = dataset_->roots()[number];
  const ByteSpan handle = root.directory().span();
  return {.name = at.url.text,
          .address = at.mounted.address.to_string(),
          .port = at.mounted.port,
          .exported = at.url.path,
          .root_path = root.path(),
          .root = {handle.begin(), handle.end()},
          .settings = {.nconnect = at.url.nconnect,
                       .slots = at.url.slots,
                       .read_size = at.read_bytes_max,
                       .write_size = at.write_bytes_max,
                       .uid = at.who.uid,
                       .gid = at.who.gid,
                       .groups = at.who.groups,
                       .sources = at.url.sources,
                       .reserved_ports = at.url.reserved_ports,
                       .trusted_time = at.url.trusted_time}};
}

std::shared_ptr<Target> NfsSite::make_target(const DatasetPlan& plan, const WorkloadSpec& workload,
                                             const std::function<bool(const PlannedProc&)>& here,
                                             std::stop_token stop) {
  std::vector<NfsServer> servers;
  for (std::size_t i = 0; i < exports_.size(); ++i) servers.push_back(server_of(i));
  std::vector<NfsPlace> places;
  for (const PlannedProc& proc : plan.procs)
    if (here(proc))
      places.push_back({proc.mount, proc.client, proc.directory, &workload.proc_kinds[proc.kind], proc.files});
  NfsTargetOptions options;
  options.stop = std::move(stop);
  const auto target = std::make_shared<NfsTarget>(std::move(servers), std::move(places), options);
  target_ = target;
  return target;
}

std::vector<NfsMountStats> NfsSite::counters() const {
  const std::shared_ptr<NfsTarget> target = target_.lock();
  return target ? target->counters() : std::vector<NfsMountStats>();
}

}  // namespace edagen
