// The TCP socket of an RPC client: local port, options, connecting, and reads that bring the kernel's receive time.
#pragma once

#include <sys/uio.h>

#include <boost/asio/ip/tcp.hpp>
#include <span>

#include "base/descriptor.hpp"
#include "edagen/clock.hpp"

namespace edagen {

/// Where a socket connects from.
struct RpcSocketSource {
  boost::asio::ip::address address;  ///< unspecified: any
  std::uint16_t port = 0;            ///< 0: any
  Nanos timeout{};                   ///< sent data that are not acknowledged for so long end the connection
};

/// Begins to connect, without blocking. Returns 0 when that is under way, else an errno: EADDRINUSE or EADDRNOTAVAIL
/// when the source cannot be used for this server.
int begin_connect(Descriptor& socket, const boost::asio::ip::tcp::endpoint& server, const RpcSocketSource& source);
/// The errno of an attempt that is over; 0: connected.
int connect_result(const Descriptor& socket);
/// Its local address and port.
boost::asio::ip::tcp::endpoint local_endpoint(const Descriptor& socket);
/// Closes it so that its port can be used again at once: data that are under way are lost.
void abort_connection(Descriptor& socket);

struct RpcReceived {
  std::size_t bytes = 0;
  int error = 0;     ///< EAGAIN: nothing is there; ECONNRESET: also the end of the stream
  TimePoint time{};  ///< when the last of the bytes came to this host
};
/// Reads what is there, without blocking.
RpcReceived receive(const Descriptor& socket, std::span<iovec> room);
/// Sends what the socket takes, without blocking. Returns the number of bytes or -errno.
std::ptrdiff_t send(const Descriptor& socket, std::span<iovec> parts);

}  // namespace edagen
