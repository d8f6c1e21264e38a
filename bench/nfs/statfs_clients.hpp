// Clients of NfsTarget with procs that do nothing but statfs, each of which is one FSSTAT.
#pragma once

#include <cstdlib>
#include <utility>

#include "canned_server.hpp"
#include "load/engine.hpp"
#include "nfs_client/nfs_target.hpp"
#include "rpc/xdr.hpp"

namespace edagen::bench {

inline std::vector<std::byte> fsstat_results() {
  std::vector<std::byte> results(60);
  XdrWriter writer(results);
  writer.u32(0);
  writer.boolean(false);
  for (int i = 0; i < 6; ++i) writer.u64(1 << 30);
  writer.u32(0);
  return results;
}

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

  const std::vector<NfsPlace>& places() const { return places_; }
  NfsTarget& target() { return *target_; }

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

}  // namespace edagen::bench
