#include "dataset/dataset_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr double allocated = 4 * KiB;  ///< unit of allocation of file systems
constexpr std::uint64_t fewest_data_files = 4;
constexpr std::uint64_t fewest_empty_files = 16;
constexpr double most_procs = 1e6;  ///< 1 to 2 KiB each
constexpr double most_in_flight = 1e7;
constexpr double most_files = 1e10;
constexpr double most_dataset_bytes = 0x1p60;

std::uint64_t scaled_count(std::uint64_t count, double factor, std::uint64_t fewest) {
  const auto scaled = static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * factor));
  return std::max(scaled, std::min(count, fewest));
}

/// Scales down by fewer files first, then by smaller files when only `fewest_data_files` are left and the size is not
/// fixed.
DatasetSpec scaled_spec(DatasetSpec spec, double factor, bool keeps_size) {
  if (factor == 1) return spec;
  const double bytes = spec.bytes() * factor;
  spec.data_files = scaled_count(spec.data_files, factor, fewest_data_files);
  spec.empty_files = scaled_count(spec.empty_files, factor, fewest_empty_files);
  spec.directories = scaled_count(spec.directories, factor, 4);
  if (!keeps_size && spec.bytes() > 1.5 * bytes && spec.data_files > 0) {
    const auto size = static_cast<Bytes>(bytes / static_cast<double>(spec.data_files));
    spec.file_size = SizeDistribution::fixed(std::max<Bytes>(size / (64 * KiB), 1) * 64 * KiB);
  }
  return spec;
}

/// Refuses datasets that are too large, before memory is allocated or numbers overflow.
void check_size(const WorkloadSpec& workload, const std::vector<double>& procs, const std::vector<DatasetSpec>& kinds) {
  double files = 0, directories = 0, bytes = 0, depth = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    files += procs[i] * static_cast<double>(kinds[i].data_files + kinds[i].empty_files);
    directories += procs[i] * static_cast<double>(kinds[i].directories);
    bytes += procs[i] * kinds[i].bytes();
    depth += procs[i] * workload.proc_kinds[i].io.depth;
  }
  const auto check = [](double value, double most, const char* option, const char* what, const char* hint) {
    if (!(value <= most))
      throw usage_error(option, fmt::format("{} {}, at most {}", format_count(value), what, format_count(most)), hint);
  };
  const char* const smaller = "a smaller --dataset-scale, fewer --clients or --procs";
  check(files, most_files, "dataset scale", "files", smaller);
  check(directories, most_files, "dataset scale", "directories", smaller);
  check(bytes / GiB, most_dataset_bytes / GiB, "dataset scale", "GiB of files", smaller);
  check(depth, most_in_flight, "I/O depth", "ops in flight", "a lower --io-depth, fewer --clients or --procs");
}

/// Refuses files that are smaller than all reads or writes: all of them would be cut, and differ from the workload's.
void check_file_size(const ProcSpec& kind, Bytes file_size) {
  using enum OpKind;
  const auto check = [&](std::initializer_list<OpKind> ops, Bytes smallest, const char* name) {
    const bool some = std::ranges::any_of(ops, [&](OpKind op) { return kind.weight(op) > 0; });
    if (some && file_size < smallest)
      throw usage_error("file size",
                        fmt::format("{} is less than the smallest {} of {}, {}", format_bytes(file_size), name,
                                    kind.name, format_bytes(smallest)),
                        "a larger --file-size");
  };
  check({read_seq, read_rand, mmap_read}, kind.read_size.min(), "read");
  check({write_seq, write_rand, mmap_write, rmw}, kind.write_size.min(), "write");
}

/// Shares `budget` so that small demands are met in full and the rest is split evenly.
std::vector<double> fair_shares(const std::vector<double>& demands, double budget) {
  std::vector<std::size_t> order(demands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return demands[a] < demands[b]; });
  std::vector<double> shares(demands.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    shares[order[i]] = std::min(demands[order[i]], budget / static_cast<double>(order.size() - i));
    budget -= shares[order[i]];
  }
  return shares;
}

DatasetTotals totals_of(const PlannedProc& proc) {
  const DatasetSpec& dataset = proc.files.dataset();
  DatasetTotals totals;
  totals.bytes = dataset.bytes();
  totals.files = dataset.data_files + dataset.empty_files + proc.files.count(NameClass::symlink) +
                 proc.files.count(NameClass::hard_link);
  totals.directories = dataset.directories + proc.files.count(NameClass::made_dir) + 1;
  const double slack = dataset.file_size.is_fixed() && dataset.file_size.min() % 4096 == 0 ? 0 : allocated / 2;
  totals.space = totals.bytes + static_cast<double>(dataset.data_files) * slack +
                 static_cast<double>(totals.directories) * allocated;
  return totals;
}

