#include "rpc/rpc_connection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "edagen/parts/random.hpp"
#include "rpc/rpc_client.hpp"

namespace edagen::testing {
namespace {

using std::chrono::milliseconds;

/// `count` calls with their numbers as arguments.
std::vector<std::unique_ptr<TestCall>> numbered_calls(std::uint32_t count) {
  std::vector<std::unique_ptr<TestCall>> calls;
  for (std::uint32_t i = 0; i < count; ++i) calls.push_back(std::make_unique<TestCall>(word(i)));
  return calls;
}

bool all_ended(const std::vector<std::unique_ptr<TestCall>>& calls) {
  return std::all_of(calls.begin(), calls.end(), [](const auto& call) { return call->ends > 0; });
}

void expect_own_answers(const std::vector<std::unique_ptr<TestCall>>& calls) {
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i]->ends, 1) << i;
    EXPECT_EQ(calls[i]->outcome, RpcOutcome::success) << i;
    EXPECT_EQ(word_of(calls[i]->results), i);
  }
}

TEST(RpcConnection, ACallIsAnsweredWithItsTimesAndBytes) {
  WireCall seen;
  LyingServer server([&](auto& wire, const WireCall& call) {
    seen = call;
    echo(wire, call);
  });
  RpcClient client(server.port());
  TestCall call(word(42));
  call.procedure = 5;
  const TimePoint before = now();
  client.connection->call(call);
  EXPECT_TRUE(call.is_under_way());
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_FALSE(call.is_under_way());
  EXPECT_EQ(word_of(call.results), 42U);
  EXPECT_LE(before, call.queued);
  EXPECT_LE(call.queued, call.sent);
  EXPECT_LE(call.sent, call.received);
  EXPECT_LE(call.received, now());
  EXPECT_EQ(call.transmissions, 1U);
  EXPECT_EQ(call.received_bytes, 24U + 4U);
  EXPECT_EQ(seen.program, test_program.number);
  EXPECT_EQ(seen.version, test_program.version);
  EXPECT_EQ(seen.procedure, 5U);
  EXPECT_EQ(seen.machine, "edagen-0");
  EXPECT_EQ(seen.uid, 1000U);
  EXPECT_EQ(seen.gid, 100U);
  EXPECT_EQ(seen.groups, (std::vector<std::uint32_t>{4, 24}));
  EXPECT_EQ(seen.source_port, client.connection->local_port());
  const RpcConnectionCounters& counters = client.connection->counters();
  EXPECT_EQ(counters.sends, 1);
  EXPECT_EQ(counters.requests_in_use, 1) << "as the kernel counts";
  EXPECT_EQ(counters.receives, 1);
  EXPECT_EQ(counters.connects, 1);
}

TEST(RpcConnection, ManyCallsGoOutInOneSendAndAllAreAnswered) {
  LyingServer server(echo);
  RpcClient client(server.port());
  const auto calls = numbered_calls(100);
  for (const auto& call : calls) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  expect_own_answers(calls);
  for (const auto& call : calls) EXPECT_EQ(call->sent, calls[0]->sent) << "one send";
}

TEST(RpcConnection, RepliesOutOfOrderAreMatchedByTheirXids) {
  std::vector<WireCall> held;
  LyingServer server([&](auto& wire, const WireCall& call) {
    held.push_back(call);
    if (held.size() < 50) return;
    Random random(3);
    for (std::size_t i = held.size(); i > 1; --i) std::swap(held[i - 1], held[random.below(i)]);
    for (const WireCall& each : held) echo(wire, each);
  });
  RpcClient client(server.port());
  const auto calls = numbered_calls(50);
  for (const auto& call : calls) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  expect_own_answers(calls);
}

TEST(RpcConnection, RepliesThatAreCutAnywhereAndInFragmentsAreRead) {
  LyingServer server([](auto& wire, const WireCall& call) {
    wire.cut_into(call.connection, 3 + call.number % 5);
    wire.send(call.connection, framed(accepted_reply(call.xid, call.arguments), 1 + call.number % 11));
  });
  RpcClient client(server.port());
  const auto calls = numbered_calls(20);
  for (const auto& call : calls) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  expect_own_answers(calls);
}

