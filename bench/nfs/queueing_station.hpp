// An NFS server that is a queueing station: an NFSv3 export in memory, of which each RPC of a load takes an exponential
// time of one of c servers, first come first served (M/M/c when the calls arrive at random).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include "edagen/parts/random.hpp"
#include "nfs_client/memory_files.hpp"
#include "rpc/lying_server.hpp"

namespace edagen::bench {

/// The queue in computed time: a reply that leaves late delays no other RPC.
class StationQueue {
 public:
  StationQueue(std::size_t servers, Nanos mean, std::uint64_t seed);

  struct Visit {
    Nanos wait{}, service{};
  };
  /// The visit of a call that arrives after all others so far.
  Visit arrive(TimePoint arrival);

 private:
  std::priority_queue<TimePoint, std::vector<TimePoint>, std::greater<>> free_from_;  ///< of each server
  Nanos mean_;
  Random random_;
};

/// What the station keeps of an RPC. As written to the log: 24 bytes, in the byte order of the machine.
struct StationVisit {
  std::int64_t arrival_ns = 0;  ///< since the epoch
  std::uint32_t wait_ns = 0, service_ns = 0;
  std::uint32_t late_ns = 0;  ///< from the computed departure until the reply was given to the socket
  std::uint32_t procedure = 0;
};
static_assert(sizeof(StationVisit) == 24);

/// Clients of a load are those that edagen numbers (machine name "edagen-17"). All other calls (MOUNT, the dataset, its
/// lock and checks) are answered at once and take no server's time.
class QueueingStation {
 public:
  struct Options {
    std::size_t servers = 1;
    Nanos mean = std::chrono::milliseconds(1);
    std::uint64_t seed = 1;
    std::uint16_t port = 0;  ///< 0: any
    bool keeps_visits = false;
  };
  static constexpr const char* export_path = "/station";

  explicit QueueingStation(const Options& options);

  std::uint16_t port() const { return server_.port(); }
  /// Closes all connections. The visits do not change any more.
  void stop() { server_.stop(); }
  const std::deque<StationVisit>& visits() const { return visits_; }

 private:
  /// A call of a load, which has been carried out.
  struct Arrival {
    TimePoint time;
    unsigned connection = 0;
    std::uint32_t procedure = 0;
    testing::ByteVector reply;
  };

  void serve(testing::LyingServer::Wire& wire, const testing::WireCall& call);
  void queue_arrivals(testing::LyingServer::Wire& wire);
  void queue_arrival(testing::LyingServer::Wire& wire, Arrival arrival);

  StationQueue queue_;
  std::vector<Arrival> arrivals_;  ///< that were read together, in any order
  testing::MemoryFiles files_;
  bool keeps_visits_;
  Nanos epoch_;                      ///< time of the clock's origin since the epoch
  std::deque<StationVisit> visits_;  ///< grows without a pause to copy what is there
  testing::LyingServer server_;
};

}  // namespace edagen::bench
