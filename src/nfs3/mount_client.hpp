// Set-up: from a host's name to the root handle of an export. Blocks; each failure has a message of its own.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <optional>
#include <string>

#include "edagen/clock.hpp"
#include "nfs3/mount3.hpp"
#include "nfs3/nfs3_replies.hpp"

namespace edagen {

struct MountRequest {
  std::string host;                               ///< a name or an address
  std::string path;                               ///< of the export, "/vol"
  std::optional<std::uint16_t> port, mount_port;  ///< of NFS and MOUNT; else the port mapper is requested for them
  boost::asio::ip::address source;                ///< unspecified: any
  bool reserved_port = false;
  AuthSys credential;
  Nanos timeout = std::chrono::seconds(10);  ///< of each step
  std::string where;                         ///< begins each message: the URL as the user gave it
};

struct MountedExport {
  boost::asio::ip::address address;  ///< of the server
  std::uint16_t port = 0;            ///< of NFS
  NfsHandle root;
  NfsAttributes attributes;  ///< of the root
  FsinfoReply limits;
};

/// Resolves the host, requests from the port mapper the ports that are not given, from MOUNT the root handle and from
/// NFS the attributes and limits of the root. Without a port mapper, MOUNT is requested at `port` and NFS at 2049.
/// Throws Error (run) with `where`: the host is unknown; nothing listens; the port mapper is silent or does not have
/// the program; the export is denied (with what the export list offers); the server requires reserved ports
/// (resvport=yes, or `insecure` on the export), another kind of authentication or another version.
MountedExport mount_export(const MountRequest& request);

/// All addresses of a host, those of `source`'s family alone when it is given. Throws Error (run).
std::vector<boost::asio::ip::address> addresses_of(const std::string& host, const boost::asio::ip::address& source,
                                                   const std::string& where);

}  // namespace edagen