TEST(RpcConnection, RepliesForNoCallAreCountedAndPassedOver) {
  LyingServer server([](auto& wire, const WireCall& call) {
    wire.send(call.connection, framed(accepted_reply(call.xid + 4711, word(1))));
    wire.send(call.connection, framed(ByteVector(2)));  // not even an xid
    wire.send(call.connection, framed(accepted_reply(call.xid ^ 0x80000000, ByteVector(200'000))));
    echo(wire, call);
    echo(wire, call);  // the second reply of a call is for none
  });
  RpcClient client(server.port());
  const auto calls = numbered_calls(3);
  for (const auto& call : calls) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return client.connection->counters().unmatched_replies == 12; }));
  expect_own_answers(calls);
  EXPECT_EQ(client.connection->counters().receives, 3);
}

TEST(RpcConnection, SlotsLimitTheCallsInFlightAndTheOthersWaitInTheirOrder) {
  std::vector<WireCall> held;
  std::atomic<std::size_t> most = 0;
  std::vector<std::uint32_t> order;
  LyingServer server([&](auto& wire, const WireCall& call) {
    order.push_back(word_of(call.arguments));
    held.push_back(call);
    most = std::max(most.load(), held.size());
    wire.after(milliseconds(1), [&](auto& later) {
      echo(later, held.front());
      held.erase(held.begin());
    });
  });
  RpcClient client(server.port(), [](auto& settings) { settings.slots = 4; });
  const auto calls = numbered_calls(40);
  for (const auto& call : calls) client.connection->call(*call);
  EXPECT_EQ(client.connection->waiting(), 36U);
  EXPECT_EQ(client.connection->in_flight(), 4U);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  expect_own_answers(calls);
  EXPECT_LE(most, 4U);
  std::vector<std::uint32_t> in_order(40);
  std::iota(in_order.begin(), in_order.end(), 0U);
  EXPECT_EQ(order, in_order);
  EXPECT_GE(calls[39]->queue_time(), milliseconds(9)) << "nine calls went before it in each slot";
  EXPECT_GT(client.connection->counters().backlog, 36);
}

TEST(RpcConnection, AFullSocketIsQueueAndNotRoundTrip) {
  std::atomic<bool> paused = false;
  LyingServer server([&](auto& wire, const WireCall& call) {
    if (!paused.exchange(true)) wire.stop_reading(call.connection);
    wire.answer(call, word(static_cast<std::uint32_t>(call.arguments.size())));
  });
  RpcClient client(server.port());
  const ByteVector data(8 * 1024 * 1024 + 1, std::byte{7});
  TestCall first(word(1)), large(word(2)), last(word(3));
  client.connection->call(first);
  ASSERT_TRUE(client.run_until_ended(first));
  large.data = data;
  client.connection->call(large);
  client.connection->call(last);
  client.run_for(milliseconds(200));
  const TimePoint read_on = now();
  server.run([](auto& wire) { wire.read_on(0); });
  ASSERT_TRUE(client.run_until([&] { return last.ends > 0 && large.ends > 0; }));
  EXPECT_EQ(word_of(large.results), 4 + data.size() + 3) << "with their padding";
  EXPECT_GE(last.queue_time(), milliseconds(200));
  EXPECT_GE(last.sent, read_on);
  EXPECT_EQ(word_of(last.results), 4U);
}

TEST(RpcConnection, LongDataAreSentFromWhereTheyAreAndLongResultsArriveWhole) {
  LyingServer server(echo);
  RpcClient client(server.port());
  std::vector<ByteVector> data;
  std::vector<std::unique_ptr<TestCall>> calls = numbered_calls(20);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    data.emplace_back(i * 50'001, static_cast<std::byte>(i));
    calls[i]->data = data[i];
    calls[i]->reply_bytes_max = 4 + xdr_padded(data[i].size());
  }
  for (const auto& call : calls) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  expect_own_answers(calls);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    ByteVector expected = word(static_cast<std::uint32_t>(i));
    expected.insert(expected.end(), data[i].begin(), data[i].end());
    expected.resize(4 + xdr_padded(data[i].size()));
    EXPECT_EQ(calls[i]->results, expected) << i;
  }
}

