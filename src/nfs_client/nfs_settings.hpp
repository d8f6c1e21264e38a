// The settings of the NFS clients of one server, and what they need to know of it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// What an nfs:// URL sets.
struct NfsSettings {
  unsigned nconnect = 1;         ///< TCP connections of one client
  unsigned slots = 128;          ///< most RPCs in flight on one connection
  Bytes read_size = 256 * KiB;   ///< most bytes of one READ, at most what the server allows (FSINFO)
  Bytes write_size = 256 * KiB;  ///< most bytes of one WRITE, at most what the server allows
  std::uint32_t uid = 0, gid = 0;
  std::vector<std::uint32_t> groups;  ///< besides `gid`, at most 16
  std::vector<std::string> sources;   ///< local addresses, which the clients take in turn; empty: any
  bool reserved_ports = false;        ///< source ports from 512 to 1023
  /// How long attributes and names are trusted, as `actimeo` of a mount; nullopt: each op requests them anew.
  std::optional<std::chrono::seconds> trusted_time;
};

/// An export whose dataset directory is there.
struct NfsServer {
  std::string name;             ///< the URL as the user wrote it
  std::string address;          ///< numeric, of the NFS service
  std::uint16_t port = 2049;    ///< of the NFS service
  std::string exported;         ///< path of the export, as "/vol"
  std::string root_path;        ///< path of the dataset directory on the server, for messages
  std::vector<std::byte> root;  ///< file handle of the dataset directory
  NfsSettings settings;
};

struct NfsTargetOptions {
  /// The wait for the first connections of a load; lost ones are made anew for as long as it takes.
  Nanos connect_timeout = std::chrono::seconds(15);
  Nanos retransmit_after = std::chrono::seconds(60);  ///< an RPC without a reply is sent again, as `timeo` of a mount
  std::stop_token stop;                               ///< ends the wait for the first connections
  Nanos jukebox_wait = std::chrono::seconds(5);       ///< before an RPC is repeated that the server has put off
};

}  // namespace edagen
