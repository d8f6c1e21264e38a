// The options that describe a load, and the plan they make; shared by the commands that run something.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/live_options.hpp"
#include "cli/logging_options.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

template <>
inline constexpr std::array<std::string_view, 2> enum_names<Arrivals>{"uniform", "poisson"};

inline constexpr Nanos least_stuck_after = std::chrono::milliseconds(100);

struct LoadOptions {
  std::string phase, workload;
  std::vector<std::string> mounts;
  std::vector<NfsUrl> exports;  ///< of --target nfs://
  std::string model;            ///< NAME or FILE.json of a simulated volume; empty: none
  RunPlan base;                 ///< receives the options that are members of a plan
  std::optional<std::uint64_t> job_sets, procs;
  std::optional<unsigned> io_depth;
  std::optional<double> read_percent;
  std::optional<FsyncWhen> fsync;
  std::optional<bool> direct;  ///< false: --buffered
  bool drop_caches = false;
  std::optional<LoadRate> rate;  ///< nullopt: the workload's own
  std::optional<Arrivals> arrivals;
  Nanos warmup = std::chrono::seconds(5), duration = std::chrono::seconds(20);
  bool dry_run = false;
  std::string json, csv, html, journal;
  std::string label_file;
  LiveOptions live;
  LoggingOptions logging;

  void add_to(CLI::App& app);
  /// --mount and --target alone.
  void add_volume_to(CLI::App& app);
  /// The text of --target or of a variant's volume, "sim:NAME" or a directory: returns false when it is neither
  /// posix:, nfs:// nor sim:. Throws Error (usage).
  bool take_target(const std::string& text);
  bool names_volume() const { return !mounts.empty() || !exports.empty() || !model.empty(); }
  bool has_volume_of(const LoadOptions& other) const;
  /// Takes the volume of `other`.
  void set_volume_of(const LoadOptions& other);
  /// What the options say, but for the measurement. Throws Error (usage).
  RunPlan plan(std::vector<std::string> command) const;
  /// Makes the paths of files and directories absolute.
  void resolve_relative_to(const std::string& directory);
  /// The load point of a plan that was made from these options.
  LoadPoint load_point(const RunPlan& plan) const;
  /// Without --arrivals: uniform, but Poisson on a textbook station.
  Arrivals arrivals_on(const RunPlan& plan) const;
  /// Throws Error (usage) on an option that has no effect on a simulated volume.
  void check_simulated() const;
  /// --json, --csv and --html. `What`: Result or ComparisonResult.
  template <class What>
  std::vector<Output<What>> outputs() const;
  std::optional<Place> journal_place() const;
  /// Whether lines that are written while a load is made go to the terminal: a live line or screen would be in their
  /// way.
  bool streams_to_terminal() const;
  /// Whether an output goes to stdout, so that the text for people cannot.
  bool stdout_taken() const { return json == "-" || csv == "-" || html == "-" || journal == "-" || live.to_stdout(); }
  bool has_outputs() const { return !(json + csv + html + journal).empty() || live.given(); }

 private:
  void add_load_to(CLI::App& app);
  void add_files_to(CLI::App& app);
  void add_run_to(CLI::App& app);
  void add_outputs_to(CLI::App& app);
  Volume volume() const;
  WorkloadSpec load_workload() const;
};

}  // namespace edagen
