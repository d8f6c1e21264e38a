#include "rpc/rpc_socket.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <cerrno>
#include <ctime>
#include <limits>

namespace edagen {
namespace {

using boost::asio::ip::tcp;

template <class Value>
void set_option(const Descriptor& socket, int level, int option, Value value) {
  ::setsockopt(socket.get(), level, option, &value, sizeof value);
}

Nanos since_epoch(const timespec& time) { return std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec); }

/// The kernel's receive time is that of its wall clock. A time that lies ahead, or more than a second back, is not
/// taken: the clock was set.
TimePoint receive_time(msghdr& message) {
  const TimePoint read = now();
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SO_TIMESTAMPNS) continue;
    timespec received{}, wall{};
    std::memcpy(&received, CMSG_DATA(part), sizeof received);
    ::clock_gettime(CLOCK_REALTIME, &wall);
    const Nanos age = since_epoch(wall) - since_epoch(received);
    if (age >= Nanos(0) && age < std::chrono::seconds(1)) return read - age;
  }
  return read;
}

int bind_to(const Descriptor& socket, const tcp::endpoint& server, const RpcSocketSource& source) {
  if (source.address.is_unspecified() && source.port == 0) return 0;
  tcp::endpoint local(source.address, source.port);
  if (source.address.is_unspecified()) local = tcp::endpoint(server.protocol(), source.port);
  if (local.protocol() != server.protocol()) return EAFNOSUPPORT;
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  // The port is then chosen for the server, so that more connections than there are ports are possible.
  if (source.port == 0) set_option(socket, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
  return ::bind(socket.get(), local.data(), static_cast<socklen_t>(local.size())) == 0 ? 0 : errno;
}

void set_options(const Descriptor& socket, Nanos timeout) {
  constexpr auto most_ms = std::numeric_limits<int>::max();
  const auto timeout_ms = std::chrono::duration_cast<std::chrono::milliseconds>(timeout).count();
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(std::clamp<std::int64_t>(timeout_ms, 1, most_ms)));
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, SOL_SOCKET, SO_TIMESTAMPNS, 1);
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
}

}  // namespace

int begin_connect(Descriptor& socket, const tcp::endpoint& server, const RpcSocketSource& source) {
  socket = Descriptor(::socket(server.protocol().family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  if (!socket) return errno;
  set_options(socket, source.timeout);
  if (const int refused = bind_to(socket, server, source)) return refused;
  const int connected = ::connect(socket.get(), server.data(), static_cast<socklen_t>(server.size())) == 0 ? 0 : errno;
  return connected == EINPROGRESS ? 0 : connected;
}

int connect_result(const Descriptor& socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0) return errno;
  if (error != 0) return error;
  sockaddr_storage peer{};
  size = sizeof peer;
  return ::getpeername(socket.get(), reinterpret_cast<sockaddr*>(&peer), &size) == 0 ? 0 : errno;
}

tcp::endpoint local_endpoint(const Descriptor& socket) {
  tcp::endpoint endpoint;
  auto size = static_cast<socklen_t>(endpoint.capacity());
  if (::getsockname(socket.get(), endpoint.data(), &size) != 0) return {};
  endpoint.resize(size);
  return endpoint;
}

void abort_connection(Descriptor& socket) {
  if (!socket) return;
  set_option(socket, SOL_SOCKET, SO_LINGER, linger{1, 0});
  socket.close();
}

RpcReceived receive(const Descriptor& socket, std::span<iovec> room) {
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(timespec))];
  msghdr message{};
  message.msg_iov = room.data();
  message.msg_iovlen = room.size();
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t count = 0;
  do count = ::recvmsg(socket.get(), &message, MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  RpcReceived received;
  if (count < 0) received.error = errno;
  else if (count == 0) received.error = ECONNRESET;
  else received = {static_cast<std::size_t>(count), 0, receive_time(message)};
  return received;
}

std::ptrdiff_t send(const Descriptor& socket, std::span<iovec> parts) {
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  ssize_t count = 0;
  do count = ::sendmsg(socket.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

}  // namespace edagen
