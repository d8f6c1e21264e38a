#include "edagen/volume_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/definition_file.hpp"
#include "base/json_schema.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

using nlohmann::json;

const DefinitionFolder folder{"workloads/volumes/", "volume"};
constexpr double ns_per_us = 1e3;
constexpr std::array<const char*, request_class_count> request_class_names = {"metadata_read", "metadata_modify",
                                                                              "read", "write"};

/// Converts MiB/s to bytes/ns.
double bandwidth(const json& node, const char* key) { return node.value(key, 0.0) * static_cast<double>(MiB) / 1e9; }

ServiceTimes times_of(const json& node) {
  return node.value("service_times", "exponential") == "deterministic" ? ServiceTimes::deterministic
                                                                       : ServiceTimes::exponential;
}

std::array<double, request_class_count> per_class(const json& node) {
  std::array<double, request_class_count> times{};
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = node.value(request_class_names[i], 0.0) * ns_per_us;
  return times;
}

RequestCosts costs_of(const json& parent, const char* key) {
  RequestCosts costs;
  if (!parent.contains(key)) return costs;
  const json& node = parent.at(key);
  costs.per_request = per_class(node);
  costs.per_byte_read = node.value("read_per_kib", 0.0) * ns_per_us / 1024;
  costs.per_byte_written = node.value("write_per_kib", 0.0) * ns_per_us / 1024;
  return costs;
}

/// Refuses models in which an op takes no time: a proc would make infinitely many ops at once.
void check_times(const VolumeModel& model, const std::string& where) {
  constexpr NanosF least{100};
  for (std::size_t i = 0; i < request_class_count; ++i) {
    const NanosF served(model.client.connection.per_request[i] + model.client.processor.per_request[i] +
                        model.frontend.per_request[i] + model.part.per_request[i]);
    if (model.client.round_trip + served + model.delay[i] < least)
      throw usage_error(where, fmt::format("a {} takes less than 0.1 us", request_class_names[i]),
                        "client/round_trip_us, volume/base_us");
  }
  if (model.client.attribute_hit_percent + model.client.data_hit_percent > 0 && model.client.hit < least)
    throw usage_error(where + "#/client/cache/hit_us", "a hit takes less than 0.1 us");
}

ClientModel client_of(const json& node) {
  ClientModel client;
  client.round_trip = NanosF(node.value("round_trip_us", 0.0) * ns_per_us);
  client.egress_bytes_per_ns = bandwidth(node, "egress_mib_per_sec");
  client.ingress_bytes_per_ns = bandwidth(node, "ingress_mib_per_sec");
  client.connections = node.value("connections", 1);
  client.slots_per_connection = node.value("slots_per_connection", 128);
  client.connection = costs_of(node, "connection_us");
  client.processor = costs_of(node, "processor_us");
  if (node.contains("cache")) {
    const json& cache = node.at("cache");
    client.cache_bytes = cache.value("gib", 0.0) * 0x1p30;
    client.attribute_hit_percent = cache.value("attribute_hit_percent", 0.0);
    client.data_hit_percent = cache.value("data_hit_percent", 0.0);
    client.hit = NanosF(cache.value("hit_us", 0.0) * ns_per_us);
  }
  return client;
}

/// The number in "?nconnect=4".
int connections_of(const std::string& query, const std::string& where) {
  const std::string name = query.substr(1, query.find('=') - 1);
  if (name != "nconnect")
    throw usage_error(where, fmt::format("unknown parameter '{}'", name), known_names_hint(name, {"nconnect"}));
  const std::string value = query.substr(std::min(query.size(), name.size() + 2));
  return static_cast<int>(parse_whole(value, where + ": nconnect", 1, 1024));
}

}  // namespace

const Requests& requests_of(OpKind kind) {
  //                                   metadata: read, modify; data: read, write
  static constexpr Requests look{1, 0, 0, 0}, modify{0, 1, 0, 0}, read{0, 0, 1, 0}, write{0, 0, 0, 1},
      rewrite{0, 1, 0, 1}, both{0, 0, 1, 1}, copy{0, 1, 1, 1};
  switch (kind) {
    case OpKind::open:
    case OpKind::close:
    case OpKind::stat:
    case OpKind::access:
    case OpKind::statfs:
    case OpKind::readdir:
    case OpKind::readlink:
    case OpKind::lock: return look;
    case OpKind::create:
    case OpKind::unlink:
    case OpKind::rename:
    case OpKind::mkdir:
    case OpKind::rmdir:
    case OpKind::chmod:
    case OpKind::truncate:
    case OpKind::symlink:
    case OpKind::link: return modify;
    case OpKind::read_file:
    case OpKind::read_seq:
    case OpKind::read_rand:
    case OpKind::mmap_read: return read;
    case OpKind::write_seq:
    case OpKind::write_rand:
    case OpKind::write_append:
    case OpKind::mmap_write:
    case OpKind::fsync: return write;
    case OpKind::write_file: return rewrite;
    case OpKind::rmw: return both;
    case OpKind::copyfile: return copy;
  }
  return look;
}

std::vector<std::string> builtin_volume_names() { return folder.names(); }

VolumeModel load_volume(const std::string& name_and_query) {
  const std::string name_or_path = name_and_query.substr(0, name_and_query.find('?'));
  const std::string query = name_and_query.substr(name_or_path.size());
  const json document = folder.read(name_or_path);
  check_schema(document, "workloads/schema/volume.schema.json", name_or_path);
  VolumeModel model;
  model.name = document.at("name");
  model.description = document.value("description", "");
  model.published = document.value("published", "");
  if (document.contains("station")) {
    for (const char* const other : {"client", "volume"})
      if (document.contains(other))
        throw usage_error(fmt::format("{}#/{}", name_or_path, other), "a station has no other part");
    if (!query.empty()) throw usage_error("sim:" + name_and_query, "a station has no parameter", "sim:" + name_or_path);
    const json& station = document.at("station");
    model.station = StationModel{station.at("servers"), NanosF(station.at("service_us").get<double>() * ns_per_us),
                                 times_of(station)};
    return model;
  }
  model.client = client_of(document.at("client"));
  if (!query.empty()) {
    model.client.connections = connections_of(query, "sim:" + name_and_query);
    model.name += query;
  }
  const json& volume = document.at("volume");
  model.frontend = costs_of(volume, "front_us");
  model.parts = volume.value("parts", std::uint64_t{1});
  model.part = costs_of(volume, "part_us");
  if (volume.contains("flush")) {
    model.flush_every = volume.at("flush").at("every");
    model.flush = NanosF(volume.at("flush").at("us").get<double>() * ns_per_us);
  }
  model.times = times_of(volume);
  if (volume.contains("base_us"))
    std::ranges::transform(per_class(volume.at("base_us")), model.delay.begin(), [](double ns) { return NanosF(ns); });
  model.read_bytes_per_ns = bandwidth(volume, "read_limit_mib_per_sec");
  model.write_bytes_per_ns = bandwidth(volume, "write_limit_mib_per_sec");
  model.total_bytes_per_ns = bandwidth(volume, "total_limit_mib_per_sec");
  check_times(model, name_or_path);
  return model;
}

}  // namespace edagen
