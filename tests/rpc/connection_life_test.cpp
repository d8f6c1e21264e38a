#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "base/descriptor.hpp"
#include "rpc/rpc_client.hpp"
#include "rpc/rpc_connection.hpp"

namespace edagen::testing {
namespace {

using std::chrono::milliseconds;

/// The calls that a server has seen.
class Seen {
 public:
  void add(const WireCall& call) {
    const std::lock_guard lock(mutex_);
    calls_.push_back(call);
  }
  std::vector<WireCall> all() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<WireCall> calls_;
};

/// An address that no other process has.
std::string own_address() {
  const unsigned id = static_cast<unsigned>(::getpid());
  return fmt::format("127.{}.{}.{}", 64 + id / 65536 % 64, id / 256 % 256, id % 256);
}

/// A port that another connection of the host has or had a minute ago, to whichever server, is not given back, and all
/// others are from 127.0.0.1.
void from_own_address(RpcConnectionSettings& settings) {
  settings.source = boost::asio::ip::make_address(own_address());
}

/// A server whose port nobody else takes while it is gone.
std::unique_ptr<LyingServer> server_at_own_address(LyingServer::Script script, std::uint16_t port = 0) {
  return std::make_unique<LyingServer>(std::move(script), own_address(), port);
}
void to_own_address(RpcConnectionSettings& settings) {
  settings.server.address(boost::asio::ip::make_address(own_address()));
}

/// While it lives, nobody can bind a socket to the port of a connection of this host.
Descriptor occupied(const boost::asio::ip::address& address, std::uint16_t port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in local{};
  local.sin_family = AF_INET;
  local.sin_port = htons(port);
  local.sin_addr.s_addr = htonl(address.to_v4().to_uint());
  for (const int reuse : {1, 0}) {
    EXPECT_EQ(::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse), 0);
    if (reuse == 1) EXPECT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&local), sizeof local), 0);
  }
  return socket;
}

TEST(ConnectionLife, APortThatTheSystemDoesNotGiveBackIsReplacedByAnotherOne) {
  LyingServer server([&](auto& wire, const WireCall& call) {
    if (call.number % 2 == 0) echo(wire, call);
    else wire.close(call.connection);
  });
  RpcClient client(server.port(), from_own_address);
  TestCall first(word(1)), second(word(2));
  client.connection->call(first);
  ASSERT_TRUE(client.run_until_ended(first));
  const std::uint16_t port = client.connection->local_port();
  const Descriptor other = occupied(client.connection->local_address(), port);
  client.connection->call(second);
  ASSERT_TRUE(client.run_until_ended(second));
  EXPECT_EQ(second.error, 0);
  EXPECT_EQ(second.transmissions, 2U);
  EXPECT_NE(client.connection->local_port(), port);
}

TEST(ConnectionLife, CallsWithoutAReplyAreSentAgainOnANewConnectionFromTheSamePort) {
  Seen seen;
  LyingServer server([&](auto& wire, const WireCall& call) {
    seen.add(call);
    if (call.connection > 0) echo(wire, call);
    else if (word_of(call.arguments) == 2) wire.close(call.connection, true);
  });
  RpcClient client(server.port(), from_own_address);
  TestCall first(word(1)), second(word(2)), third(word(3));
  client.connection->call(first);
  ASSERT_TRUE(client.run_until([&] { return server.calls() == 1; }));
  const std::uint16_t port = client.connection->local_port();
  client.connection->call(second);
  client.connection->call(third);
  ASSERT_TRUE(client.run_until([&] { return first.ends + second.ends + third.ends == 3; }));
  const std::vector<WireCall> calls = seen.all();
  std::vector<WireCall> again;
  for (const WireCall& call : calls)
    if (call.connection == 1) again.push_back(call);
  ASSERT_EQ(again.size(), 3U);
  EXPECT_EQ(again[0].xid, calls[0].xid);
  EXPECT_EQ(again[1].xid, calls[1].xid);
  EXPECT_EQ(word_of(again[2].arguments), 3U) << "in their order";
  for (const WireCall& call : calls) EXPECT_EQ(call.source_port, port);
  EXPECT_EQ(first.transmissions, 2U);
  EXPECT_GE(second.transmissions + third.transmissions, 3U);
  EXPECT_EQ(first.timeouts + second.timeouts + third.timeouts, 0U);
  EXPECT_EQ(client.connection->counters().connects, 2);
}

