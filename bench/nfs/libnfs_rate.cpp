// libnfs's raw asynchronous calls, with one epoll for all connections.
#include "rate.hpp"

#ifdef EDAGEN_HAS_LIBNFS
#include <nfsc/libnfs.h>
// The others need it.
#include <nfsc/libnfs-raw-nfs.h>
#include <nfsc/libnfs-raw.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace edagen::bench {
namespace {

struct Client {
  rpc_context* rpc = nullptr;
  std::uint64_t* count = nullptr;
  unsigned depth = 0;
  int watched = 0;
  std::array<char, 32> handle{};
};

void call(Client& client);

void answered(rpc_context*, int status, void* data, void* client) {
  if (status != RPC_STATUS_SUCCESS) return;  // at the end, when the connection is closed
  if (static_cast<GETATTR3res*>(data)->status != NFS3_OK) std::abort();
  Client& owner = *static_cast<Client*>(client);
  ++*owner.count;
  call(owner);
}

void call(Client& client) {
  GETATTR3args arguments{};
  arguments.object.data.data_len = static_cast<unsigned>(client.handle.size());
  arguments.object.data.data_val = client.handle.data();
  if (rpc_nfs3_getattr_async(client.rpc, answered, &arguments, &client) != 0) std::abort();
}

void connected(rpc_context*, int status, void*, void* client) {
  if (status != RPC_STATUS_SUCCESS) std::abort();
  for (unsigned i = 0; i < static_cast<Client*>(client)->depth; ++i) call(*static_cast<Client*>(client));
}

/// What was queued is sent at once, as far as the socket takes it.
void service(int poll, Client& client, int events) {
  if (rpc_service(client.rpc, events) != 0) std::abort();
  if ((rpc_which_events(client.rpc) & POLLOUT) != 0 && (events & POLLIN) != 0) rpc_service(client.rpc, POLLOUT);
  const int wanted = rpc_which_events(client.rpc);
  if (wanted == client.watched) return;
  epoll_event event{};
  event.events = static_cast<std::uint32_t>(wanted);  // POLLIN and POLLOUT are EPOLLIN and EPOLLOUT
  event.data.ptr = &client;
  ::epoll_ctl(poll, client.watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, rpc_get_fd(client.rpc), &event);
  client.watched = wanted;
}

}  // namespace

Rate rate_of_libnfs(std::uint16_t port, const Load& load) {
  const int poll = ::epoll_create1(EPOLL_CLOEXEC);
  std::uint64_t count = 0;
  std::vector<std::unique_ptr<Client>> clients;
  for (unsigned i = 0; i < load.connections; ++i) {
    clients.push_back(std::make_unique<Client>());
    Client& client = *clients.back();
    client.rpc = rpc_init_context();
    client.count = &count;
    client.depth = load.depth;
    if (rpc_connect_port_async(client.rpc, "127.0.0.1", port, NFS_PROGRAM, NFS_V3, connected, &client) != 0)
      std::abort();
    service(poll, client, 0);
  }
  const Rate rate = measure(load, count, [&](TimePoint until) {
    std::array<epoll_event, 256> events;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - now()).count();
    const int ready =
        ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), static_cast<int>(left > 0 ? left : 0));
    for (int i = 0; i < ready; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      service(poll, *static_cast<Client*>(event.data.ptr), static_cast<int>(event.events));
    }
  });
  for (const auto& client : clients) rpc_destroy_context(client->rpc);
  ::close(poll);
  return rate;
}

}  // namespace edagen::bench
#else
namespace edagen::bench {
Rate rate_of_libnfs(std::uint16_t, const Load&) { return {}; }
}  // namespace edagen::bench
#endif
