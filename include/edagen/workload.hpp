// A workload, after its file was read and checked: kinds of procs, each with its op mix and its dataset. Procs share
// the workload, which does not change while a load runs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "edagen/op.hpp"
#include "edagen/parts/named_enum.hpp"
#include "edagen/parts/size_distribution.hpp"

namespace edagen {

/// The files of one proc.
struct DatasetSpec {
  std::uint64_t data_files = 0;
  std::uint64_t empty_files = 0;
  std::uint64_t directories = 1;  ///< directories with files, which are spread evenly
  int depth = 1;                  ///< levels of directories below the proc's own
  SizeDistribution file_size = SizeDistribution::fixed(16 * KiB);

  double bytes() const { return static_cast<double>(data_files) * file_size.mean(); }
};

/// The procs of a kind that work on the same files: none, those of a client, or those of all clients whose mounts lead
/// to one directory.
enum class SharedBy : std::uint8_t { none, client, all };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<SharedBy>{"none", "client", "all"};

/// Whether procs share their files. Shared data files are as many as DatasetSpec has for one proc, however many procs
/// share them; names that ops make and remove are each proc's own, in the shared directories.
struct SharedFiles {
  SharedBy by = SharedBy::none;
  std::string set = {};  ///< kinds of a blend that name the same set share it, too; empty: this kind alone
};

/// Weights of the op kinds; any scale. Opens and closes count as ops.
using OpWeights = std::array<double, op_kind_count>;

/// The time at which written data is flushed to the storage, in addition to commits of ops.
enum class FsyncWhen : std::uint8_t {
  none,
  close,  ///< before a written file is closed, and at the end of the run
  end     ///< at the end of the run; the time of the flush counts
};
template <>
inline constexpr std::array<std::string_view, 3> enum_names<FsyncWhen>{"none", "close", "end"};

/// The way of data to and from files, like fio's iodepth, direct and (end_)fsync.
struct IoSpec {
  unsigned depth = 1;            ///< ops of one proc that may be in flight at once; above 1 only if queueable()
  bool direct = false;           ///< all reads and writes with O_DIRECT
  Bytes direct_block = 4 * KiB;  ///< unit of O_DIRECT extents
  FsyncWhen fsync = FsyncWhen::none;
};
inline constexpr unsigned deepest_io = 1024;

struct ProcSpec {
  std::string name;  ///< name of its workload, and of its group in the results
  int procs_per_job_set = 5;
  double ops_per_sec = 100;  ///< rate of one proc, unless a rate is given
  bool closed_loop = false;  ///< as fast as it goes, unless a rate is given; ops_per_sec is its weight then
  OpWeights weights{};
  DatasetSpec dataset;
  SizeDistribution read_size = SizeDistribution::fixed(8 * KiB);
  SizeDistribution write_size = SizeDistribution::fixed(8 * KiB);

  Bytes alignment = 4 * KiB;        ///< alignment of the offsets of random I/O
  double skewed_percent = 0;        ///< share of file choices that favour few files ("geometric")
  std::uint64_t ops_per_open = 64;  ///< data ops through one descriptor before the next file is opened

  double commit_percent = 0;  ///< share of writes followed by fsync
  double direct_percent = 0;  ///< share of opens for writing with O_DIRECT
  double sync_percent = 0;    ///< share of opens for writing with O_SYNC

  IoSpec io;

  double rename_across_percent = 0;    ///< share of renames into another directory
  double rename_over_percent = 0;      ///< share of renames that replace an existing file
  double unlink_nonempty_percent = 0;  ///< share of unlinks that remove a file with data

  SharedFiles shared_files;

  double duplicate_percent = 0;     ///< share of written 4 KiB granules
  double compressible_percent = 0;  ///< share of written 8 KiB granules

  double weight(OpKind kind) const { return weights[static_cast<std::size_t>(kind)]; }
  double share(OpKind kind) const;  ///< share of all ops, 0 to 1
  /// Whether data files are removed, or replaced by renames; write_file makes removed ones again.
  bool removes_data_files() const;
  bool uses_sessions() const { return weight(OpKind::open) > 0; }  ///< opens, transfers and closes are separate ops
  /// Whether several ops may be in flight at once: all are reads and writes at a place, fsyncs, opens and closes.
  bool queueable() const;
  /// Sets the percentage of reads in the reads and writes. Kinds of reads and kinds of writes keep their proportions,
  /// all other ops their share. Throws Error (usage) when the mix lacks reads or writes that are needed, or would
  /// remove more names than it makes.
  void set_read_percent(double percent);
  /// Names that a mix removes and makes, in parts of its weights.
  struct NameBalance {
    OpKind remover;
    double removed, made;
  };
  /// Where the mix removes more names than it makes: it would run out of names, and removals would become creates.
  std::optional<NameBalance> lost_names() const;
  /// The largest single transfer in bytes.
  Bytes largest_transfer() const { return std::max(read_size.max(), write_size.max()); }
};

struct WorkloadSpec {
  std::string name;
  std::string phase;  ///< functional, physical, mixed or custom
  std::string description;
  std::map<std::string, std::string> sources;  ///< figure -> source
  std::vector<ProcSpec> proc_kinds;
  std::vector<std::string>
      files;  ///< files it was read from: its own, and those it extends or blends; without built-in ones

  int procs_per_job_set() const;
  /// Share of each op kind over a job set at its own op rates; sums to 1.
  OpWeights op_shares() const;
  double ops_per_sec_per_job_set() const;
  bool closed_loop() const;  ///< whether a kind of procs is a closed loop
};

/// Names of the workloads in the library, sorted.
std::vector<std::string> builtin_workload_names();

/// Loads a built-in workload or a JSON file (docs/workload-format.md): `name_or_path` is a path when it ends in .json
/// or begins with / or . . Throws Error (usage) with file, JSON pointer and reason.
WorkloadSpec load_workload(const std::string& name_or_path);

/// Procs of a job set are numbered in the order of the kinds. Returns the index into proc_kinds.
std::size_t proc_kind_of(const WorkloadSpec& workload, std::uint64_t proc);

}  // namespace edagen
