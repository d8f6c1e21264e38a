#include "dataset/dataset_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

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
/// given. The mean size of the files does not grow.
DatasetSpec scaled_spec(DatasetSpec spec, double factor, bool keeps_size) {
  if (factor == 1) return spec;
  const double bytes = spec.bytes() * factor;
  spec.data_files = scaled_count(spec.data_files, factor, fewest_data_files);
  spec.empty_files = scaled_count(spec.empty_files, factor, fewest_empty_files);
  spec.directories = scaled_count(spec.directories, factor, 4);
  if (!keeps_size && spec.bytes() > 1.5 * bytes && spec.data_files > 0) {
    const auto size = static_cast<Bytes>(bytes / static_cast<double>(spec.data_files));
    const Bytes smaller = std::max<Bytes>(size / (64 * KiB), 1) * 64 * KiB;
    if (static_cast<double>(smaller) < spec.file_size.mean()) spec.file_size = SizeDistribution::fixed(smaller);
  }
  return spec;
}

/// Refuses datasets that are too large, before memory is allocated or numbers overflow.
void check_size(const WorkloadSpec& workload, const std::vector<double>& procs, const std::vector<double>& sets,
                const std::vector<DatasetSpec>& kinds) {
  double files = 0, directories = 0, bytes = 0, depth = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    files += sets[i] * static_cast<double>(kinds[i].data_files) + procs[i] * static_cast<double>(kinds[i].empty_files);
    directories += sets[i] * static_cast<double>(kinds[i].directories);
    bytes += sets[i] * kinds[i].bytes();
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
void check_file_size(const ProcSpec& kind, Bytes file_size, const char* hint) {
  using enum OpKind;
  const auto check = [&](std::initializer_list<OpKind> ops, Bytes smallest, const char* name) {
    const bool some = std::ranges::any_of(ops, [&](OpKind op) { return kind.weight(op) > 0; });
    if (some && file_size < smallest)
      throw usage_error("file size",
                        fmt::format("{} is less than the smallest {} of {}, {}", format_bytes(file_size), name,
                                    kind.name, format_bytes(smallest)),
                        hint);
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

/// Shared files count for the first proc that shares them, with its directory.
DatasetTotals totals_of(const PlannedProc& proc, bool has_directory) {
  const DatasetSpec& dataset = proc.files.dataset();
  DatasetTotals totals;
  totals.files = dataset.empty_files + proc.files.count(NameClass::symlink) + proc.files.count(NameClass::hard_link);
  totals.directories = proc.files.count(NameClass::made_dir);
  totals.space = static_cast<double>(totals.directories) * allocated;
  if (!has_directory) return totals;
  totals.bytes = dataset.bytes();
  totals.files += dataset.data_files;
  totals.directories += dataset.directories + 1;
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

/// The groups of procs that share files: the sharers are numbered in the order of the procs.
class Sharing {
 public:
  Sharing(const WorkloadSpec& workload, const MountedDirectories& mounts) : workload_(workload), mounts_(mounts) {
    for (std::size_t i = 0; i < workload.proc_kinds.size(); ++i) {
      const std::string& set = workload.proc_kinds[i].shared_files.set;
      first_kind_.push_back(i);
      for (std::size_t before = 0; before < i && !set.empty() && first_kind_[i] == i; ++before)
        if (workload.proc_kinds[before].shared_files.set == set) first_kind_[i] = before;
    }
  }
  /// The first kind whose files these are: the kind itself unless it shares a set with one before it.
  std::size_t first_kind(std::size_t kind) const { return first_kind_[kind]; }
  /// Equal for procs that share their files; nullopt: this proc does not share.
  std::optional<std::pair<std::size_t, std::uint64_t>> set_of(std::size_t kind, std::uint64_t client) const {
    switch (workload_.proc_kinds[kind].shared_files.by) {
      case SharedBy::none: break;
      case SharedBy::client: return std::pair{first_kind_[kind], client};
      case SharedBy::all: return std::pair{first_kind_[kind], std::uint64_t{mounts_[client % mounts_.size()]}};
    }
    return std::nullopt;
  }

 private:
  const WorkloadSpec& workload_;
  const MountedDirectories& mounts_;
  std::vector<std::size_t> first_kind_;
};

/// Sets of files of each kind: as many as procs, unless they share.
std::vector<double> count_sets(const WorkloadSpec& workload, const Sharing& sharing, std::uint64_t clients,
                               std::uint64_t procs_per_client) {
  std::vector<double> sets(workload.proc_kinds.size(), 0);
  std::set<std::pair<std::size_t, std::uint64_t>> shared;
  for (std::uint64_t proc = 0; proc < procs_per_client; ++proc) {
    const std::size_t kind = proc_kind_of(workload, proc);
    if (workload.proc_kinds[kind].shared_files.by == SharedBy::none) sets[kind] += static_cast<double>(clients);
    else
      for (std::uint64_t client = 0; client < clients; ++client)
        if (const auto set = sharing.set_of(kind, client)) shared.insert(*set);
  }
  for (const auto& [kind, group] : shared) sets[kind] += 1;
  return sets;
}

void add_procs(DatasetPlan& plan, const WorkloadSpec& workload, const Sharing& sharing,
               const MountedDirectories& mounts, std::uint64_t clients, std::uint64_t procs_per_client,
               std::uint64_t seed) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::size_t>> sets;
  const std::uint64_t all = clients * procs_per_client;
  const auto set_of = [&](std::uint64_t number) {
    return sharing.set_of(proc_kind_of(workload, number % procs_per_client), number / procs_per_client);
  };
  for (std::uint64_t number = 0; number < all; ++number)
    if (const auto set = set_of(number)) sets[*set].push_back(number);
  for (auto& [set, members] : sets) plan.sharers[members.front()] = members;
  std::map<std::size_t, std::uint64_t> places;  // by first sharer: the next place
  plan.procs.reserve(all);
  for (std::uint64_t number = 0; number < all; ++number) {
    const std::uint64_t client = number / procs_per_client, proc = number % procs_per_client;
    const std::size_t kind = proc_kind_of(workload, proc);
    std::size_t first = number;
    SharerPlace place;
    if (const auto set = set_of(number)) {
      first = sets[*set].front();
      place = {places[first]++, sets[*set].size()};
    }
    plan.procs.push_back({client, proc, static_cast<std::size_t>(client % mounts.size()), kind, proc_seed(seed, number),
                          FilePopulation(workload.proc_kinds[kind], plan.kinds[kind], proc_seed(seed, first), place),
                          first, proc_directory(first / procs_per_client, first % procs_per_client)});
  }
}

}  // namespace

DatasetTotals& DatasetTotals::operator+=(const DatasetTotals& other) {
  bytes += other.bytes;
  space += other.space;
  files += other.files;
  directories += other.directories;
  return *this;
}

FileSet DatasetPlan::files_of(std::size_t index) const {
  std::vector<const FilePopulation*> files;
  const auto shared = sharers.find(index);
  if (shared == sharers.end()) files.push_back(&procs[index].files);
  else
    for (const std::size_t sharer : shared->second) files.push_back(&procs[sharer].files);
  return FileSet(std::move(files));
}

DatasetTotals DatasetPlan::totals() const {
  DatasetTotals all;
  for (std::size_t i = 0; i < procs.size(); ++i) all += totals_of(procs[i], has_directory(i));
  return all;
}

bool DatasetPlan::scaled_down() const {
  return std::ranges::any_of(factors, [](double factor) { return factor < 1; });
}

DatasetTotals DatasetPlan::totals_on(std::size_t mount) const {
  DatasetTotals all;
  for (std::size_t i = 0; i < procs.size(); ++i)
    if (procs[i].mount == mount) all += totals_of(procs[i], has_directory(i));
  return all;
}

DatasetPlan plan_dataset(const WorkloadSpec& workload, std::uint64_t clients, std::uint64_t procs_per_client,
                         const MountedDirectories& mounts, std::uint64_t seed, const DatasetScale& scale) {
  const double all_procs = static_cast<double>(clients) * static_cast<double>(procs_per_client);
  if (all_procs > most_procs)
    throw usage_error(
        "clients",
        fmt::format("{} clients x {} procs are {} procs, at most {}", format_count(static_cast<double>(clients)),
                    format_count(static_cast<double>(procs_per_client)), format_count(all_procs),
                    format_count(most_procs)),
        "fewer --clients, --job-sets or --procs");
  DatasetPlan plan;
  const Sharing sharing(workload, mounts);
  const std::vector<double> sets = count_sets(workload, sharing, clients, procs_per_client);
  std::vector<double> procs(workload.proc_kinds.size(), 0), demands;
  for (std::uint64_t proc = 0; proc < procs_per_client; ++proc)
    procs[proc_kind_of(workload, proc)] += static_cast<double>(clients);
  for (std::size_t i = 0; i < procs.size(); ++i) {
    plan.kinds.push_back(workload.proc_kinds[i].dataset);
    if (scale.file_size) {
      check_file_size(workload.proc_kinds[i], *scale.file_size, "a larger --file-size");
      plan.kinds.back().file_size = SizeDistribution::fixed(*scale.file_size);
    }
    demands.push_back(plan.kinds[i].bytes() * sets[i]);
  }
  if (!scale.factor) plan.budget_bytes = scale.budget_bytes;
  const std::vector<double> shares = fair_shares(demands, scale.budget_bytes);
  std::string shape = fmt::format("{} {} {} {}", clients, procs_per_client, mounts.size(), seed);
  for (std::size_t i = 0; i < plan.kinds.size(); ++i) {
    const double factor = scale.factor ? *scale.factor : demands[i] > 0 ? shares[i] / demands[i] : 1;
    plan.factors.push_back(factor);
    if (!(plan.kinds[i].bytes() * factor <= most_dataset_bytes))
      throw usage_error("dataset scale", "a proc's files would be above 1 EiB");
    plan.kinds[i] = scaled_spec(plan.kinds[i], factor, scale.file_size.has_value());
    plan.kinds[i] = plan.kinds[sharing.first_kind(i)];
    if (const Bytes largest = plan.kinds[i].file_size.max(); largest < workload.proc_kinds[i].dataset.file_size.max())
      check_file_size(workload.proc_kinds[i], largest, "a larger --dataset-scale or --file-size, or fewer --clients");
    plan.factors[i] = plan.factors[sharing.first_kind(i)];
    shape += " " + shape_of(workload.proc_kinds[i], plan.kinds[i]);
    if (const SharedBy by = workload.proc_kinds[i].shared_files.by; by != SharedBy::none)
      shape += fmt::format("={}{}{}", to_string(by), sharing.first_kind(i),
                           by == SharedBy::all ? fmt::format("@{}", fmt::join(mounts, ",")) : "");
  }
  check_size(workload, procs, sets, plan.kinds);
  plan.fingerprint = shape;
  add_procs(plan, workload, sharing, mounts, clients, procs_per_client, seed);
  return plan;
}

}  // namespace edagen