TEST(ConnectionLife, AReplyThatIsLostWithItsConnectionIsRoundTripAndNoQueue) {
  constexpr auto silence = milliseconds(200);
  LyingServer server([&](auto& wire, const WireCall& call) {
    if (call.connection > 0) return echo(wire, call);
    wire.after(silence, [connection = call.connection](auto& later) { later.close(connection); });
  });
  RpcClient client(server.port());
  TestCall call(word(1));
  client.connection->connect();
  ASSERT_TRUE(client.run_until([&] { return client.connection->is_connected(); }));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.transmissions, 2U);
  EXPECT_GE(call.sent - call.first_sent, silence);
  EXPECT_GE(call.round_trip(), silence);
  EXPECT_EQ(call.queue_time(), call.first_sent - call.queued);
}

TEST(ConnectionLife, ACallWhoseConnectionIsGivenUpHasARoundTripOnlyWhenItWasSent) {
  LyingServer server([](auto&, const WireCall&) {});
  RpcClient client(server.port(), [](auto& settings) { settings.slots = 1; });
  TestCall sent(word(1)), waiting(word(2));
  client.connection->call(sent);
  client.connection->call(waiting);
  ASSERT_TRUE(client.run_until([&] { return server.calls() == 1; }));
  client.run_for(milliseconds(50));
  client.connection->close(ECANCELED);
  ASSERT_TRUE(client.run_until([&] { return sent.ends + waiting.ends == 2; }));
  EXPECT_GE(sent.round_trip(), milliseconds(50));
  EXPECT_EQ(waiting.round_trip(), Nanos(0));
}

TEST(ConnectionLife, AConnectionThatTheServerClosesInAnOrderlyWayIsMadeAgainFromTheSamePort) {
  Seen seen;
  LyingServer server([&](auto& wire, const WireCall& call) {
    seen.add(call);
    if (call.number % 2 == 1) echo(wire, call);
    else wire.close(call.connection);
  });
  RpcClient client(server.port(), from_own_address);
  for (std::uint32_t i = 0; i < 5; ++i) {
    TestCall call(word(i));
    client.connection->call(call);
    ASSERT_TRUE(client.run_until_ended(call));
    EXPECT_EQ(word_of(call.results), i);
    EXPECT_EQ(call.transmissions, 2U);
  }
  for (const WireCall& call : seen.all()) EXPECT_EQ(call.source_port, client.connection->local_port());
}

TEST(ConnectionLife, ASilentServerGetsTheCallAgainWithTheSameXidOnTheSameConnection) {
  Seen seen;
  LyingServer server([&](auto& wire, const WireCall& call) {
    seen.add(call);
    if (call.number >= 2) echo(wire, call);
  });
  RpcClient client(server.port(), [](auto& settings) { settings.timeout = milliseconds(30); });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.outcome, RpcOutcome::success);
  EXPECT_GE(call.transmissions, 3U) << "more where a busy machine sends the reply late";
  EXPECT_EQ(call.timeouts, call.transmissions - 1);
  EXPECT_GE(call.sent - call.queued, call.timeouts * milliseconds(30)) << "the time of the last transmission";
  EXPECT_GE(call.round_trip(), call.timeouts * milliseconds(30)) << "that of the replies that never came, too";
  EXPECT_EQ(call.queue_time() + call.round_trip(), call.received - call.queued);
  EXPECT_EQ(client.connection->counters().connects, 1);
  const std::vector<WireCall> calls = seen.all();
  ASSERT_GE(calls.size(), 3U);
  for (const WireCall& each : calls) {
    EXPECT_EQ(each.xid, calls[0].xid);
    EXPECT_EQ(each.connection, calls[0].connection);
  }
}

TEST(ConnectionLife, TheOldestCallsAloneAreLate) {
  LyingServer server([](auto& wire, const WireCall& call) {
    if (word_of(call.arguments) > 0 || call.number > 5) echo(wire, call);
  });
  RpcClient client(server.port(), [](auto& settings) { settings.timeout = milliseconds(500); });
  TestCall late(word(0)), quick(word(1));
  int quick_ends = 0;
  quick.then = [&](TestCall& call) {
    if (++quick_ends < 6) client.connection->call(call);
  };
  client.connection->call(late);
  client.connection->call(quick);
  ASSERT_TRUE(client.run_until_ended(late));
  EXPECT_EQ(late.timeouts + quick.timeouts, 1U);
  EXPECT_EQ(late.transmissions, 2U);
}

