// A volume as a model: its parts, times and limits, from a file in workloads/volumes/ (docs/simulated-volumes.md).
// Figures of a model are always labelled as simulated.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/op.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// The distribution of service times around their mean.
enum class ServiceTimes { deterministic, exponential };

/// A textbook queueing station, FCFS. In an open loop, ops do not wait for their proc.
struct StationModel {
  int servers = 1;
  NanosF service{0};  ///< mean
  ServiceTimes times = ServiceTimes::exponential;
  /// The end (ns) of a service that begins at `start`, since the first load began, and takes `work` at full speed, for
  /// stations that pause or change their speed. Empty: start + work.
  std::function<double(double start, double work)> end_of_service = {};
};

/// The class of a request to a volume.
enum class RequestClass : std::uint8_t { metadata_read, metadata_modify, read, write };
inline constexpr std::size_t request_class_count = 4;
/// The number of requests of each class that an op makes: rewriting a whole file is a truncation and a write.
using Requests = std::array<std::uint8_t, request_class_count>;
const Requests& requests_of(OpKind kind);

/// Time in ns per request and per byte.
struct RequestCosts {
  std::array<double, request_class_count> per_request{};
  double per_byte_read = 0, per_byte_written = 0;
};

struct ClientModel {
  NanosF round_trip{0};
  double egress_bytes_per_ns = 0, ingress_bytes_per_ns = 0;  ///< network bandwidth; 0: no limit
  int connections = 1;                                       ///< nconnect
  int slots_per_connection = 128;
  RequestCosts connection;  ///< costs of one connection, which serves one request at a time
  RequestCosts processor;   ///< costs of the whole client
  double cache_bytes = 0;
  double attribute_hit_percent = 0, data_hit_percent = 0;  ///< data: in files that fit into the cache
  NanosF hit{0};
};

struct VolumeModel {
  std::string name, description;
  std::optional<StationModel> station;  ///< when set, nothing below counts
  ClientModel client;
  RequestCosts frontend;    ///< an FCFS server for all requests: network and protocol of the volume's node
  std::uint64_t parts = 1;  ///< parts that work in parallel, over which files are spread
  RequestCosts part;
  /// The number of metadata modifications after which a part writes them out, and serves nothing meanwhile; 0: never.
  std::uint64_t flush_every = 0;
  NanosF flush{0};
  ServiceTimes times = ServiceTimes::exponential;   ///< service times of the parts
  std::array<NanosF, request_class_count> delay{};  ///< a delay station (infinite server): adds latency, no queueing
  double read_bytes_per_ns = 0, write_bytes_per_ns = 0, total_bytes_per_ns = 0;  ///< throughput limits; 0: none
  /// Virtual time in ns, which the loads on all volumes with the same clock advance, one after the other: they then
  /// have common disturbances (StationModel::end_of_service). nullptr: a clock of its own.
  std::shared_ptr<double> clock = {};
  std::string published;  ///< source of the reproduced figures; empty without one
};

/// Names of the models in the binary, sorted.
std::vector<std::string> builtin_volume_names();

/// `name_or_path` is as for workloads; "?nconnect=N" after it sets the connections per client. Throws Error (usage).
VolumeModel load_volume(const std::string& name_or_path);

}  // namespace edagen
