// RPCs per second of a client's processor: RpcConnection and the codec beside libnfs's raw asynchronous calls, both
// with GETATTR against a server that answers every call with the same results.
//   rpc_rate [SECONDS [ROUNDS]]    each measurement takes SECONDS (1), the two clients in turn, ROUNDS (5) times
// Not as root: libnfs then looks for a reserved port for each connection, for a second each.
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>

#include "canned_server.hpp"
#include "nfs3/nfs3_calls.hpp"
#include "nfs3/nfs3_replies.hpp"
#include "rate.hpp"
#include "rpc/rpc_connection.hpp"

namespace edagen::bench {
namespace {

std::vector<std::byte> getattr_results() {
  std::vector<std::byte> results(88);
  XdrWriter writer(results);
  for (const std::uint32_t word : {0U, 1U, 0644U, 1U, 1000U, 1000U}) writer.u32(word);
  for (const std::uint64_t word : {4096ULL, 4096ULL, 0ULL, 17ULL, 4711ULL, 1ULL, 2ULL, 3ULL}) writer.u64(word);
  return results;
}

/// Makes itself again when it has ended.
struct GetattrCall final : RpcCall {
  void prepare(RpcConnection& on, const NfsHandle& file) {
    connection = &on;
    XdrWriter writer(room);
    encode_getattr(writer, file);
    arguments = writer.written();
    procedure = static_cast<std::uint32_t>(NfsProcedure::getattr);
    reply_bytes_max = max_reply_bytes(NfsProcedure::getattr);
  }
  void completed(const RpcReply& reply) override {
    if (reply.outcome != RpcOutcome::success || !decode(reply.results, attributes)) std::abort();
    ++*count;
    connection->call(*this);
  }

  RpcConnection* connection = nullptr;
  std::uint64_t* count = nullptr;
  GetattrReply attributes;
  std::array<std::byte, 68> room{};
};

}  // namespace

Rate rate_of_edagen(std::uint16_t port, const Load& load) {
  RpcLoop loop;
  RpcConnectionSettings settings;
  settings.server = {boost::asio::ip::make_address("127.0.0.1"), port};
  settings.program = nfs3_program;
  settings.credential = RpcCredential(AuthSys{"edagen-0", 1000, 1000, {}});
  const NfsHandle file(std::vector<std::byte>(32, std::byte{1}));
  std::uint64_t count = 0;
  std::vector<std::unique_ptr<RpcConnection>> connections;
  std::vector<std::unique_ptr<GetattrCall>> calls;
  for (unsigned i = 0; i < load.connections; ++i) {
    connections.push_back(std::make_unique<RpcConnection>(loop, settings));
    for (unsigned j = 0; j < load.depth; ++j) {
      calls.push_back(std::make_unique<GetattrCall>());
      calls.back()->count = &count;
      calls.back()->prepare(*connections.back(), file);
      connections.back()->call(*calls.back());
    }
  }
  return measure(load, count, [&](TimePoint until) { loop.run_until(until); });
}

Rate measure(const Load& load, const std::uint64_t& count, const std::function<void(TimePoint)>& run) {
  const auto processor_seconds = [] {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  const auto run_for = [&](double seconds) {
    for (const TimePoint end = now() + from_seconds(seconds); now() < end;) run(end);
  };
  run_for(0.2 * load.seconds);  // connections and caches
  const double busy = processor_seconds();
  const std::uint64_t before = count;
  const TimePoint begin = now();
  run_for(load.seconds);
  const auto calls = static_cast<double>(count - before);
  return {calls / to_seconds(now() - begin), calls / (processor_seconds() - busy)};
}

}  // namespace edagen::bench

int main(int argc, char** argv) {
  using namespace edagen::bench;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 5;
  const CannedServer server(edagen::bench::getattr_results());
  const auto median = [](std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  fmt::print("GETATTR, RPCs per second of the client's processor (and of time), medians of {} rounds of {} s in turn\n",
             rounds, seconds);
  fmt::print("{:>11} {:>6} {:>22} {:>22} {:>7}\n", "connections", "depth", "edagen", "libnfs", "ratio");
  for (const auto& [connections, depth] : {std::pair(1U, 1U), {1U, 16U}, {1U, 128U}, {1000U, 1U}}) {
    std::vector<double> own, own_rate, other, other_rate, ratio;
    for (int round = 0; round < rounds; ++round) {
      const Load load{connections, depth, seconds};
      const Rate first = rate_of_edagen(server.port(), load), second = rate_of_libnfs(server.port(), load);
      own.push_back(first.per_processor_second);
      own_rate.push_back(first.per_second);
      other.push_back(second.per_processor_second);
      other_rate.push_back(second.per_second);
      ratio.push_back(first.per_processor_second / second.per_processor_second);
    }
    fmt::print("{:>11} {:>6} {:>11.0f} ({:>8.0f}) {:>11.0f} ({:>8.0f}) {:>7.2f}\n", connections, depth, median(own),
               median(own_rate), median(other), median(other_rate), median(ratio));
    std::fflush(stdout);
  }
}
