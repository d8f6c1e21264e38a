#include "nfs_client/nfs_target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "edagen/error.hpp"
#include "nfs_client/nfs_queue.hpp"

namespace edagen {
namespace {

/// The handles that clients know, of all clients together. The memory is taken as names are used.
constexpr std::size_t all_handle_bytes = std::size_t{512} << 20, least_handle_bytes = 4096;

}  // namespace

struct NfsTarget::State {
  State(std::vector<NfsServer> all_servers, std::vector<NfsPlace> all_places, const NfsTargetOptions& all_options)
      : servers(std::move(all_servers)),
        places(std::move(all_places)),
        options(all_options),
        counters(servers.size()) {}

  const std::vector<NfsServer> servers;
  const std::vector<NfsPlace> places;
  const NfsTargetOptions options;
  AllCounters counters;
  std::vector<std::unique_ptr<NfsIdentity>> identities;
  std::vector<std::unique_ptr<NfsProc>> procs;
};

NfsTarget::NfsTarget(std::vector<NfsServer> servers, std::vector<NfsPlace> places, const NfsTargetOptions& options)
    : state_(std::make_unique<State>(std::move(servers), std::move(places), options)) {
  struct Client {
    NfsIdentity* identity = nullptr;
    std::uint32_t procs = 0;
  };
  std::map<std::uint64_t, Client> clients;
  for (const NfsPlace& place : state_->places) clients.try_emplace(place.client);
  const std::size_t bytes = handle_bytes(clients.size());
  std::vector<std::size_t> clients_of(state_->servers.size(), 0);
  for (const NfsPlace& place : state_->places) {
    Client& client = clients[place.client];
    if (!client.identity) {
      const NfsServer& server = state_->servers[place.server];
      const std::vector<std::string>& sources = server.settings.sources;
      const std::size_t number = clients_of[place.server]++;
      client.identity = state_->identities
                            .emplace_back(std::make_unique<NfsIdentity>(
                                server, place.server, place.client,
                                sources.empty() ? std::string() : sources[number % sources.size()], bytes))
                            .get();
    }
    state_->procs.push_back(std::make_unique<NfsProc>(NfsProc{.place = &place,
                                                              .identity = client.identity,
                                                              .number = client.procs++,
                                                              .names = NameWriter(place.files.dataset())}));
  }
}

NfsTarget::~NfsTarget() = default;

std::size_t NfsTarget::handle_bytes(std::size_t clients) {
  return std::max(all_handle_bytes / std::max<std::size_t>(1, clients), least_handle_bytes);
}

std::unique_ptr<TargetWorker> NfsTarget::make_worker() {
  throw run_error("nfs://", "carries out all ops in queues", "");
}

std::unique_ptr<TargetQueue> NfsTarget::make_queue(const std::vector<QueuedProc>& procs) {
  return std::make_unique<NfsQueue>(state_->procs, procs, state_->counters, state_->options);
}

std::string NfsTarget::describe(std::uint32_t index, const Op& op) const {
  const NfsProc& proc = *state_->procs[index];
  const NfsServer& server = proc.identity->server();
  return fmt::format("{}/{}/{} ({})", server.root_path, proc.place->directory, proc.names.path(op.name), server.name);
}

std::vector<int> NfsTarget::sync() {
  std::vector<QueuedProc> procs;
  for (std::size_t i = 0; i < state_->procs.size(); ++i)
    if (state_->procs[i]->files.unstable()) procs.push_back({static_cast<std::uint32_t>(i), 1});
  if (procs.empty()) return {};
  try {
    return NfsQueue(state_->procs, procs, state_->counters, state_->options).commit_all();
  } catch (const std::exception&) {  // a server is gone, or no descriptor is left
    return {ETIMEDOUT};
  }
}

std::vector<NfsMountStats> NfsTarget::counters() const {
  std::vector<NfsMountStats> all;
  for (const NfsServer& server : state_->servers) {
    NfsMountStats& mount = all.emplace_back();
    mount.source = fmt::format("{}:{}", server.address, server.exported);
    mount.mount_point = server.name;
    mount.fstype = "nfs";
    mount.address = server.address;
    mount.options = fmt::format("vers=3,port={},proto=tcp", server.port);
    mount.connection_slots = server.settings.slots;
    mount.read_at = now();
  }
  state_->counters.for_each([&](const ThreadCounters& counters) {
    for (std::size_t server = 0; server < all.size(); ++server) counters[server].add_to(all[server]);
  });
  for (const auto& identity : state_->identities)
    for (std::size_t i = 0; i < identity->connections(); ++i)
      all[identity->server_number()].connections.push_back(identity->counters(i));
  return all;
}

std::vector<OpKind> ops_without_rpcs(const WorkloadSpec& workload) {
  std::vector<OpKind> refused;
  for (const OpKind kind : {OpKind::lock, OpKind::mmap_read, OpKind::mmap_write})
    if (std::ranges::any_of(workload.proc_kinds, [&](const ProcSpec& spec) { return spec.weight(kind) > 0; }))
      refused.push_back(kind);
  return refused;
}

}  // namespace edagen
