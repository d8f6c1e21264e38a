// The options that make a load, as typed; shared by the commands that make one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "edagen/dataset/dataset_plan.hpp"
#include "edagen/engine/engine.hpp"

namespace edagen {

/// How much is said, and where.
struct TalkOptions {
  std::string progress = "auto", color = "auto";
  bool quiet = false, verbose = false;

  void add_to(CLI::App& app);
  /// Sets up the log; after parsing.
  void apply() const;
  /// A live line that is drawn over: on a terminal, unless told otherwise.
  bool live_line() const;
};

struct LoadOptions {
  std::string phase, workload;
  std::vector<std::string> mounts, targets;
  std::uint64_t clients = 1, job_sets = 0, procs = 0, seed = 1;
  std::string dataset_scale = "auto", file_size;
  std::optional<unsigned> io_depth;
  std::optional<double> read_percent;
  std::string io_engine = "auto", fsync;
  std::optional<bool> direct;  ///< false: --buffered
  bool drop_caches = false;
  std::string rate, arrivals, warmup = "5s", duration = "20s";
  std::size_t max_workers = 4096;
  std::string stuck_after = "30s";
  std::optional<std::uint64_t> max_errors;
  bool keep_dataset = false, reuse_dataset = false, dry_run = false;
  std::string json, csv, html, journal;
  TalkOptions talk;

  void add_to(CLI::App& app);
  /// Sorts --target into mounts and a modelled volume; throws Error (usage).
  void resolve_targets();
  std::string sim;  ///< name or path of a volume model; empty: a real file system
  /// As the options say. Throws Error (usage) unless exactly one of --phase and --workload is there, and when the
  /// workload cannot do what is asked for.
  WorkloadSpec load_workload() const;
  /// Without --rate: `own_ops_per_sec`. Without --arrivals: uniform, but Poisson on a textbook station.
  LoadPoint load_point(const WorkloadSpec& workload, double own_ops_per_sec, bool station) const;
  EngineOptions engine_options() const;
  std::uint64_t procs_per_client(const WorkloadSpec& workload) const;
  /// The budget is left to the caller.
  DatasetScale dataset_scale_options() const;
};

}  // namespace edagen
