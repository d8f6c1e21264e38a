// The whole engine on NfsTarget (op stream, schedule, histograms, NFS client) against a server that answers every call
// with the same results. Each op is a statfs, which is one FSSTAT.
//   engine_rate [SECONDS]    each measurement takes SECONDS (2)
// The server needs a processor of its own.
#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "canned_server.hpp"
#include "load/engine.hpp"
#include "nfs_client/nfs_target.hpp"
#include "rpc/xdr.hpp"

namespace edagen::bench {
namespace {

std::vector<std::byte> fsstat_results() {
  std::vector<std::byte> results(60);
  XdrWriter writer(results);
  writer.u32(0);
  writer.boolean(false);
  for (int i = 0; i < 6; ++i) writer.u64(1 << 30);
  writer.u32(0);
  return results;
}

/// Clients with procs that do nothing but statfs.
class Clients {
 public:
  Clients(std::uint16_t port, std::size_t clients, std::size_t procs) {
    spec_.weights[static_cast<std::size_t>(OpKind::statfs)] = 1;
    NfsServer server;
    server.name = "nfs://canned";
    server.address = "127.0.0.1";
    server.port = port;
    server.root.resize(32);
    for (std::size_t client = 0; client < clients; ++client)
      for (std::size_t proc = 0; proc < procs; ++proc)
        places_.push_back({.server = 0,
                           .client = client,
                           .directory = "",
                           .spec = &spec_,
                           .files = FilePopulation(spec_, spec_.dataset, 1)});
    target_ = std::make_unique<NfsTarget>(std::vector{server}, places_);
  }

  RunStats run(std::optional<double> ops_per_sec, double seconds) {
    std::vector<EngineProc> procs;
    for (const NfsPlace& place : places_)
      procs.push_back({.ops = OpStream(spec_, mix_, place.files, procs.size()),
                       .group = 0,
                       .ops_per_sec = 1,
                       .client = static_cast<std::size_t>(place.client)});
    LoadPoint load;
    if (ops_per_sec) load.rate = OpenLoop{*ops_per_sec};
    load.warmup = std::chrono::seconds(1);
    load.duration = from_seconds(seconds);
    load.settle = false;
    return Engine(std::move(procs), {"statfs"}, *target_, {}, {}).run(load, ignore_events);
  }

 private:
  ProcSpec spec_;
  OpMix mix_{[] {
    OpWeights weights{};
    weights[static_cast<std::size_t>(OpKind::statfs)] = 1;
    return weights;
  }()};
  std::vector<NfsPlace> places_;
  std::unique_ptr<NfsTarget> target_;
};

}  // namespace
}  // namespace edagen::bench

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
