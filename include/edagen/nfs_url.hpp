// The URL of an NFS export that edagen loads with NFS clients of its own: nfs://HOST[:PORT]/EXPORT[?KEY=VALUE&...].
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edagen/units.hpp"

namespace edagen {

struct NfsUrl {
  std::string text;                   ///< as given
  std::string host;                   ///< a name or an address
  std::optional<std::uint16_t> port;  ///< of NFS; nullopt: the port mapper has it
  std::string path;                   ///< of the export, "/vol"

  unsigned nconnect = 1;                    ///< TCP connections of one client
  unsigned slots = 128;                     ///< most RPCs in flight on one connection
  Bytes read_size = 256 * KiB;              ///< most bytes of one READ
  Bytes write_size = 256 * KiB;             ///< most bytes of one WRITE
  std::optional<std::uint32_t> uid, gid;    ///< nullopt: those of the process
  std::optional<std::uint16_t> mount_port;  ///< of MOUNT; nullopt: the port mapper has it
  std::vector<std::string> sources;         ///< local addresses, which the clients take in turn; empty: any
  bool reserved_ports = false;              ///< source ports from 512 to 1023
  /// How long attributes and names are trusted; nullopt: each op requests them anew.
  std::optional<std::chrono::seconds> trusted_time;

  /// "HOST:/EXPORT", as mount(8) has it.
  std::string source() const;
  /// All keys with the values in force, "version=3,nconnect=1,..."; those without a value are left out.
  std::string options() const;
};

inline constexpr std::string_view nfs_scheme = "nfs://";
inline bool is_nfs_url(std::string_view text) { return text.starts_with(nfs_scheme); }

/// Throws Error (usage) that names `where`, the part that is wrong and the nearest key. Looks nothing up.
NfsUrl parse_nfs_url(const std::string& text, const std::string& where);

}  // namespace edagen
