#include "rpc/connect_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace edagen {

std::string endpoint_text(const boost::asio::ip::tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return fmt::format("{}:{}", endpoint.address().is_v6() ? "[" + address + "]" : address, endpoint.port());
}

ConnectErrorText connect_error_text(int error, const RpcConnectionSettings& settings) {
  const std::string server = endpoint_text(settings.server), source = settings.source.to_string(),
                    name = std::generic_category().message(error);
  const bool has_source = !settings.source.is_unspecified();
  switch (error) {
    case ECONNREFUSED: return {fmt::format("nothing listens at {} ({})", server, name), ""};
    case ETIMEDOUT: return {fmt::format("{} does not answer ({})", server, name), "is a firewall between?"};
    case ECONNRESET:
      return {fmt::format("{} closes connections ({})", server, name),
              "is it an NFS server, and does it allow so many? Linux: 20 for each thread of nfsd"};
    case EHOSTUNREACH:
    case ENETUNREACH: return {fmt::format("there is no way to {} ({})", server, name), ""};
    case EACCES:
      if (settings.reserved_port)
        return {"source ports from 512 to 1023 need root or CAP_NET_BIND_SERVICE", "resvport=no, or run as root"};
      break;
    case EADDRINUSE:
    case EADDRNOTAVAIL:
      if (settings.reserved_port)
        return {fmt::format("all source ports from 512 to 1023 to {} are in use, or {} is no address of this host",
                            server, has_source ? source : "the source"),
                "fewer --clients or nconnect=, or more addresses in source="};
      if (has_source)
        return {fmt::format("{} is no address of this host, or its ports are in use ({})", source, name), "source="};
      return {fmt::format("no source port to {} is free ({})", server, name),
              "sysctl net.ipv4.ip_local_port_range, or addresses in source="};
    case EAFNOSUPPORT:
      if (has_source) return {fmt::format("{} and {} are of different families", source, server), "source="};
      break;
    case EMFILE:
    case ENFILE: return {fmt::format("no descriptor is left for a connection to {} ({})", server, name), "ulimit -n"};
    default: break;
  }
  return {fmt::format("no connection to {} ({})", server, name), ""};
}

}  // namespace edagen
