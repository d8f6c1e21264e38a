// An NFS server that is a queueing station: each RPC of a load takes an exponential time of one of c servers, first
// come first served. What the true mean response at a rate is can be computed, so that it is a known truth for a load
// generator with real sockets.
//   station --servers 4 --mean 1ms
//   edagen curve --workload stat.json --arrivals poisson --clients 200 --target nfs://127.0.0.1:PORT/station
// It prints its URL and serves until it is interrupted. The dataset is built at full speed: only RPCs of the clients of
// a load take time, LOOKUP and ACCESS excepted. Names and sizes are kept in memory, of data the first 4 KiB of each
// file; the rest reads as zeros. Run it with real-time priority (chrt -f 1 station ...) where it can be had.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "queueing_station.hpp"

namespace edagen::bench {
namespace {

/// Signals are blocked in all threads, which inherit this.
void wait_for_signal(const sigset_t& signals) {
  int number = 0;
  ::sigwait(&signals, &number);
}

void write_log(const std::string& path, const std::deque<StationVisit>& visits) {
  std::ofstream log(path, std::ios::binary);
  for (const StationVisit& visit : visits) log.write(reinterpret_cast<const char*>(&visit), sizeof visit);
  if (!log.flush()) throw run_error(path, "cannot be written");
}

int run(int argc, char** argv) {
  CLI::App app("An NFS server that is a queueing station.");
  QueueingStation::Options options;
  std::string mean = "1ms", log;
  app.add_option("--servers", options.servers, "RPCs that are served at once (1)")->check(CLI::Range(1, 1000));
  app.add_option("--mean", mean, "mean time of a server for an RPC (1ms)");
  app.add_option("--seed", options.seed, "of the times (1)");
  app.add_option("--port", options.port, "on 127.0.0.1 (any)");
  app.add_option(
      "--log", log,
      "file for the visits of all RPCs of loads, written at the end: records of 24 bytes (int64 arrival in ns "
      "since the epoch; uint32 wait, service, lateness of the reply in ns; uint32 procedure)");
  CLI11_PARSE(app, argc, argv);
  options.mean = parse_duration(mean, "--mean");
  options.keeps_visits = !log.empty();

  sigset_t ends;
  ::sigemptyset(&ends);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ends, number);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  QueueingStation station(options);
  fmt::print("nfs://127.0.0.1:{0}{1}?mountport={0}\n", station.port(), QueueingStation::export_path);
  std::fflush(stdout);
  wait_for_signal(ends);
  station.stop();
  if (!log.empty()) write_log(log, station.visits());
  return 0;
}

}  // namespace
}  // namespace edagen::bench

int main(int argc, char** argv) {
  try {
    return edagen::bench::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "station: {}\n", error.what());
    return 2;
  }
}