TEST(RpcConnection, AReplyThatIsLongerThanWhatWasRequestedEndsItsCallAlone) {
  LyingServer server([](auto& wire, const WireCall& call) {
    wire.answer(call, word_of(call.arguments) == 1 ? ByteVector(30'000'000) : call.arguments);
  });
  RpcClient client(server.port());
  TestCall before(word(0)), lied_to(word(1)), after(word(2));
  for (TestCall* call : {&before, &lied_to, &after}) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return after.ends > 0; }));
  EXPECT_EQ(before.outcome, RpcOutcome::success);
  EXPECT_EQ(lied_to.outcome, RpcOutcome::malformed_reply);
  EXPECT_EQ(after.outcome, RpcOutcome::success);
  EXPECT_EQ(client.connection->counters().malformed_replies, 1);
}

TEST(RpcConnection, AReplyThatCannotBeDecodedEndsItsCall) {
  LyingServer server([](auto& wire, const WireCall& call) {
    wire.send(call.connection, framed(word(call.xid)));  // no more than its xid
  });
  RpcClient client(server.port());
  TestCall call;
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.outcome, RpcOutcome::malformed_reply);
  EXPECT_EQ(call.error, EBADMSG);
}

TEST(RpcConnection, ARefusedCredentialEndsTheCall) {
  LyingServer server([](auto& wire, const WireCall& call) {
    wire.send(call.connection, framed(denied_reply(call.xid, auth_too_weak)));
  });
  RpcClient client(server.port());
  TestCall call;
  client.connection->call(call);
  ASSERT_TRUE(client.run_until_ended(call));
  EXPECT_EQ(call.outcome, RpcOutcome::authentication_refused);
  EXPECT_EQ(call.last.authentication_status, auth_too_weak);
}

TEST(RpcConnection, ACallCanBeMadeAgainInItsCompletion) {
  LyingServer server(echo);
  RpcClient client(server.port());
  TestCall call(word(5));
  call.then = [&](TestCall& ended) {
    if (ended.ends < 1000) client.connection->call(ended);
  };
  client.connection->call(call);
  ASSERT_TRUE(client.run_until([&] { return call.ends == 1000; }));
  EXPECT_EQ(client.connection->counters().sends, 1000);
}

TEST(RpcConnection, ACancelledCallHasNoCompletionAndItsSlotIsFree) {
  std::vector<WireCall> held;
  LyingServer server([&](auto& wire, const WireCall& call) {
    held.push_back(call);
    if (held.size() == 2)
      for (const WireCall& each : held) echo(wire, each);
  });
  RpcClient client(server.port(), [](auto& settings) { settings.slots = 1; });
  TestCall first(word(1)), waiting(word(2)), last(word(3));
  for (TestCall* call : {&first, &waiting, &last}) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return client.connection->counters().sends == 1; }));
  client.connection->cancel(waiting);
  client.connection->cancel(first);
  client.connection->cancel(first);  // not under way any more
  ASSERT_TRUE(client.run_until_ended(last));
  EXPECT_EQ(first.ends + waiting.ends, 0);
  EXPECT_EQ(word_of(last.results), 3U);
  EXPECT_EQ(client.connection->counters().unmatched_replies, 1);
}

TEST(RpcConnection, ADestroyedCallIsCancelled) {
  LyingServer server(echo);
  RpcClient client(server.port());
  auto gone = std::make_unique<TestCall>(word(1));
  TestCall stays(word(2));
  client.connection->call(*gone);
  client.connection->call(stays);
  gone.reset();
  ASSERT_TRUE(client.run_until_ended(stays));
  EXPECT_EQ(word_of(stays.results), 2U);
}

TEST(RpcConnection, ACallThatIsCancelledInTheMiddleOfSendingItDoesNotSpoilTheStream) {
  std::atomic<bool> paused = false;
  LyingServer server([&](auto& wire, const WireCall& call) {
    if (!paused.exchange(true)) wire.stop_reading(call.connection);
    wire.answer(call, word(static_cast<std::uint32_t>(call.arguments.size())));
  });
  RpcClient client(server.port());
  TestCall first(word(1)), last(word(3));
  const ByteVector data(8 * 1024 * 1024, std::byte{7});
  client.connection->call(first);
  ASSERT_TRUE(client.run_until_ended(first));
  {
    ByteVector short_lived = data;
    TestCall large(word(2));
    large.data = short_lived;
    client.connection->call(large);
    client.run_for(milliseconds(20));
    EXPECT_EQ(large.ends, 0);
    client.connection->cancel(large);
  }
  server.run([](auto& wire) { wire.read_on(0); });
  client.connection->call(last);
  ASSERT_TRUE(client.run_until_ended(last));
  EXPECT_EQ(word_of(last.results), 4U);
  EXPECT_EQ(client.connection->counters().unmatched_replies, 1);
  EXPECT_EQ(server.connections(), 1U);
}

