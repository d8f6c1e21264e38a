// ONC RPC version 2 (RFC 5531): the head of a call with AUTH_SYS, the head of a reply, and what a reply can be.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rpc/xdr.hpp"

namespace edagen {

/// A program that a server offers, in one version.
struct RpcProgram {
  std::uint32_t number = 0, version = 0;
};

/// Whom a call is made for (AUTH_SYS, RFC 5531, appendix A).
struct AuthSys {
  std::string machine;  ///< at most 255 bytes
  std::uint32_t uid = 0, gid = 0;
  std::vector<std::uint32_t> groups;  ///< besides `gid`; the protocol has room for 16
};

/// What stands between a call's procedure and its arguments: credential and verifier, encoded once.
class RpcCredential {
 public:
  /// AUTH_NONE.
  RpcCredential();
  /// The machine's name is cut at 255 bytes, the groups after the 16th are left out.
  explicit RpcCredential(const AuthSys& who);
  ByteSpan encoded() const { return encoded_; }

 private:
  std::vector<std::byte> encoded_;
};

inline constexpr std::size_t max_groups = 16, max_machine_name_bytes = 255;

/// How a call ended. Whatever the program's own status is, stands in the results.
enum class RpcOutcome : std::uint8_t {
  success,                 ///< there are results
  program_unavailable,     ///< the server does not offer the program
  version_unavailable,     ///< the server offers other versions of it
  procedure_unavailable,   ///< the program has no such procedure
  garbage_arguments,       ///< the server could not decode the arguments
  system_error,            ///< the server had no memory, for example
  rpc_version_refused,     ///< the server does not speak RPC version 2
  authentication_refused,  ///< RpcReply::authentication_status has the reason
  malformed_reply,         ///< the reply could not be decoded, or was longer than it may be
  connection_failed,       ///< RpcReply::error is the errno
};

/// Reasons for a refusal (auth_stat). Others than these exist.
inline constexpr std::uint32_t auth_bad_credential = 1, auth_rejected_credential = 2, auth_bad_verifier = 3,
                               auth_rejected_verifier = 4, auth_too_weak = 5;

struct RpcReply {
  RpcOutcome outcome = RpcOutcome::malformed_reply;
  int error = 0;                                    ///< connection_failed: ECONNREFUSED, ETIMEDOUT, ...
  std::uint32_t authentication_status = 0;          ///< authentication_refused: auth_stat
  std::uint32_t low_version = 0, high_version = 0;  ///< version_unavailable: what the server offers
  ByteSpan results;                                 ///< success: valid during the completion alone
};

/// 0 for success, else an errno value: EACCES, EPROTONOSUPPORT, EBADMSG, `error`, ...
int to_errno(const RpcReply& reply);
/// What a user can read: "the server refuses the credential (AUTH_TOOWEAK)", "connection refused".
std::string to_string(const RpcReply& reply);

/// The reply that is in a record without its record mark. `xid` is 0 when the record is shorter than one.
RpcReply decode_reply(ByteSpan record, std::uint32_t& xid);

/// Bytes before a call's arguments, with the record mark.
inline std::size_t call_head_bytes(const RpcCredential& credential) { return 28 + credential.encoded().size(); }
/// Writes the record mark and all that stands before the arguments, call_head_bytes() in all. `argument_bytes` with
/// their padding.
void encode_call_head(XdrWriter& writer, std::uint32_t xid, RpcProgram program, std::uint32_t procedure,
                      const RpcCredential& credential, std::size_t argument_bytes);

}  // namespace edagen
