#include "rpc/rpc_message.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "rpc/lying_server.hpp"

namespace edagen::testing {
namespace {

RpcReply reply_in(ByteSpan record) {
  std::uint32_t xid = 0;
  RpcReply reply = decode_reply(record, xid);
  EXPECT_EQ(xid, 77U);
  return reply;
}

TEST(RpcMessage, ACallHasItsHeadCredentialAndLength) {
  const RpcCredential credential(AuthSys{"host", 1000, 100, {4, 24}});
  std::array<std::byte, 256> room;
  XdrWriter writer(room);
  encode_call_head(writer, 0xabc, {100003, 3}, 6, credential, 20);
  ASSERT_EQ(writer.written().size(), call_head_bytes(credential));
  XdrReader reader(writer.written());
  EXPECT_EQ(reader.u32(), 0x80000000U | (call_head_bytes(credential) - 4 + 20));
  for (const std::uint32_t word : {0xabcU, 0U, 2U, 100003U, 3U, 6U, 1U}) EXPECT_EQ(reader.u32(), word);
  XdrReader body(reader.opaque(400));
  body.u32();
  EXPECT_EQ(body.string(255), "host");
  for (const std::uint32_t word : {1000U, 100U, 2U, 4U, 24U}) EXPECT_EQ(body.u32(), word);
  EXPECT_TRUE(body.ok() && body.rest().empty());
  EXPECT_EQ(reader.u64(), 0U) << "no verifier";
  EXPECT_TRUE(reader.ok() && reader.rest().empty());
}

TEST(RpcMessage, ACredentialHasAtMost16GroupsAndAMachineNameOf255Bytes) {
  AuthSys who{std::string(300, 'm'), 0, 0, {}};
  for (std::uint32_t group = 1; group <= 20; ++group) who.groups.push_back(group);
  const RpcCredential credential(who);
  XdrReader reader(credential.encoded());
  reader.u32();
  XdrReader body(reader.opaque(400));  // the protocol's limit of a credential
  body.u32();
  EXPECT_EQ(body.string(255).size(), 255U);
  body.u64();
  EXPECT_EQ(body.u32(), 16U);
  EXPECT_EQ(body.rest().size(), 64U);
  EXPECT_TRUE(reader.ok());
}

TEST(RpcMessage, NoCredentialIsAuthNone) {
  const RpcCredential none;
  EXPECT_EQ(none.encoded().size(), 16U);
  for (const std::byte byte : none.encoded()) EXPECT_EQ(byte, std::byte{0});
}

TEST(RpcMessage, AnAcceptedReplyHasTheResults) {
  const RpcReply reply = reply_in(accepted_reply(77, as_byte_span("abcd")));
  EXPECT_EQ(reply.outcome, RpcOutcome::success);
  EXPECT_EQ(to_errno(reply), 0);
}

TEST(RpcMessage, AVerifierOfTheServerIsPassedOver) {
  const ByteVector record = xdr_bytes([](XdrWriter& writer) {
    for (const std::uint32_t word : {77U, 1U, 0U, 2U}) writer.u32(word);
    writer.string("short");  // AUTH_SHORT
    writer.u32(0);
    writer.u32(42);
  });
  const RpcReply reply = reply_in(record);
  EXPECT_EQ(reply.outcome, RpcOutcome::success);
  EXPECT_EQ(XdrReader(reply.results).u32(), 42U);
}

TEST(RpcMessage, EachRefusalIsToldApart) {
  struct Case {
    ByteVector record;
    RpcOutcome outcome;
    int error;
    const char* text;
  };
  const Case cases[] = {
      {unaccepted_reply(77, 1), RpcOutcome::program_unavailable, EPROTONOSUPPORT, "does not offer the program"},
      {unaccepted_reply(77, 2, 2, 4), RpcOutcome::version_unavailable, EPROTONOSUPPORT, "versions 2 to 4"},
      {unaccepted_reply(77, 3), RpcOutcome::procedure_unavailable, EOPNOTSUPP, "procedure"},
      {unaccepted_reply(77, 4), RpcOutcome::garbage_arguments, EPROTO, "arguments"},
      {unaccepted_reply(77, 5), RpcOutcome::system_error, EREMOTEIO, "system error"},
      {denied_reply(77, auth_too_weak), RpcOutcome::authentication_refused, EACCES, "AUTH_TOOWEAK"},
      {denied_reply(77, 13), RpcOutcome::authentication_refused, EACCES, "auth_stat 13"},
  };
  for (const Case& each : cases) {
    const RpcReply reply = reply_in(each.record);
    EXPECT_EQ(reply.outcome, each.outcome) << each.text;
    EXPECT_EQ(to_errno(reply), each.error) << each.text;
    EXPECT_NE(to_string(reply).find(each.text), std::string::npos) << to_string(reply);
    EXPECT_TRUE(reply.results.empty());
  }
}

TEST(RpcMessage, WhatIsNoReplyIsMalformed) {
  ByteVector call = accepted_reply(77, {});
  call[7] = std::byte{0};  // a call
  EXPECT_EQ(reply_in(call).outcome, RpcOutcome::malformed_reply);
  EXPECT_EQ(reply_in(unaccepted_reply(77, 6)).outcome, RpcOutcome::malformed_reply);
  EXPECT_EQ(to_errno(reply_in(unaccepted_reply(77, 6))), EBADMSG);
}

TEST(RpcMessage, AReplyThatEndsAnywhereEarlyIsMalformed) {
  for (const ByteVector& record : {accepted_reply(77, {}), unaccepted_reply(77, 2, 1, 2), denied_reply(77, 1)})
    for (std::size_t size = 0; size < record.size(); ++size) {
      std::uint32_t xid = 1;
      EXPECT_EQ(decode_reply(ByteSpan(record).first(size), xid).outcome, RpcOutcome::malformed_reply) << size;
      EXPECT_EQ(xid, size >= 4 ? 77U : 0U);
    }
}

TEST(RpcMessage, AFailedConnectionIsNamedAsTheSystemNamesIt) {
  RpcReply reply;
  reply.outcome = RpcOutcome::connection_failed;
  reply.error = ECONNREFUSED;
  EXPECT_EQ(to_errno(reply), ECONNREFUSED);
  EXPECT_EQ(to_string(reply), "Connection refused");
}

}  // namespace
}  // namespace edagen::testing