TEST(ConnectionLife, ARecordThatTheConnectionWasLostInIsForgotten) {
  LyingServer server([](auto& wire, const WireCall& call) {
    const ByteVector stream = framed(accepted_reply(call.xid, call.arguments));
    if (call.connection > 0) return wire.send(call.connection, stream);
    wire.send(call.connection, ByteSpan(stream).first(10));
    wire.close(call.connection);
  });
  RpcClient client(server.port());
  TestCall call(word(9));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(word_of(call.results), 9U);
  EXPECT_EQ(client.connection->counters().malformed_replies, 0);
}

TEST(ConnectionLife, AnIdleConnectionThatIsLostIsMadeAgainByTheNextCall) {
  LyingServer server(echo);
  std::atomic<int> lost = 0;
  RpcClient client(server.port(), [&](auto& settings) { settings.on_change = [&](int error) { lost += error != 0; }; });
  TestCall first(word(1)), second(word(2));
  client.connection->call(first);
  ASSERT_TRUE(client.run_until_ended(first));
  server.run([](auto& wire) { wire.close(0); });
  ASSERT_TRUE(client.run_until([&] { return lost == 1; }));
  client.run_for(milliseconds(10));
  EXPECT_EQ(server.connections(), 1U);
  client.connection->call(second);
  ASSERT_TRUE(client.run_until_ended(second));
  EXPECT_EQ(server.connections(), 2U);
}

TEST(ConnectionLife, AConnectionThatIsLostBeforeItsFirstCallIsMadeAgain) {
  LyingServer server(echo);
  RpcClient client(server.port());
  client.connection->connect();
  ASSERT_TRUE(client.run_until([&] { return server.connections() == 1 && client.connection->is_connected(); }));
  server.run([](auto& wire) { wire.close(0); });
  ASSERT_TRUE(client.run_until([&] { return server.connections() == 2 && client.connection->is_connected(); }));
}

TEST(ConnectionLife, CallsWaitForAServerThatComesBack) {
  auto server = server_at_own_address([](auto&, const WireCall&) {});
  const std::uint16_t port = server->port();
  int failures = 0;
  RpcClient client(port, [&](auto& settings) {
    to_own_address(settings);
    settings.on_change = [&](int error) { failures += error == ECONNREFUSED; };
  });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until([&] { return server->calls() == 1; }));
  server.reset();
  ASSERT_TRUE(client.run_until([&] { return failures >= 3; }));
  EXPECT_EQ(call.ends, 0);
  EXPECT_EQ(client.connection->last_error(), ECONNREFUSED);
  EXPECT_FALSE(client.connection->is_connected());
  server = server_at_own_address(echo, port);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(word_of(call.results), 1U);
  EXPECT_EQ(client.connection->last_error(), 0);
}

TEST(ConnectionLife, AttemptsBackOff) {
  const std::uint16_t port = server_at_own_address(echo)->port();  // which is gone
  std::vector<TimePoint> attempts;
  RpcClient client(port, [&](auto& settings) {
    to_own_address(settings);
    settings.backoff_min = milliseconds(4);
    settings.backoff_max = milliseconds(16);
    settings.on_change = [&](int) { attempts.push_back(now()); };
  });
  const TimePoint start = now();  // what is seen of an attempt may be late, so that the next one seems to come too soon
  client.connection->connect();
  ASSERT_TRUE(client.run_until([&] { return attempts.size() == 7; }));
  const int least[] = {0, 4, 12, 28, 44};  // ms
  for (std::size_t i = 0; i < std::size(least); ++i) EXPECT_GE(attempts[i + 1] - start, milliseconds(least[i])) << i;
}

TEST(ConnectionLife, WithoutPatienceTheFirstFailedAttemptEndsTheCalls) {
  const std::uint16_t port = server_at_own_address(echo)->port();  // which is gone
  RpcClient client(port, [](auto& settings) {
    to_own_address(settings);
    settings.give_up = Nanos(0);
  });
  TestCall first(word(1)), second(word(2)), later(word(3));
  client.connection->call(first);
  client.connection->call(second);
  EXPECT_EQ(first.ends, 0);
  ASSERT_TRUE(client.run_until([&] { return first.ends + second.ends == 2; }));
  EXPECT_EQ(first.error, ECONNREFUSED);
  EXPECT_EQ(second.outcome, RpcOutcome::connection_failed);
  client.connection->call(later);
  ASSERT_TRUE(client.run_until_ended(later));
  EXPECT_EQ(later.error, ECONNREFUSED);
}

