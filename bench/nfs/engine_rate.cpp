// The whole engine on NfsTarget (op stream, schedule, histograms, NFS client) against a server that answers every call
// with the same results.
//   engine_rate [SECONDS]    each measurement takes SECONDS (2)
// The server needs a processor of its own.
#include <fmt/format.h>

#include "statfs_clients.hpp"

int main(int argc, char** argv) {
  using namespace edagen;
  using namespace edagen::bench;
  const double seconds = argc > 1 ? std::atof(argv[1]) : 2;
  const CannedServer server(fsstat_results());
  fmt::print("closed loop: RPCs per second of the client's processors (and of time)\n{:>8} {:>6}\n", "clients",
             "procs");
  for (const auto& [clients, procs] : {std::pair(1, 1), {1, 16}, {1, 128}, {1000, 1}}) {
    const RunStats stats = Clients(server.port(), static_cast<std::size_t>(clients), static_cast<std::size_t>(procs))
                               .run(std::nullopt, seconds);
    const double rate = static_cast<double>(stats.ops.operations()) / to_seconds(stats.length);
    fmt::print("{:>8} {:>6} {:>11.0f} ({:>8.0f})\n", clients, procs, rate / stats.cpu_cores_used, rate);
  }
  for (const double ops_per_sec : {1'000.0, 20'000.0}) {
    const RunStats stats = Clients(server.port(), 1000, 1).run(ops_per_sec, seconds);
    fmt::print("1000 clients, {:.0f} RPC/s: own delay {:.1f} us on average, {:.1f} us at the 99th percentile\n",
               ops_per_sec, stats.generator_lag.mean() / 1e3,
               static_cast<double>(stats.generator_lag.percentile(99).count()) / 1e3);
  }
}
