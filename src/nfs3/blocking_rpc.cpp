#include "nfs3/blocking_rpc.hpp"

#include <cerrno>

namespace edagen {
namespace {

struct WaitingCall final : RpcCall {
  void completed(const RpcReply& reply) override {
    answer.reply = reply;
    answer.results.assign(reply.results.begin(), reply.results.end());
    answer.reply.results = {};
    is_done = true;
  }
  BlockingReply answer;
  bool is_done = false;
};

RpcConnectionSettings without_patience(RpcConnectionSettings settings) {
  settings.give_up = Nanos(0);
  settings.on_change = {};
  return settings;
}

}  // namespace

BlockingRpc::BlockingRpc(RpcConnectionSettings settings)
    : timeout_(settings.timeout), connection_(loop_, without_patience(std::move(settings))) {}

BlockingReply BlockingRpc::call(std::uint32_t procedure, std::size_t reply_bytes_max, ByteSpan arguments) {
  WaitingCall call;
  call.procedure = procedure;
  call.arguments = arguments;
  call.reply_bytes_max = reply_bytes_max;
  const TimePoint end = now() + timeout_;
  connection_.call(call);
  while (!call.is_done && now() < end) loop_.run_until(end);
  call.answer.was_connected = connection_.is_connected();
  if (!call.is_done) {
    connection_.cancel(call);
    call.answer.reply.outcome = RpcOutcome::connection_failed;
    call.answer.reply.error = ETIMEDOUT;
  }
  return std::move(call.answer);
}

}  // namespace edagen
