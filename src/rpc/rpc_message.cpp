#include "rpc/rpc_message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "rpc/record_reader.hpp"

namespace edagen {
namespace {

constexpr std::uint32_t call_message = 0, reply_message = 1, rpc_version = 2;
constexpr std::uint32_t flavor_none = 0, flavor_sys = 1;
constexpr std::size_t max_verifier_bytes = 400;

std::string authentication_text(std::uint32_t status) {
  static constexpr std::string_view names[] = {"AUTH_OK",           "AUTH_BADCRED", "AUTH_REJECTEDCRED", "AUTH_BADVERF",
                                               "AUTH_REJECTEDVERF", "AUTH_TOOWEAK", "AUTH_INVALIDRESP",  "AUTH_FAILED"};
  return status < std::size(names) ? std::string(names[status]) : fmt::format("auth_stat {}", status);
}

RpcReply accepted(XdrReader& reader) {
  RpcReply reply;
  reader.u32();  // the verifier, which AUTH_SYS does not use
  reader.opaque(max_verifier_bytes);
  switch (reader.u32()) {
    case 0:
      reply.outcome = RpcOutcome::success;
      reply.results = reader.rest();
      break;
    case 1: reply.outcome = RpcOutcome::program_unavailable; break;
    case 2:
      reply.outcome = RpcOutcome::version_unavailable;
      reply.low_version = reader.u32();
      reply.high_version = reader.u32();
      break;
    case 3: reply.outcome = RpcOutcome::procedure_unavailable; break;
    case 4: reply.outcome = RpcOutcome::garbage_arguments; break;
    case 5: reply.outcome = RpcOutcome::system_error; break;
    default: reader.fail();
  }
  return reply;
}

RpcReply denied(XdrReader& reader) {
  RpcReply reply;
  switch (reader.u32()) {
    case 0: reply.outcome = RpcOutcome::rpc_version_refused; break;
    case 1:
      reply.outcome = RpcOutcome::authentication_refused;
      reply.authentication_status = reader.u32();
      break;
    default: reader.fail();
  }
  return reply;
}

}  // namespace

RpcCredential::RpcCredential() : encoded_(16) {}  // AUTH_NONE is 0 and empty, twice

RpcCredential::RpcCredential(const AuthSys& who) {
  const std::string_view machine = std::string_view(who.machine).substr(0, max_machine_name_bytes);
  const std::size_t groups = std::min(who.groups.size(), max_groups),
                    body = 20 + xdr_padded(machine.size()) + 4 * groups;
  encoded_.resize(16 + body);
  XdrWriter writer(encoded_);
  writer.u32(flavor_sys);
  writer.u32(static_cast<std::uint32_t>(body));
  writer.u32(0);  // stamp: any number
  writer.string(machine);
  writer.u32(who.uid);
  writer.u32(who.gid);
  writer.u32(static_cast<std::uint32_t>(groups));
  for (std::size_t i = 0; i < groups; ++i) writer.u32(who.groups[i]);
  writer.u32(flavor_none);
  writer.u32(0);
}

void encode_call_head(XdrWriter& writer, std::uint32_t xid, RpcProgram program, std::uint32_t procedure,
                      const RpcCredential& credential, std::size_t argument_bytes) {
  writer.u32(last_fragment_bit | static_cast<std::uint32_t>(call_head_bytes(credential) - 4 + argument_bytes));
  writer.u32(xid);
  writer.u32(call_message);
  writer.u32(rpc_version);
  writer.u32(program.number);
  writer.u32(program.version);
  writer.u32(procedure);
  writer.fixed(credential.encoded());
}

RpcReply decode_reply(ByteSpan record, std::uint32_t& xid) {
  XdrReader reader(record);
  xid = reader.u32();
  RpcReply reply;
  if (reader.u32() != reply_message) reader.fail();
  switch (reader.u32()) {
    case 0: reply = accepted(reader); break;
    case 1: reply = denied(reader); break;
    default: reader.fail();
  }
  return reader.ok() ? reply : RpcReply{};
}

int to_errno(const RpcReply& reply) {
  switch (reply.outcome) {
    case RpcOutcome::success: return 0;
    case RpcOutcome::program_unavailable:
    case RpcOutcome::version_unavailable: return EPROTONOSUPPORT;
    case RpcOutcome::procedure_unavailable: return EOPNOTSUPP;
    case RpcOutcome::garbage_arguments:
    case RpcOutcome::rpc_version_refused: return EPROTO;
    case RpcOutcome::system_error: return EREMOTEIO;
    case RpcOutcome::authentication_refused: return EACCES;
    case RpcOutcome::malformed_reply: return EBADMSG;
    case RpcOutcome::connection_failed: return reply.error;
  }
  return EIO;
}

std::string to_string(const RpcReply& reply) {
  switch (reply.outcome) {
    case RpcOutcome::success: return "success";
    case RpcOutcome::program_unavailable: return "the server does not offer the program";
    case RpcOutcome::version_unavailable:
      return fmt::format("the server offers versions {} to {} of the program", reply.low_version, reply.high_version);
    case RpcOutcome::procedure_unavailable: return "the server does not offer the procedure";
    case RpcOutcome::garbage_arguments: return "the server could not decode the arguments";
    case RpcOutcome::system_error: return "the server reports a system error";
    case RpcOutcome::rpc_version_refused: return "the server does not offer version 2 of RPC";
    case RpcOutcome::authentication_refused:
      return "the server refuses the credential (" + authentication_text(reply.authentication_status) + ")";
    case RpcOutcome::malformed_reply: return "the reply of the server cannot be decoded";
    case RpcOutcome::connection_failed: return std::generic_category().message(reply.error);
  }
  return "";
}

}  // namespace edagen
