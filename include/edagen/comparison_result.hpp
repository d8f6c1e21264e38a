// What a comparison of variants found: plain values; as JSON workloads/schema/compare.schema.json.
#pragma once

#include <algorithm>
#include <iterator>
#include <set>

#include "edagen/result.hpp"

namespace edagen {

enum class Verdict {
  faster,
  slower,
  no_difference,
  invalid_runs  ///< of either side, in too many pairs: a lower bound, or the limit of this host, says nothing of the
                ///< storage
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<Verdict>{"faster", "slower", "no difference shown",
                                                                     "none: invalid runs"};

/// What a comparison takes from one run. What it does not have is 0, and null in documents.
struct RunFigures {
  double ops_per_sec = 0, mib_per_sec = 0;  ///< at the latency target, or achieved
  Millis response{0};                       ///< mean
  double rpcs_per_op = 0;                   ///< of NFS mounts; 0: none
  std::vector<Invalid> invalid = {};        ///< why it says little; empty: it is valid
  std::uint64_t repeat = 1;                 ///< of its variant

  bool valid() const { return invalid.empty(); }
  /// Not when no load meets the target, nor when too few ops ended.
  bool has_rate() const { return ops_per_sec > 0; }
  bool has_response() const { return response > Millis(0); }
  /// Of the rate at the latency target, which was not reached.
  bool is_lower_bound() const { return std::ranges::find(invalid, Invalid::target_not_reached) != invalid.end(); }
};

/// A load point of a variant's last run.
struct VariantPoint {
  Purpose purpose = Purpose::load_point;
  double achieved_ops_per_sec = 0;  ///< 0, and null in documents: too few ops ended; the statistic, too
  StatisticFigures statistic;
  std::vector<Invalid> invalid;  ///< why; empty: valid

  bool valid() const { return invalid.empty(); }
};

/// What a variant's last run was measured with, and what it saw beside the figures that are compared.
struct VariantRun {
  WorkloadFigures workload;
  TargetFigures target;
  std::uint64_t clients = 1, procs = 1;
  double job_sets = 1;
  DatasetFigures dataset;
  IoFigures io;
  std::vector<AnswerFigures> at_latency_target;
  std::vector<VariantPoint> load_points;
  std::map<OpKind, Millis> op_response;  ///< means, of the load point that RunFigures are of
};

/// Of one kind of look (StaleLooks).
struct StaleFigures {
  std::uint64_t looks = 0, stale = 0;
  double stale_share = 0;
  std::uint64_t periods = 0;                       ///< times in which something was stale
  std::uint64_t unended = 0;                       ///< of these, that still went on when the watching ended
  std::optional<Millis> stale_for_p50{Millis(0)};  ///< median of the periods; nullopt: above stale_for_max
  Millis stale_for_max{0};                         ///< the longest that was seen; a lower bound when some are unended
};
struct StalenessFigures {
  StaleFigures attributes, data, lookups;
};

/// Difference of a variant from the first that was measured, the baseline, over the repeats that both have.
struct AgainstFirst {
  double ratio = 1;
  /// Of the ratio; no ends: too few runs to tell. Together the intervals of all variants hold all true ratios with
  /// 95 % confidence (Bonferroni): with k of them, each is one of 1 - 5 % / k.
  std::array<std::optional<double>, 2> confidence_95{};
  std::optional<double> p_holm;  ///< adjusted for the number of variants; nullopt: too few runs to tell
  /// Repeats that both have, and those of them that all this rests on: of both runs nothing is doubtful but how exact
  /// they are, which their scatter shows. When these are too few, all repeats give the ratio, and there is no verdict.
  std::size_t pairs = 0, usable_pairs = 0;
  Verdict verdict = Verdict::no_difference;  ///< a difference is shown when p_holm is at most 5 %
};

struct VariantFigures {
  std::string name, what;  ///< a directory, sim:MODEL or mount options
  std::vector<RunFigures> runs;
  double mean_ops_per_sec = 0, mean_mib_per_sec = 0;  ///< 0, and null in documents, where a run has no rate
  Millis mean_response{0};                            ///< the same of the response
  double mean_rpcs_per_op = 0;
  std::optional<StalenessFigures> staleness;
  std::optional<AgainstFirst> against_first;
  std::optional<std::string> refused;  ///< why the server or the kernel does not take it; runs before that are there
  std::optional<VariantRun> last_run = {};  ///< nullopt: there is none, or an older version wrote it

  /// There are runs, and each has one: what can be averaged and compared.
  bool has_rates() const { return !runs.empty() && std::ranges::all_of(runs, &RunFigures::has_rate); }
  bool has_responses() const { return !runs.empty() && std::ranges::all_of(runs, &RunFigures::has_response); }
  /// How many repeats both have: those that are compared.
  std::size_t repeats_as(const VariantFigures& baseline) const {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const RunFigures& run) {
      return std::ranges::find(baseline.runs, run.repeat, &RunFigures::repeat) != baseline.runs.end();
    }));
  }
  /// Of a run the latency target was not reached: the mean of the rates is one, too, and no rate at the target.
  bool is_lower_bound() const {
    return std::ranges::any_of(runs, [](const RunFigures& run) { return run.is_lower_bound(); });
  }
};

/// Repeats of a variant, the first to the last, that were planned and are not there.
struct MissingRuns {
  std::string variant;
  std::uint64_t first = 1, last = 1;
};

struct ComparisonResult {
  std::string edagen_version;
  std::vector<std::string> command;           ///< as typed
  std::map<std::string, std::string> labels;  ///< as Result::labels
  Host host;
  std::string started_at;  ///< RFC 3339
  std::optional<std::string> finished_at;
  Status status = Status::running;
  std::optional<std::string> failure;  ///< as Result::failure
  std::optional<std::string>
      at_latency_target;                 ///< as people say it ("2ms"); nullopt: latencies at a rate are compared
  std::optional<std::uint64_t> repeats;  ///< planned, of each variant; nullopt: an older version wrote it
  std::vector<VariantFigures> variants;
  std::vector<std::string> notes;  ///< as Result::notes, and that the volumes had different files

  /// What the others are compared with; nullptr when nothing was measured.
  const VariantFigures* baseline() const {
    const auto first = std::ranges::find_if(variants, [](const VariantFigures& each) { return !each.runs.empty(); });
    return first == variants.end() ? nullptr : &*first;
  }
  /// Of a comparison that goes on no more; of a variant that was refused none.
  std::vector<MissingRuns> missing_runs() const {
    std::vector<MissingRuns> missing;
    if (status == Status::running || !repeats) return missing;
    for (const VariantFigures& variant : variants) {
      if (variant.refused) continue;
      std::set<std::uint64_t> there = {0};
      for (const RunFigures& run : variant.runs)
        if (run.repeat <= *repeats) there.insert(run.repeat);
      for (auto at = there.begin(); at != there.end(); ++at) {
        const auto next = std::next(at);
        const std::uint64_t last = next == there.end() ? *repeats : *next - 1;
        if (last > *at) missing.push_back({variant.name, *at + 1, last});
      }
    }
    return missing;
  }
  /// No variant was refused, and all runs are valid.
  bool valid() const {
    return std::ranges::all_of(variants, [](const VariantFigures& variant) {
      return !variant.refused && std::ranges::all_of(variant.runs, [](const RunFigures& run) { return run.valid(); });
    });
  }
};

}  // namespace edagen
