// A connection and its loop in a test, and calls that remember how they ended.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "rpc/lying_server.hpp"
#include "rpc/rpc_connection.hpp"

namespace edagen::testing {

/// Which results a call got, and how often it has ended.
class TestCall : public RpcCall {
 public:
  explicit TestCall(ByteVector with_arguments = {}) : kept(std::move(with_arguments)) { arguments = kept; }
  void completed(const RpcReply& reply) override {
    ++ends;
    outcome = reply.outcome;
    error = to_errno(reply);
    results.assign(reply.results.begin(), reply.results.end());
    last = reply;
    last.results = results;
    if (then) then(*this);
  }

  ByteVector kept, results;
  int ends = 0, error = -1;
  RpcOutcome outcome{};
  RpcReply last;
  std::function<void(TestCall&)> then;
};

inline constexpr RpcProgram test_program{300000, 7};

class RpcClient {
 public:
  explicit RpcClient(std::uint16_t port, const std::function<void(RpcConnectionSettings&)>& change = {}) {
    RpcConnectionSettings settings;
    settings.server = {boost::asio::ip::make_address("127.0.0.1"), port};
    settings.program = test_program;
    settings.credential = RpcCredential(AuthSys{"edagen-0", 1000, 100, {4, 24}});
    settings.backoff_min = std::chrono::milliseconds(2);
    if (change) change(settings);
    connection = std::make_unique<RpcConnection>(loop, std::move(settings));
  }

  /// Runs the loop until `done`, at most for a minute. Returns whether it is done.
  bool run_until(const std::function<bool()>& done) {
    const TimePoint end = now() + std::chrono::minutes(1);
    while (!done() && now() < end) loop.run_until(now() + std::chrono::milliseconds(100));
    return done();
  }
  bool run_until_ended(const TestCall& call) {
    return run_until([&] { return call.ends > 0; });
  }
  void run_for(std::chrono::milliseconds time) {
    const TimePoint end = now() + time;
    while (now() < end) loop.run_until(end);
    loop.run_until(end);  // what is ready, also where this thread was held up all the time
  }

  RpcLoop loop;
  std::unique_ptr<RpcConnection> connection;
};

inline ByteVector word(std::uint32_t value) {
  return xdr_bytes([&](XdrWriter& writer) { writer.u32(value); });
}
inline std::uint32_t word_of(ByteSpan bytes) { return XdrReader(bytes).u32(); }

/// Answers each call with its arguments.
inline void echo(LyingServer::Wire& wire, const WireCall& call) { wire.answer(call, call.arguments); }

}  // namespace edagen::testing
