// The files of a run, their mounts and sizes, which depend on the workload, the seed, clients and procs alone.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "dataset/dataset_layout.hpp"
#include "dataset/file_set.hpp"

namespace edagen {

/// The size of the dataset relative to the workload's own size.
struct DatasetScale {
  std::optional<double> factor;    ///< factor of the file counts; nullopt: as `budget_bytes` allows, at most 1
  std::optional<Bytes> file_size;  ///< one size for all data files
  double budget_bytes = 0;         ///< budget of all procs together, when there is no factor
};

struct PlannedProc {
  std::uint64_t client;
  std::uint64_t proc_of_client;
  std::size_t mount;  ///< client mod mounts
  std::size_t kind;   ///< index into WorkloadSpec::proc_kinds
  std::uint64_t seed;
  FilePopulation files;
  std::size_t first_sharer;  ///< index of the proc in whose directory the files are: its own, unless files are shared
  std::string directory;     ///< of its files, below the dataset directory: "c0003/p01"
};

struct DatasetTotals {
  double bytes = 0;  ///< of file contents
  double space = 0;  ///< bytes in whole 4 KiB blocks, directories included
  std::uint64_t files = 0;
  std::uint64_t directories = 0;

  DatasetTotals& operator+=(const DatasetTotals& other);
};

struct DatasetPlan {
  std::string fingerprint;         ///< equal for plans whose files are equal
  std::vector<DatasetSpec> kinds;  ///< scaled, by kind
  std::vector<PlannedProc> procs;  ///< in order of client, proc of client
  /// The procs that share files, in order, by the first of them; procs with files of their own are not in it.
  std::map<std::size_t, std::vector<std::size_t>> sharers;
  std::vector<double> factors;         ///< factors of the numbers of files, by kind
  std::optional<double> budget_bytes;  ///< budget to which they were fitted; nullopt: the scale was given

  /// Whether the directory of proc `index` is made for it: another proc's is that proc's.
  bool has_directory(std::size_t index) const { return procs[index].first_sharer == index; }
  /// The files in the directory of proc `index`, which has one.
  FileSet files_of(std::size_t index) const;
  bool scaled_down() const;
  DatasetTotals totals() const;
  DatasetTotals totals_on(std::size_t mount) const;
};

/// Mounts by the directory that they lead to: for each mount, the first mount that leads to the same directory.
using MountedDirectories = std::vector<std::size_t>;

/// `workload` must outlive the plan. Throws Error (usage) above a million procs, 10^10 files or 1 EiB.
DatasetPlan plan_dataset(const WorkloadSpec& workload, std::uint64_t clients, std::uint64_t procs_per_client,
                         const MountedDirectories& mounts, std::uint64_t seed, const DatasetScale& scale);

}  // namespace edagen