TEST(RpcConnection, ACallThatIsDestroyedInTheMiddleOfSendingItCostsTheConnection) {
  std::atomic<bool> paused = false;
  LyingServer server([&](auto& wire, const WireCall& call) {
    if (!paused.exchange(true)) wire.stop_reading(call.connection);
    echo(wire, call);
  });
  RpcClient client(server.port());
  TestCall first(word(1)), last(word(3));
  client.connection->call(first);
  ASSERT_TRUE(client.run_until_ended(first));
  {
    const ByteVector data(8 * 1024 * 1024, std::byte{7});
    TestCall large(word(2));
    large.data = data;
    client.connection->call(large);
    client.run_for(milliseconds(20));
    EXPECT_EQ(large.ends, 0);
  }
  client.connection->call(last);
  ASSERT_TRUE(client.run_until_ended(last));
  EXPECT_EQ(word_of(last.results), 3U);
  EXPECT_EQ(server.connections(), 2U);
}

TEST(RpcConnection, CallsOfADestroyedConnectionAreForgotten) {
  LyingServer server([](auto&, const WireCall&) {});
  RpcClient client(server.port(), [](auto& settings) { settings.slots = 1; });
  TestCall sent(word(1)), waiting(word(2));
  client.connection->call(sent);
  client.connection->call(waiting);
  ASSERT_TRUE(client.run_until([&] { return server.calls() == 1; }));
  client.connection.reset();
  client.run_for(milliseconds(5));
  EXPECT_EQ(sent.ends + waiting.ends, 0);
  EXPECT_FALSE(sent.is_under_way() || waiting.is_under_way());
}

TEST(RpcConnection, AClosedConnectionEndsEveryCallWithItsError) {
  LyingServer server([](auto&, const WireCall&) {});
  RpcClient client(server.port(), [](auto& settings) { settings.slots = 1; });
  TestCall sent(word(1)), waiting(word(2)), later(word(3));
  client.connection->call(sent);
  client.connection->call(waiting);
  ASSERT_TRUE(client.run_until([&] { return server.calls() == 1; }));
  client.connection->close(ECANCELED);
  client.connection->call(later);
  EXPECT_EQ(sent.ends, 0) << "not from close() itself";
  ASSERT_TRUE(client.run_until([&] { return sent.ends + waiting.ends + later.ends == 3; }));
  for (const TestCall* call : {&sent, &waiting, &later}) EXPECT_EQ(call->error, ECANCELED);
}

TEST(RpcConnection, AConnectionCanBeClosedInACompletion) {
  LyingServer server(echo);
  RpcClient client(server.port());
  const auto calls = numbered_calls(10);
  calls[3]->then = [&](TestCall&) { client.connection->close(ECANCELED); };
  for (const auto& call : calls) client.connection->call(*call);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  EXPECT_EQ(calls[2]->outcome, RpcOutcome::success);
  for (std::size_t i = 4; i < 10; ++i) EXPECT_EQ(calls[i]->error, ECANCELED);
}

TEST(RpcConnection, ManyConnectionsShareALoop) {
  LyingServer server(echo);
  RpcClient client(server.port());
  std::vector<std::unique_ptr<RpcConnection>> connections;
  const auto calls = numbered_calls(60);
  for (std::size_t i = 0; i < 20; ++i)
    connections.push_back(std::make_unique<RpcConnection>(client.loop, client.connection->settings()));
  for (std::size_t i = 0; i < calls.size(); ++i) connections[i % 20]->call(*calls[i]);
  ASSERT_TRUE(client.run_until([&] { return all_ended(calls); }));
  expect_own_answers(calls);
  EXPECT_EQ(server.connections(), 20U);
}

}  // namespace
}  // namespace edagen::testing
