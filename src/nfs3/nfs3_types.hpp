// The values of NFS version 3 (RFC 1813): handles, attributes, status codes, procedures.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "rpc/rpc_message.hpp"

namespace edagen {

inline constexpr RpcProgram nfs3_program{100003, 3};
inline constexpr std::uint16_t nfs_port = 2049;
inline constexpr std::size_t max_nfs_handle_bytes = 64, max_nfs_name_bytes = 255, max_nfs_link_bytes = 4095;

/// In the numbers of the protocol.
enum class NfsProcedure : std::uint32_t {
  null,
  getattr,
  setattr,
  lookup,
  access,
  readlink,
  read,
  write,
  create,
  mkdir,
  symlink,
  mknod,
  remove,
  rmdir,
  rename,
  link,
  readdir,
  readdirplus,
  fsstat,
  fsinfo,
  pathconf,
  commit
};
inline constexpr std::size_t nfs_procedure_count = 22;
/// As in the kernel's mountstats: "GETATTR", "READDIRPLUS", ...
std::string_view to_string(NfsProcedure procedure);

/// In the numbers of the protocol. A server may send others.
enum class NfsStatus : std::uint32_t {
  ok = 0,
  perm = 1,
  noent = 2,
  io = 5,
  nxio = 6,
  acces = 13,
  exist = 17,
  xdev = 18,
  nodev = 19,
  notdir = 20,
  isdir = 21,
  inval = 22,
  fbig = 27,
  nospc = 28,
  rofs = 30,
  mlink = 31,
  nametoolong = 63,
  notempty = 66,
  dquot = 69,
  stale = 70,
  remote = 71,
  badhandle = 10001,
  not_sync = 10002,
  bad_cookie = 10003,
  notsupp = 10004,
  toosmall = 10005,
  serverfault = 10006,
  badtype = 10007,
  jukebox = 10008
};
/// 0 for ok. The nearest errno where there is none of the name: EAGAIN for jukebox, EBADF for badhandle, EREMOTEIO for
/// serverfault, EIO for numbers that the protocol does not have.
int to_errno(NfsStatus status);
/// As in RFC 1813: "NFS3ERR_NOENT"; "NFS3ERR_1234" for numbers that the protocol does not have.
std::string to_string(NfsStatus status);

struct NfsHandle {
  std::uint8_t size = 0;  ///< 0: no handle
  std::array<std::byte, max_nfs_handle_bytes> bytes;

  NfsHandle() = default;
  /// At most max_nfs_handle_bytes.
  explicit NfsHandle(ByteSpan from) : size(static_cast<std::uint8_t>(from.size())) {
    if (size > 0) std::memcpy(bytes.data(), from.data(), size);
  }
  ByteSpan span() const { return ByteSpan(bytes).first(size); }
  explicit operator bool() const { return size > 0; }
  friend bool operator==(const NfsHandle& a, const NfsHandle& b) {
    return a.size == b.size && std::memcmp(a.bytes.data(), b.bytes.data(), a.size) == 0;
  }
};

struct NfsTime {
  std::uint32_t seconds = 0, nanoseconds = 0;
  friend bool operator==(const NfsTime&, const NfsTime&) = default;
};

enum class NfsFileType : std::uint32_t { regular = 1, directory, block, character, symlink, socket, fifo };

/// fattr3.
struct NfsAttributes {
  NfsFileType type = NfsFileType::regular;
  std::uint32_t mode = 0, links = 0, uid = 0, gid = 0;
  std::uint64_t size = 0, used = 0;  ///< bytes
  std::uint32_t device_major = 0, device_minor = 0;
  std::uint64_t fsid = 0, file_id = 0;
  NfsTime accessed, modified, changed;
};

/// wcc_attr: what a file was just before an op, for clients that cache.
struct NfsPreAttributes {
  std::uint64_t size = 0;
  NfsTime modified, changed;
};

/// wcc_data.
struct NfsChange {
  std::optional<NfsPreAttributes> before;
  std::optional<NfsAttributes> after;
};

/// sattr3. What is not set, stays.
struct NfsSetAttributes {
  std::optional<std::uint32_t> mode, uid, gid;
  std::optional<std::uint64_t> size;
  enum class SetTime : std::uint32_t { keep = 0, server = 1, client = 2 };
  SetTime set_accessed = SetTime::keep, set_modified = SetTime::keep;
  NfsTime accessed, modified;  ///< for SetTime::client
};

/// Eight opaque bytes: of READDIR's cookies, of writes, of exclusive creates.
using NfsVerifier = std::uint64_t;

enum class NfsStable : std::uint32_t { unstable = 0, data_sync = 1, file_sync = 2 };

/// Bits of ACCESS.
inline constexpr std::uint32_t access_read = 1, access_lookup = 2, access_modify = 4, access_extend = 8,
                               access_delete = 16, access_execute = 32;

}  // namespace edagen