TEST(ConnectionLife, ALostConnectionIsTriedAgainBeforeItsCallsEnd) {
  LyingServer server([](auto& wire, const WireCall& call) {
    if (call.connection == 0) wire.close(call.connection);
    else echo(wire, call);
  });
  RpcClient client(server.port(), [](auto& settings) { settings.give_up = Nanos(0); });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.outcome, RpcOutcome::success);
}

TEST(ConnectionLife, AfterItsPatienceTheConnectionGoesOnTrying) {
  auto server = server_at_own_address(echo);
  const std::uint16_t port = server->port();
  server.reset();
  RpcClient client(port, [](auto& settings) {
    to_own_address(settings);
    settings.give_up = milliseconds(50);
  });
  TestCall call(word(1)), again(word(2));
  const TimePoint begin = now();
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.error, ECONNREFUSED);
  EXPECT_GE(now() - begin, milliseconds(50));
  server = server_at_own_address(echo, port);
  ASSERT_TRUE(client.run_until([&] { return client.connection->is_connected(); }));
  client.connection->call(again);
  ASSERT_TRUE(client.run_until_ended(again));
  EXPECT_EQ(again.outcome, RpcOutcome::success);
}

TEST(ConnectionLife, AServerThatAcceptsAndHangsUpIsNotTriedWithoutAPause) {
  LyingServer server([](auto& wire, const WireCall& call) { wire.close(call.connection); });
  RpcClient client(server.port(), [](auto& settings) { settings.backoff_min = milliseconds(20); });
  TestCall call(word(1));
  client.connection->call(call);
  const TimePoint begin = now();
  ASSERT_TRUE(client.run_until([&] { return server.connections() == 4; }));
  EXPECT_GE(now() - begin, milliseconds(20 + 40));
  EXPECT_EQ(call.ends, 0);
}

TEST(ConnectionLife, AServerThatAcceptsAndHangsUpAgainAndAgainIsGivenUp) {
  LyingServer server([](auto& wire, const WireCall& call) { wire.close(call.connection); });
  RpcClient client(server.port(), [](auto& settings) { settings.give_up = milliseconds(500); });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.error, ECONNRESET);
}

TEST(ConnectionLife, TheSourceIsTheAddressThatWasGiven) {
  std::atomic<std::uint16_t> port = 0;
  LyingServer server([&](auto& wire, const WireCall& call) {
    port = call.source_port;
    echo(wire, call);
  });
  RpcClient client(server.port(), [](auto& settings) { settings.source = boost::asio::ip::make_address("127.0.0.9"); });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(client.connection->local_address().to_string(), "127.0.0.9");
  EXPECT_EQ(client.connection->local_port(), port);
}

TEST(ConnectionLife, ASourceThatThisHostDoesNotHaveIsAnError) {
  LyingServer server(echo);
  RpcClient client(server.port(), [](auto& settings) {
    settings.source = boost::asio::ip::make_address("203.0.113.7");
    settings.give_up = Nanos(0);
  });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.error, EADDRNOTAVAIL);
}

TEST(ConnectionLife, ASourceOfAnotherFamilyIsAnError) {
  LyingServer server(echo);
  RpcClient client(server.port(), [](auto& settings) {
    settings.source = boost::asio::ip::make_address("::1");
    settings.give_up = Nanos(0);
  });
  TestCall call(word(1));
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.error, EAFNOSUPPORT);
}

TEST(ConnectionLife, ReservedPortsAreDifferentOnesOrRefused) {
  LyingServer server(echo);
  RpcClient client(server.port(), [](auto& settings) {
    settings.reserved_port = true;
    settings.give_up = Nanos(0);
  });
  RpcConnection second(client.loop, client.connection->settings());
  TestCall call(word(1)), other(word(2));
  client.connection->call(call);
  second.call(other);
  ASSERT_TRUE(client.run_until([&] { return call.ends + other.ends == 2; }));
  if (call.error == EACCES) return;  // not root
  EXPECT_EQ(call.error, 0);
  for (const std::uint16_t port : {client.connection->local_port(), second.local_port()}) {
    EXPECT_GE(port, 512U);
    EXPECT_LE(port, 1023U);
  }
  EXPECT_NE(client.connection->local_port(), second.local_port());
}

}  // namespace
}  // namespace edagen::testing
