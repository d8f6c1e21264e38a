#include "session/plan_identity.hpp"

#include <fmt/format.h>

#include <bit>

#include "base/version.hpp"
#include "nfs/mount_options.hpp"
#include "session/measured.hpp"
#include "session/plan_text.hpp"

namespace edagen {
namespace {

/// A number that differs for different values. Types without fields() are taken apart by structured bindings, which do
/// not compile when a type gets another member: the member is to be added here, or left out with a reason.
class Digest {
 public:
  template <class... Parts>
  void add(const Parts&... parts) {
    (add_one(parts), ...);
  }
  template <class T>
  void operator()(const char*, const T& member, const FieldRule& = {}) {
    add_one(member);
  }
  std::string text() const { return fmt::format("#{:08x}", static_cast<std::uint32_t>(state_ ^ (state_ >> 32))); }

 private:
  template <class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
  void add_one(Number value) {
    if constexpr (std::is_floating_point_v<Number>)
      state_ = derive_seed(state_, std::bit_cast<std::uint64_t>(double(value)));
    else state_ = derive_seed(state_, static_cast<std::uint64_t>(value));
  }
  void add_one(const std::string& text) {
    add_one(text.size());
    for (const char c : text) add_one(c);
  }
  template <class Rep, class Period>
  void add_one(std::chrono::duration<Rep, Period> time) {
    add_one(time.count());
  }
  template <class T>
  void add_one(const std::optional<T>& value) {
    add_one(value.has_value());
    if (value) add_one(*value);
  }
  template <class T>
  void add_one(const std::vector<T>& values) {
    add_one(values.size());
    for (const T& value : values) add_one(value);
  }
  template <class T, std::size_t n>
  void add_one(const std::array<T, n>& values) {
    for (const T& value : values) add_one(value);
  }
  /// By what it gives: it has no members to look at.
  void add_one(const SizeDistribution& sizes) {
    Random random(1);
    add(sizes.min(), sizes.max(), sizes.mean());
    for (int i = 0; i < 64; ++i) add_one(sizes.sample(random));
  }
  template <class... Kinds>
  void add_one(const std::variant<Kinds...>& value) {
    add_one(value.index());
    std::visit([&](const auto& kind) { add_one(kind); }, value);
  }
  template <HasFields T>
  void add_one(const T& value) {
    fields(*this, value);
  }
  void add_one(const DatasetSpec& dataset) {
    const auto& [data_files, empty_files, directories, depth, file_size] = dataset;
    add(data_files, empty_files, directories, depth, file_size);
  }
  void add_one(const IoSpec& io) {
    const auto& [depth, direct, direct_block, fsync] = io;
    add(depth, direct, direct_block, fsync);
  }
  void add_one(const ProcSpec& kind) {
    const auto& [name, procs, rate, closed_loop, weights, dataset, read_size, write_size, alignment, skewed,
                 ops_per_open, commit, direct, sync, io, across, over, nonempty, shared, duplicate, compressible] =
        kind;
    add(name, procs, rate, closed_loop, weights, dataset, read_size, write_size, alignment, skewed, ops_per_open,
        commit, direct, sync, io, across, over, nonempty, duplicate, compressible);
    if (shared.by != SharedBy::none) add(shared.by, shared.set);  // workloads that share nothing keep their digest
  }
  void add_one(const StationModel& station) {
    const auto& [servers, service, times, end_of_service] = station;  // the last is of no model in a file
    add(servers, service, times);
  }
  void add_one(const RequestCosts& costs) {
    const auto& [per_request, per_byte_read, per_byte_written] = costs;
    add(per_request, per_byte_read, per_byte_written);
  }
  void add_one(const ClientModel& client) {
    const auto& [round_trip, egress, ingress, connections, slots, connection, processor, cache, attribute_hits,
                 data_hits, hit] = client;
    add(round_trip, egress, ingress, connections, slots, connection, processor, cache, attribute_hits, data_hits, hit);
  }
  void add_one(const VolumeModel& model) {
    const auto& [name, description, station, client, frontend, parts, part, flush_every, flush, times, delay, read,
                 write, total, clock, published] = model;  // texts and a clock change nothing
    add(name, station, client, frontend, parts, part, flush_every, flush, times, delay, read, write, total);
  }
  void add_one(const SearchPolicy& policy) {
    fields([&](const char*, const auto& constant, const char*) { add_one(constant); }, policy);
  }
  void add_one(const CurvePlan& curve) {
    const auto& [load, targets, rates, max_rate, own_rate, job_sets, precision, search_time, shape, arrivals, seed,
                 policy] = curve;
    static_cast<void>(seed);   // the plan's, which is a part of its own
    static_cast<void>(shape);  // changes no answer
    add(load, arrivals, targets, rates, max_rate, own_rate, job_sets, precision, search_time, policy);
  }
  void add_one(const LoadSeries& series) {
    const auto& [load, swept, values, repeats] = series;
    add(load, swept, values, repeats);
  }

  std::uint64_t state_ = 0;
};

std::string digest(const auto& value) {
  Digest made;
  made.add(value);
  return made.text();
}

std::string volume_identity(const Volume& volume) {
  if (const auto* const model = std::get_if<VolumeModel>(&volume)) return volume_text(volume) + " " + digest(*model);
  const auto* const tuned = std::get_if<TunedExport>(&volume);
  if (!tuned) return volume_text(volume);
  const auto& [name, options, sysctls, read_ahead] = tuned->tuning;
  std::string text = fmt::format("{} -o {}", tuned->exported, options);
  for (const auto& [sysctl, value] : sysctls) text += fmt::format(" {}={}", sysctl, value);
  return text + (read_ahead ? fmt::format(" read-ahead {} KiB", *read_ahead) : "");
}

}  // namespace

PlanIdentity plan_identity(const RunPlan& plan, const std::vector<MountDirectory>& mounts) {
  const auto& [command, labels, inputs, workload, volume, clients, procs, seed, scale, budget, file_size, keep, reuse,
               measurement, before_point, io_engine, max_workers, plans_at_once, spin, stuck_after, look_at_lock_every,
               max_errors, outputs, journal, written_meanwhile] = plan;
  PlanIdentity identity;
  identity["edagen version"] = std::string(program_version);
  identity["host"] = this_host().name;
  identity["workload"] = workload.name + " " + digest(workload.proc_kinds);
  identity["volume"] = volume_identity(volume);
  const auto* const given = std::get_if<MountDirectories>(&volume);
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const MountDirectory& mount = mounts[i];
    identity["mount " + (given ? given->paths.at(i) : mount.path)] =
        fmt::format("{} {} {}", mount.info.fstype, mount.info.source, comparable_options(mount.info.options));
  }
  identity["procs"] = procs_text(plan);
  identity["seed"] = fmt::format("{}", seed);
  identity["dataset"] = fmt::format("{}{}", scale ? fmt::format("scale {}", *scale) : "what fits",
                                    file_size ? ", files of " + format_bytes(*file_size) : "");
  identity["load"] =
      measurement_text(plan) + " " + std::visit([](const auto& one) { return digest(one); }, measurement);
  if (!before_point.command.empty()) identity["load"] += " before each load point: " + one_line(before_point.command);
  identity["limits"] =
      fmt::format("{} I/O engine, {} workers{}, {} errors", to_string(io_engine), max_workers,
                  spin ? "" : " that do not spin", max_errors ? fmt::format("{}", *max_errors) : "1 %");
  return identity;
}

}  // namespace edagen
