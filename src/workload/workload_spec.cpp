#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "edagen/error.hpp"
#include "edagen/workload.hpp"

namespace edagen {

double ProcSpec::share(OpKind kind) const {
  return weight(kind) / std::accumulate(weights.begin(), weights.end(), 0.0);
}

bool ProcSpec::removes_data_files() const {
  using enum OpKind;
  return weight(write_file) > 0 && weight(unlink) * unlink_nonempty_percent + weight(rename) * rename_over_percent > 0;
}

bool ProcSpec::queueable() const {
  using enum OpKind;
  for (const OpKind kind : all_op_kinds()) {
    switch (kind) {
      case open:
      case close:
      case read_seq:
      case read_rand:
      case write_seq:
      case write_rand:
      case fsync: break;
      default:
        if (weight(kind) > 0) return false;
    }
  }
  return true;
}

void ProcSpec::set_read_percent(double percent) {
  using enum OpKind;
  constexpr std::array reads{read_file, read_seq, read_rand, mmap_read};
  constexpr std::array writes{write_file, write_seq, write_rand, write_append, mmap_write};
  const auto sum = [&](const auto& kinds) {
    return std::accumulate(kinds.begin(), kinds.end(), 0.0,
                           [&](double total, OpKind kind) { return total + weight(kind); });
  };
  const double read = sum(reads), written = sum(writes);
  if ((percent > 0 && read == 0) || (percent < 100 && written == 0))
    throw usage_error("read percent", fmt::format("'{}' has no {}", name, read == 0 ? "reads" : "writes"),
                      "take one with both, such as fio/8k-randrw");
  const auto scale = [&](const auto& kinds, double total, double wanted) {
    for (const OpKind kind : kinds)
      if (total > 0) weights[static_cast<std::size_t>(kind)] *= wanted / total;
  };
  scale(reads, read, (read + written) * percent / 100);
  scale(writes, written, (read + written) * (100 - percent) / 100);
  if (lost_names())
    throw usage_error("read percent", fmt::format("'{}' would remove more names than it makes", name),
                      "take one that removes no names, such as fio/8k-randrw");
}

std::optional<ProcSpec::NameBalance> ProcSpec::lost_names() const {
  using enum OpKind;
  const auto is_lost = [](const NameBalance& names) { return names.removed > names.made * (1 + 1e-9) + 1e-9; };
  // A later write_file makes a removed data file again.
  const double refilled = std::min(weight(unlink) * unlink_nonempty_percent / 100, weight(write_file));
  const NameBalance files{weight(unlink) > 0 ? unlink : rename,
                          weight(unlink) - refilled + weight(rename) * rename_over_percent / 100,
                          weight(create) + weight(symlink) + weight(link)};
  if (is_lost(files)) return files;
  const NameBalance directories{rmdir, weight(rmdir), weight(mkdir)};
  if (is_lost(directories)) return directories;
  return std::nullopt;
}

int WorkloadSpec::procs_per_job_set() const {
  int procs = 0;
  for (const ProcSpec& kind : proc_kinds) procs += kind.procs_per_job_set;
  return procs;
}

double WorkloadSpec::ops_per_sec_per_job_set() const {
  double rate = 0;
  for (const ProcSpec& kind : proc_kinds) rate += kind.ops_per_sec * kind.procs_per_job_set;
  return rate;
}

bool WorkloadSpec::closed_loop() const {
  return std::any_of(proc_kinds.begin(), proc_kinds.end(), [](const ProcSpec& kind) { return kind.closed_loop; });
}

OpWeights WorkloadSpec::op_shares() const {
  OpWeights shares{};
  for (const ProcSpec& kind : proc_kinds)
    for (const OpKind op : all_op_kinds())
      shares[static_cast<std::size_t>(op)] +=
          kind.share(op) * kind.ops_per_sec * kind.procs_per_job_set / ops_per_sec_per_job_set();
  return shares;
}

std::size_t proc_kind_of(const WorkloadSpec& workload, std::uint64_t proc) {
  auto place = static_cast<int>(proc % static_cast<std::uint64_t>(workload.procs_per_job_set()));
  std::size_t kind = 0;
  while (place >= workload.proc_kinds[kind].procs_per_job_set) place -= workload.proc_kinds[kind++].procs_per_job_set;
  return kind;
}

}  // namespace edagen
