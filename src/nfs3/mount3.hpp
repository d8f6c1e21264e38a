// MOUNT version 3 (RFC 1813, appendix I) and the port mapper version 2 (RFC 1833): arguments and results.
#pragma once

#include <string>
#include <vector>

#include "nfs3/nfs3_types.hpp"

namespace edagen {

inline constexpr RpcProgram mount3_program{100005, 3}, port_mapper_program{100000, 2};
inline constexpr std::uint16_t port_mapper_port = 111;
inline constexpr std::size_t max_mount_path_bytes = 1024;

enum class MountProcedure : std::uint32_t { mnt = 1, export_list = 5 };
inline constexpr std::uint32_t port_mapper_getport = 3;

/// In the numbers of the protocol. A server may send others.
enum class MountStatus : std::uint32_t {
  ok = 0,
  perm = 1,
  noent = 2,
  io = 5,
  acces = 13,
  notdir = 20,
  inval = 22,
  nametoolong = 63,
  notsupp = 10004,
  serverfault = 10006
};
/// "MNT3ERR_ACCES"; "MNT3ERR_1234" for numbers that the protocol does not have.
std::string to_string(MountStatus status);

void encode_mount_path(XdrWriter& writer, std::string_view path);
struct MountReply {
  MountStatus status{};
  NfsHandle root;
  std::vector<std::uint32_t> flavors;  ///< of authentication that the export takes: 1 is AUTH_SYS
};
bool decode(ByteSpan results, MountReply& reply);

struct ExportEntry {
  std::string path;
  std::vector<std::string> groups;  ///< who may mount it; empty: everybody
};
/// At most 1000 entries are kept.
bool decode(ByteSpan results, std::vector<ExportEntry>& exports);

/// GETPORT over TCP.
void encode_getport(XdrWriter& writer, RpcProgram program);
/// 0: the program is not there.
bool decode_port(ByteSpan results, std::uint32_t& port);

}  // namespace edagen
