// A file of JSON lines that grows while a run goes on, so that a run that is killed loses nothing measured.
//   {"type":"header", ...the document without load points}
//   {"type":"point_begins", "point":0, "requested_ops_per_sec":...}
//   {"type":"interval", "point":0, "phase":"warmup"|"measure", ..., "ops":{"stat":{...}, ...}}
//   {"type":"point", "point":0, ...a load point}
//   {"type":"end", "status":..., "load_points":1}, with how many there are
// Of a comparison:
//   {"type":"comparison", ...the document without runs}
//   {"type":"run", "variant":0, "repeat":0}, and then the run's own lines, for each run
//   {"type":"slice", "variant":0, ...a run of the variant}, for each slice, in place of runs
//   {"type":"last_run", "variant":0, ...what all slices of the variant show together}
//   {"type":"staleness", "variant":0, ...}
//   {"type":"refused", "variant":0, "why":...}
//   {"type":"comparison_end", "status":..., "finished_at":...}
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "result/line_file.hpp"
#include "result/result_json.hpp"

namespace edagen {

enum class Phase { warmup, measure };
template <>
inline constexpr std::array<std::string_view, 2> enum_names<Phase>{"warmup", "measure"};

/// What the end of a run adds to its header.
inline constexpr std::array<const char*, 7> members_of_end{"status", "failure", "finished_at", "at_latency_target",
                                                           "series", "ort_ms",  "notes"};

/// Not thread-safe.
class Journal {
 public:
  /// `path` - is stdout. `directory`: as of destination_of(). Throws Error (usage) when the file cannot be made.
  explicit Journal(std::string path, int directory = AT_FDCWD);
  /// A file of a fresh name below $XDG_STATE_HOME/edagen (~/.local/state/edagen), which is made if needed; else in
  /// $TMPDIR. Throws Error (usage).
  static Journal in_default_place();
  /// Those that hold something below $XDG_STATE_HOME/edagen and that no run writes to: of runs that were killed, or
  /// that could not write their outputs. The oldest first.
  static std::vector<std::string> left_behind();

  /// Writes one line at once, as LineFile does; a failure does not end the run.
  void header(const Result& result);
  /// `requested_ops_per_sec`: nullopt in a closed loop.
  void point_begins(std::size_t point, std::optional<double> requested_ops_per_sec);
  void interval(std::size_t point, Phase phase, const IntervalFigures& interval,
                const std::map<OpKind, IntervalOpFigures>& ops = {}, const std::vector<IntervalOpFigures>& mounts = {});
  void point(std::size_t number, const PointFigures& point);
  void end(const Result& result);
  /// Writes all lines of a run that was carried out before, except its intervals.
  void whole(const Result& result);
  void comparison(const ComparisonResult& comparison);
  void run(std::size_t variant, std::size_t repeat);
  void slice(std::size_t variant, const RunFigures& figures);
  void last_run(std::size_t variant, const VariantRun& run);
  void staleness(std::size_t variant, const StalenessFigures& staleness);
  void refused(std::size_t variant, const std::string& why);
  void comparison_end(const ComparisonResult& comparison);
  const std::string& path() const { return lines_.path(); }
  std::string lost() const { return lines_.lost(); }  ///< as of LineFile, as the next
  bool has_figures() const { return has_figures_; }   ///< what was measured, not only what was planned
  std::string lack() const { return lines_.lack(); }
  std::string lack_in_storage() const { return lines_.lack_in_storage(); }
  void remove() { lines_.remove(); }

 private:
  Journal(std::string path, int directory, int flags);
  static Journal fresh_in(const std::filesystem::path& folder);
  void append(const char* type, const Document& head, const Document& body);
  LineFile lines_;
  bool has_figures_ = false;
};

}  // namespace edagen
