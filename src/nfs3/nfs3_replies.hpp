// The results of each procedure of NFS version 3. A server may send anything: every length is checked against the
// protocol's limits, against what was requested and against what is there.
#pragma once

#include "nfs3/directory_entries.hpp"
#include "nfs3/nfs3_types.hpp"

namespace edagen {

// Each decode() returns false when the results cannot be decoded; the reply is then of no use. With a status other than
// ok only attributes (`attributes`, `change`) can be set. Spans and texts refer to the results.

struct GetattrReply {
  NfsStatus status{};
  NfsAttributes attributes;
};
bool decode(ByteSpan results, GetattrReply& reply);

/// SETATTR, REMOVE and RMDIR.
struct ChangeReply {
  NfsStatus status{};
  NfsChange change;  ///< of the directory where a name was removed
};
using SetattrReply = ChangeReply;
using RemoveReply = ChangeReply;
bool decode(ByteSpan results, ChangeReply& reply);

struct LookupReply {
  NfsStatus status{};
  NfsHandle file;
  std::optional<NfsAttributes> attributes;  ///< of the file
  std::optional<NfsAttributes> directory_attributes;
};
bool decode(ByteSpan results, LookupReply& reply);

struct AccessReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;
  std::uint32_t access = 0;  ///< of the bits that were requested those that are allowed
};
bool decode(ByteSpan results, AccessReply& reply);

struct ReadlinkReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;
  std::string_view target;
};
bool decode(ByteSpan results, ReadlinkReply& reply);

struct ReadReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;
  bool at_end = false;
  ByteSpan data;  ///< fewer than requested are legal
};
/// `count`: that of the call. More data are a failure, and data whose two counts differ.
bool decode(ByteSpan results, std::uint32_t count, ReadReply& reply);

struct WriteReply {
  NfsStatus status{};
  NfsChange change;
  std::uint32_t count = 0;  ///< fewer than given are legal
  NfsStable committed{};
  NfsVerifier verifier = 0;  ///< another one than before: the server may have lost unstable data
};
/// `count` and `stable`: those of the call. More, or less stable than requested, is a failure.
bool decode(ByteSpan results, std::uint32_t count, NfsStable stable, WriteReply& reply);

/// CREATE, MKDIR and SYMLINK.
struct CreateReply {
  NfsStatus status{};
  NfsHandle file;  ///< none when the server leaves it out: a LOOKUP has it
  std::optional<NfsAttributes> attributes;
  NfsChange change;  ///< of the directory
};
bool decode(ByteSpan results, CreateReply& reply);

struct RenameReply {
  NfsStatus status{};
  NfsChange from_change, to_change;
};
bool decode(ByteSpan results, RenameReply& reply);

struct LinkReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;  ///< of the file
  NfsChange change;                         ///< of the directory
};
bool decode(ByteSpan results, LinkReply& reply);

/// READDIR and READDIRPLUS.
struct ReaddirReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;  ///< of the directory
  NfsVerifier verifier = 0;
  DirectoryEntries entries;
};
/// `plus`: of READDIRPLUS. `cookie`: that of the call.
bool decode(ByteSpan results, bool plus, std::uint64_t cookie, ReaddirReply& reply);

struct FsstatReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;
  std::uint64_t total_bytes = 0, free_bytes = 0, available_bytes = 0;
  std::uint64_t total_files = 0, free_files = 0, available_files = 0;
};
bool decode(ByteSpan results, FsstatReply& reply);

struct FsinfoReply {
  NfsStatus status{};
  std::optional<NfsAttributes> attributes;
  std::uint32_t read_max = 0, read_preferred = 0, read_multiple = 0;
  std::uint32_t write_max = 0, write_preferred = 0, write_multiple = 0;
  std::uint32_t readdir_preferred = 0;
  std::uint64_t file_size_max = 0;
  NfsTime time_delta;
  std::uint32_t properties = 0;
};
bool decode(ByteSpan results, FsinfoReply& reply);

struct CommitReply {
  NfsStatus status{};
  NfsChange change;
  NfsVerifier verifier = 0;
};
bool decode(ByteSpan results, CommitReply& reply);

/// The most bytes of results that a server may send: RpcCall::reply_bytes_max. `count`: of READ, READDIR and
/// READDIRPLUS.
std::size_t max_reply_bytes(NfsProcedure procedure, std::uint32_t count = 0);

}  // namespace edagen