/// A text that is equal for procs with equal files, whatever their ops: presets of one file size share their files.
std::string shape_of(const ProcSpec& kind, const DatasetSpec& dataset) {
  const FilePopulation files(kind, dataset, 0);
  return fmt::format("{}x{}/{}/{}/{}/{}-{}~{}/{}/{}/{}/{}:{}", kind.procs_per_job_set, dataset.data_files,
                     dataset.empty_files, dataset.directories, dataset.depth, dataset.file_size.min(),
                     dataset.file_size.max(), dataset.file_size.mean(), files.count(NameClass::symlink),
                     files.count(NameClass::hard_link), files.count(NameClass::made_dir), kind.duplicate_percent,
                     kind.compressible_percent);
}

}  // namespace

DatasetTotals& DatasetTotals::operator+=(const DatasetTotals& other) {
  bytes += other.bytes;
  space += other.space;
  files += other.files;
  directories += other.directories;
  return *this;
}

DatasetTotals DatasetPlan::totals() const {
  DatasetTotals all;
  for (const PlannedProc& proc : procs) all += totals_of(proc);
  return all;
}

bool DatasetPlan::scaled_down() const {
  return std::ranges::any_of(factors, [](double factor) { return factor < 1; });
}

DatasetTotals DatasetPlan::totals_on(std::size_t mount) const {
  DatasetTotals all;
  for (const PlannedProc& proc : procs)
    if (proc.mount == mount) all += totals_of(proc);
  return all;
}

DatasetPlan plan_dataset(const WorkloadSpec& workload, std::uint64_t clients, std::uint64_t procs_per_client,
                         std::size_t mounts, std::uint64_t seed, const DatasetScale& scale) {
  const double all_procs = static_cast<double>(clients) * static_cast<double>(procs_per_client);
  if (all_procs > most_procs)
    throw usage_error(
        "clients",
        fmt::format("{} clients x {} procs are {} procs, at most {}", format_count(static_cast<double>(clients)),
                    format_count(static_cast<double>(procs_per_client)), format_count(all_procs),
                    format_count(most_procs)),
        "fewer --clients, --job-sets or --procs");
  DatasetPlan plan;
  std::vector<double> procs(workload.proc_kinds.size(), 0), demands;
  for (std::uint64_t proc = 0; proc < procs_per_client; ++proc)
    procs[proc_kind_of(workload, proc)] += static_cast<double>(clients);
  for (std::size_t i = 0; i < procs.size(); ++i) {
    plan.kinds.push_back(workload.proc_kinds[i].dataset);
    if (scale.file_size) {
      check_file_size(workload.proc_kinds[i], *scale.file_size);
      plan.kinds.back().file_size = SizeDistribution::fixed(*scale.file_size);
    }
    demands.push_back(plan.kinds[i].bytes() * procs[i]);
  }
  if (!scale.factor) plan.budget_bytes = scale.budget_bytes;
  const std::vector<double> shares = fair_shares(demands, scale.budget_bytes);
  std::string shape = fmt::format("{} {} {} {}", clients, procs_per_client, mounts, seed);
  for (std::size_t i = 0; i < plan.kinds.size(); ++i) {
    const double factor = scale.factor ? *scale.factor : demands[i] > 0 ? shares[i] / demands[i] : 1;
    plan.factors.push_back(factor);
    if (!(plan.kinds[i].bytes() * factor <= most_dataset_bytes))
      throw usage_error("dataset scale", "a proc's files would be above 1 EiB");
    plan.kinds[i] = scaled_spec(plan.kinds[i], factor, scale.file_size.has_value());
    shape += " " + shape_of(workload.proc_kinds[i], plan.kinds[i]);
  }
  check_size(workload, procs, plan.kinds);
  plan.fingerprint = shape;
  plan.procs.reserve(clients * procs_per_client);
  for (std::uint64_t client = 0; client < clients; ++client)
    for (std::uint64_t proc = 0; proc < procs_per_client; ++proc) {
      const std::size_t kind = proc_kind_of(workload, proc);
      const std::uint64_t its_seed = proc_seed(seed, client * procs_per_client + proc);
      plan.procs.push_back({client, proc, static_cast<std::size_t>(client % mounts), kind, its_seed,
                            FilePopulation(workload.proc_kinds[kind], plan.kinds[kind], its_seed)});
    }
  return plan;
}

}  // namespace edagen
