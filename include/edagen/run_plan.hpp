// What one run is to do: everything that a command line requests, as values. A plan is checked by carrying it out
// (session.hpp); reading it touches nothing.
#pragma once

#include <fcntl.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "edagen/file_population.hpp"
#include "edagen/nfs_url.hpp"
#include "edagen/search.hpp"
#include "edagen/target.hpp"
#include "edagen/tuning.hpp"
#include "edagen/volume_model.hpp"

namespace edagen {

/// A fresh directory in $TMPDIR, removed after the run.
struct FreshDirectory {};
/// Directories on mounted volumes; client i works in directory i mod their number.
struct MountDirectories {
  std::vector<std::string> paths;  ///< as given; not empty
};
/// NFS exports that NFS clients of edagen's own load, without mounts; client i works on export i mod their number.
struct NfsExports {
  std::vector<NfsUrl> urls;  ///< not empty
};
/// An NFS export (SERVER:/PATH) that is mounted with a tuning for the run; needs root.
struct TunedExport {
  std::string exported;
  Tuning tuning;
};
/// The files that a proc of an own target has at the start: names of NameClass, numbered, with sizes.
struct ProcFiles {
  std::uint64_t client = 0, proc_of_client = 0;
  FilePopulation files;
};
/// A storage client of the caller's. It keeps its own files, and gets their names at the start.
struct OwnTarget {
  std::string name;  ///< for the result
  std::function<std::unique_ptr<Target>(const std::vector<ProcFiles>&)> make;
};
/// What is measured; a VolumeModel is simulated in virtual time.
using Volume = std::variant<FreshDirectory, MountDirectories, NfsExports, TunedExport, OwnTarget, VolumeModel>;

/// How several ops of one proc are kept in flight; automatic: io_uring where it is allowed, else threads.
enum class IoEngine { automatic, io_uring, threads };
template <>
inline constexpr std::array<std::string_view, 3> enum_names<IoEngine>{"auto", "io_uring", "threads"};

/// Where something is written.
struct Place {
  std::string name;          ///< as the user knows it, for messages
  std::string path;          ///< - is stdout
  int directory = AT_FDCWD;  ///< else an open one: the file is the last name of `path` in it, wherever the rest leads
};

/// What a result notes of the files that are written while a session goes on and that are not whole.
using WriteFailures = std::function<std::vector<std::string>()>;

/// A file that a result is written to.
template <class What>
struct Output {
  Place place;
  std::function<std::string(const What&)> text;
  bool is_document = false;  ///< it holds all of the result
};

/// A command of the user's before each load point of full length, and before the first load of a search.
struct PointCommand {
  std::string command;    ///< for sh; empty: none
  std::string directory;  ///< in which it runs; empty: this process's
};

struct RunPlan {
  std::vector<std::string> command;           ///< as typed, for the result
  std::map<std::string, std::string> labels;  ///< for the result
  std::vector<std::string> inputs;            ///< files that the plan is read from: no output may be one of them
  WorkloadSpec workload;
  Volume volume;
  std::uint64_t clients = 1;
  std::uint64_t procs_per_client = 5;
  std::uint64_t seed = 1;

  std::optional<double> dataset_scale;  ///< of the numbers of files; nullopt: what fits, at most 1
  /// Bytes that a new dataset without a given scale may have; nullopt: a tenth of what is free.
  std::optional<double> dataset_budget;
  std::optional<Bytes> file_size;  ///< one size for all data files
  bool keep_dataset = false;       ///< leave it behind
  bool reuse_dataset = false;      ///< take one that is there, and leave it

  std::variant<LoadSeries, CurvePlan> measurement;
  PointCommand before_point;

  IoEngine io_engine = IoEngine::automatic;
  std::size_t max_workers = 4096;                ///< threads for ops, that is ops in the kernel at once
  std::size_t plans_at_once = 1;                 ///< that this process has set up: they share its open files
  bool spin = true;                              ///< workers wake before ops are due and spin (EngineOptions::spin)
  Nanos stuck_after = std::chrono::seconds(30);  ///< an op that has not returned by then is reported; at least 100 ms
  /// How often a run looks whether another one has taken the lock of its dataset, which ends it.
  Nanos look_at_lock_every = std::chrono::seconds(30);
  std::optional<std::uint64_t> max_errors;  ///< the run ends above; nullopt: above 1 % of the ops (and 10)

  std::vector<Output<Result>> outputs;
  std::optional<Place> journal;          ///< nullopt: a file that goes when the outputs are written
  std::vector<Place> written_meanwhile;  ///< while the session goes on: checked with the outputs

  std::uint64_t procs() const { return clients * procs_per_client; }
  std::uint64_t job_sets() const { return procs() / static_cast<std::uint64_t>(workload.procs_per_job_set()); }
  /// The rate of all procs together, as the workload has it.
  double own_ops_per_sec() const;
  const VolumeModel* model() const { return std::get_if<VolumeModel>(&volume); }
  const NfsExports* exports() const { return std::get_if<NfsExports>(&volume); }
  /// Whether the volume is the user's, so that a dataset can stay on it.
  bool on_volume_of_user() const { return std::holds_alternative<MountDirectories>(volume) || exports() != nullptr; }
  /// Ends a search with its answer.
  void leave_out_shape() {
    if (auto* const curve = std::get_if<CurvePlan>(&measurement)) curve->shape.reset();
  }
};

/// One of the volumes or tunings that are compared; the plan's outputs and journal are not used.
struct Variant {
  std::string name;
  std::string what;  ///< as typed: a directory, sim:MODEL or mount options
  RunPlan plan;
  std::vector<std::string> factors = {};  ///< those of the comparison that are in force
};

/// Whether the variants of a comparison alternate in slices of seconds.
struct SliceOptions {
  enum class Use : std::uint8_t { off, where_possible, required } use = Use::off;
  std::optional<Nanos> length = {};  ///< of a slice, without the time to settle; nullopt: from the data
};

/// The same load on several volumes, or on one export with several tunings, in interleaved repeats.
struct ComparisonPlan {
  std::vector<std::string> command;
  std::map<std::string, std::string> labels;
  std::vector<Variant> variants;     ///< two or more, with names of their own
  std::vector<std::string> factors;  ///< whose combinations the variants are; empty: they are no combinations
  std::size_t repeats = 3;
  SliceOptions slices = {};
  /// Ends when the half-width of the intervals of all ratios is at most this; nullopt: after all repeats, or the time.
  std::optional<double> until;
  /// No slice or repeat begins that would end after it; nullopt: the time of the repeats, or with `until` an hour.
  std::optional<Nanos> max_time;
  /// As people say it ("2ms", "10ms p99"): the rate at it is compared; nullopt: the latency at a rate.
  std::optional<std::string> at_latency_target;
  /// Each run's result is kept here, and runs that are here are not run again; empty: nowhere.
  std::string results_directory;
  std::optional<Nanos> staleness;  ///< so long for each tuning; only of TunedExport
  Nanos stuck_after = std::chrono::seconds(30);

  std::vector<Output<ComparisonResult>> outputs;
  std::optional<Place> journal;          ///< of all runs
  std::vector<Place> written_meanwhile;  ///< while the session goes on: checked with the outputs
};

/// How often and how long `reader` shows what `writer` has replaced: directories on two mounts of one export.
struct StalenessPlan {
  std::string writer, reader;
  Nanos duration = std::chrono::seconds(5);
};

}  // namespace edagen
