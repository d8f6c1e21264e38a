// The options that say what to run, as typed, and the plan they make; shared by the commands that run something.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/live_options.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// How much is said, and where.
struct TalkOptions {
  std::string of_host;  ///< said before each message; empty: of the host that leads, or of one alone
  std::string progress = "auto", color = "auto";
  bool quiet = false, verbose = false;

  void add_to(CLI::App& app);
  /// Sets up the log; after parsing. `dated`: each line begins with the time.
  void apply(bool dated = false) const;
  /// A live line that is drawn over: on a terminal, unless told otherwise.
  bool live_line() const;
};

/// What --stuck-after says. Throws Error (usage).
Nanos stuck_after_time(const std::string& text);

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
  std::string spin = "on";
  std::string stuck_after = "30s";
  std::optional<std::uint64_t> max_errors;
  bool keep_dataset = false, reuse_dataset = false, dry_run = false;
  std::string json, csv, html, journal;
  std::vector<std::string> labels;
  std::string label_file;
  LiveOptions live;
  TalkOptions talk;

  void add_to(CLI::App& app);
  /// What the options say, but for the measurement. Throws Error (usage).
  RunPlan plan(std::vector<std::string> command) const;
  /// Files and directories that are given relative are below `directory`.
  void put_below(const std::string& directory);
  /// Of a plan of these options. Without --rate: the workload's own.
  LoadPoint load_point(const RunPlan& plan) const;
  /// Without --arrivals: uniform, but Poisson on a textbook station.
  Arrivals arrivals_on(const RunPlan& plan) const;
  /// Throws Error (usage) on an option that has no effect on a simulated volume.
  void check_simulated() const;
  /// --json, --csv and --html, and --journal.
  std::vector<Output<Result>> outputs() const;
  std::vector<Output<ComparisonResult>> comparison_outputs() const;
  std::optional<Place> journal_place() const;
  /// What is written while a load is made goes to the terminal, where a live line or screen would be in its way.
  bool streams_to_terminal() const;
  /// Something else than the result for people goes to stdout.
  bool stdout_taken() const { return json == "-" || csv == "-" || html == "-" || journal == "-" || live.to_stdout(); }

 private:
  WorkloadSpec load_workload() const;
};

}  // namespace edagen
