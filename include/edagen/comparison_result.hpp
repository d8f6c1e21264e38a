// What a comparison of variants found: plain values, with their members in documents (result_json.hpp).
#pragma once

#include <algorithm>
#include <iterator>
#include <set>

#include "edagen/parts/factor_figures.hpp"
#include "edagen/parts/slice_figures.hpp"
#include "edagen/parts/work_figures.hpp"
#include "edagen/result.hpp"

namespace edagen {

enum class Verdict {
  faster,
  slower,
  no_difference,
  invalid_runs  ///< of either side, in too many pairs; or a rate of either is a lower bound
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<Verdict>{"faster", "slower", "no difference shown",
                                                                     "none: invalid runs"};

/// What a comparison takes from one run. What it does not have is 0, and null in documents.
struct RunFigures {
  double ops_per_sec = 0, mib_per_sec = 0;  ///< at the latency target, or achieved
  Millis response{0};                       ///< mean
  double rpcs_per_op = 0;                   ///< of NFS mounts; 0: none
  std::vector<Invalid> invalid = {};        ///< why its figures mean little; empty: it is valid
  std::uint64_t repeat = 1;                 ///< of its variant
  std::optional<WorkFigures> work = {};     ///< of the load point that is compared
  std::optional<HostUse> host_use = {};     ///< in that load point; nullopt: not known, or several hosts made the load
  std::optional<SliceFigures> slice = {};   ///< nullopt: a whole run
  std::vector<BoundCause> bounds = {};      ///< where its rate is a lower bound: why; none is `host`

  bool valid() const { return invalid.empty(); }
  /// Not when no load meets the target, nor when too few ops ended.
  bool has_rate() const { return ops_per_sec > 0; }
  bool has_response() const { return response > Millis(0); }
  /// Whether the rate is a lower bound, because the latency target was not reached.
  bool is_lower_bound() const { return std::ranges::find(invalid, Invalid::target_not_reached) != invalid.end(); }
  /// Whether the response is a lower bound, because ops that had not ended count with their age.
  bool is_response_bound() const { return std::ranges::find(invalid, Invalid::ops_outstanding) != invalid.end(); }
};
void fields(auto&& visit, Is<RunFigures> auto& run) {
  visit("repeat", run.repeat,
        {.least = 1, .about = "from 1; runs are compared with the first variant's of the same repeat"});
  visit("ops_per_sec", run.ops_per_sec,
        {.known = run.has_rate(), .about = "null: no load meets the target, or too few ops ended"});
  visit("mib_per_sec", run.mib_per_sec, {.known = run.has_rate(), .about = "null as ops_per_sec"});
  visit("response_ms", run.response,
        {.known = run.has_response(), .about = "null: none of the ops that were due has ended"});
  visit("rpcs_per_op", run.rpcs_per_op,
        {.known = run.has_rate(), .about = "0 without NFS mounts; null as ops_per_sec"});
  visit.derived("valid", run.valid());
  visit("invalid_reasons", run.invalid);
  visit("work", run.work, later("what an op takes in the load point that is compared; null: it has no figures"));
  visit(
      "host_use", run.host_use,
      later("how busy this host was in that load point; null: not known, several hosts made the load, or the volume is "
            "simulated"));
  visit("bounds", run.bounds,
        later("what kept its answer from the latency target, so that its rate is a lower bound; empty: nothing did, or "
              "this host was the limit"));
  visit("slice", run.slice, later("when it was measured, in a comparison by slices; null: a whole run"));
}

/// Whether at least half of the slices are valid, without which there is no verdict.
inline bool are_enough_valid(const std::vector<RunFigures>& slices) {
  return 2 * std::ranges::count_if(slices, &RunFigures::valid) >= std::ssize(slices);
}

/// A load point of a variant's last run.
struct VariantPoint {
  Purpose purpose = Purpose::load_point;
  double achieved_ops_per_sec = 0;  ///< 0, and null in documents: too few ops ended; the statistic, too
  StatisticFigures statistic;
  std::vector<Invalid> invalid;               ///< why; empty: valid
  Seconds longer_warmup{0}, first_window{0};  ///< as of PointFigures

  bool valid() const { return invalid.empty(); }
};
void fields(auto&& visit, Is<VariantPoint> auto& point) {
  visit("purpose", point.purpose);
  visit("achieved_ops_per_sec", point.achieved_ops_per_sec,
        {.known = point.achieved_ops_per_sec > 0, .about = "null: too few ops ended"});
  visit("statistic_ms", point.statistic, {.known = point.statistic.value > Millis(0)});
  visit.derived("valid", point.valid());
  visit("invalid_reasons", point.invalid, {.enum_values = invalid_of_points});
  visit("longer_warmup_seconds", point.longer_warmup,
        later("by which the warm-up was longer than asked for, as the latency trended"));
  visit("first_window_seconds", point.first_window,
        later("the window in which the latency trended, and which was therefore measured again; 0: there was none"));
}

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
  std::map<OpKind, Millis> op_response;
  std::vector<std::string> notes = {};  ///< as Result::notes
};
void fields(auto&& visit, Is<VariantRun> auto& run) {
  visit("workload", run.workload);
  visit("target", run.target);
  visit("clients", run.clients, {.least = 1});
  visit("procs", run.procs, {.least = 1});
  visit("job_sets", run.job_sets);
  visit("dataset", run.dataset);
  visit("io", run.io);
  visit("at_latency_target", run.at_latency_target);
  visit("load_points", run.load_points);
  visit("op_response_ms", run.op_response, {.about = "means of the load point that is compared, by kind of op"});
  visit("notes", run.notes, later("what may make its figures mean something else, each in a sentence"));
}

/// What the looks of one kind (StaleLooks) found.
struct StaleFigures {
  std::uint64_t looks = 0, stale = 0;
  double stale_share = 0;
  std::uint64_t periods = 0, unended = 0;
  std::optional<Millis> stale_for_p50{Millis(0)};
  Millis stale_for_max{0};
};
void fields(auto&& visit, Is<StaleFigures> auto& seen) {
  visit("looks", seen.looks);
  visit("stale", seen.stale);
  visit("stale_share", seen.stale_share, {.most = 1});
  visit("periods", seen.periods, later("times in which something was stale"));
  visit("unended", seen.unended, later("periods that still went on when the watching ended"));
  visit("stale_for_p50_ms", seen.stale_for_p50, {.about = "median of the periods; null: above stale_for_max_ms"});
  visit("stale_for_max_ms", seen.stale_for_max,
        {.about = "the longest period that was seen; a lower bound when some periods are unended"});
}
struct StalenessFigures {
  StaleFigures attributes, data, lookups;
};
void fields(auto&& visit, Is<StalenessFigures> auto& staleness) {
  visit("attributes", staleness.attributes);
  visit("data", staleness.data);
  visit("lookups", staleness.lookups);
}

/// Difference of a variant from the first that was measured, the baseline, over the repeats that both have.
struct AgainstFirst {
  double ratio = 0;  ///< 0, and null in documents, where no pair can be used, or one of the rates is a lower bound
  /// The interval of the ratio; no ends: too few runs to tell, or invalid ones. Together the intervals of all variants
  /// hold all true ratios with 95 % confidence (Bonferroni): with k of them, each is one of 1 - 5 % / k.
  std::array<std::optional<double>, 2> confidence_95{};
  std::optional<double> p_holm;  ///< adjusted for the number of variants; nullopt: as the interval
  /// Repeats (or blocks of slices) that both have, and those of them that all this rests on: of both runs nothing is
  /// doubtful but how exact they are, which their scatter shows. When these are too few, there is no verdict.
  std::size_t pairs = 0, usable_pairs = 0;
  Verdict verdict = Verdict::no_difference;  ///< a difference is shown when p_holm is at most 5 %
};
void fields(auto&& visit, Is<AgainstFirst> auto& against) {
  visit("ratio", against.ratio,
        {.known = against.ratio > 0,
         .about = "null: no pair of runs (or no block) can be used, or one of the rates is a lower bound"});
  visit("confidence_95", against.confidence_95,
        {.about = "of the ratio, together with those of the other variants (Bonferroni); null ends: too few runs to "
                  "compute it, or invalid ones"});
  visit("p_holm", against.p_holm,
        {.added_later = true,
         .most = 1,
         .about = "a probability from 0 to 1, or null: of such a ratio, or one farther from 1, where there is no "
                  "difference; adjusted for the number of variants (Holm); null as the ends of confidence_95"});
  visit("pairs", against.pairs, later("repeats that both have; in slices, blocks"));
  visit("usable_pairs", against.usable_pairs,
        later("pairs whose runs are valid, or at most imprecise or not demonstrated: they alone give the ratio"));
  visit("verdict", against.verdict);
}

struct VariantFigures {
  std::string name, what;
  std::vector<std::string> factors = {};  ///< those of the comparison that are in force
  std::vector<RunFigures> runs;
  double mean_ops_per_sec = 0, mean_mib_per_sec = 0;  ///< 0, and null in documents, where a run has no rate
  Millis mean_response{0};                            ///< the same of the response
  double mean_rpcs_per_op = 0;
  std::optional<StalenessFigures> staleness;
  std::optional<AgainstFirst> against_first;
  std::optional<std::string> refused;  ///< runs before the refusal are there
  std::optional<VariantRun> last_run = {};
  std::optional<WorkFigures> work = {};
  std::optional<WorkDifference> work_against_first = {};

  /// There are runs, and each has one: what can be averaged and compared. One slice of many is enough, since a slice
  /// without a figure is left out with its block.
  bool has_rates() const { return have(&RunFigures::has_rate); }
  bool has_responses() const { return have(&RunFigures::has_response); }
  bool have(bool (RunFigures::*figure)() const) const {
    if (runs.empty()) return false;
    return is_sliced() ? std::ranges::any_of(runs, figure) : std::ranges::all_of(runs, figure);
  }
  /// Its runs are slices of seconds.
  bool is_sliced() const { return !runs.empty() && runs.front().slice; }
  /// Whether none of its runs is valid, or too few of its slices.
  bool is_invalid() const {
    if (is_sliced()) return !are_enough_valid(runs);
    return !runs.empty() && std::ranges::none_of(runs, &RunFigures::valid);
  }
  /// Whether against_first has a ratio: runs of which no pair can be used show none. (In documents of older versions
  /// they have one, and pairs may have no number.)
  bool has_ratio() const {
    return against_first && against_first->ratio > 0 &&
           (against_first->verdict != Verdict::invalid_runs || against_first->usable_pairs > 0);
  }
  /// How many repeats both have: those that are compared.
  std::size_t repeats_as(const VariantFigures& baseline) const {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [&](const RunFigures& run) {
      return std::ranges::find(baseline.runs, run.repeat, &RunFigures::repeat) != baseline.runs.end();
    }));
  }
  /// Whether a run did not reach the latency target: then the mean of the rates is a lower bound, too.
  bool is_lower_bound() const {
    return std::ranges::any_of(runs, [](const RunFigures& run) { return run.is_lower_bound(); });
  }
  /// The same of the mean response, which is that of valid runs where there are any.
  bool is_response_bound() const {
    return std::ranges::any_of(runs, &RunFigures::is_response_bound) && std::ranges::none_of(runs, &RunFigures::valid);
  }
};
void fields(auto&& visit, Is<VariantFigures> auto& variant) {
  const FieldRule rate = {.known = variant.has_rates(),
                          .about = "null: a run or all slices have none, or there is no run"};
  visit("name", variant.name);
  visit("what", variant.what, {.about = "a directory, sim:MODEL or mount options"});
  visit("factors", variant.factors, later("those of the comparison's factors that are in force"));
  visit("runs", variant.runs);
  visit("mean_ops_per_sec", variant.mean_ops_per_sec, rate);
  visit("mean_mib_per_sec", variant.mean_mib_per_sec, rate);
  visit("mean_response_ms", variant.mean_response,
        {.known = variant.has_responses(), .about = "null: a run or all slices have none, or there is no run"});
  visit("mean_rpcs_per_op", variant.mean_rpcs_per_op,
        {.known = variant.has_rates(), .about = "0 without NFS mounts; null as mean_ops_per_sec"});
  visit("staleness", variant.staleness);
  visit("against_first", variant.against_first,
        {.about =
             "the figure compared, over that of the first variant with runs: geometric mean of the ratios of the "
             "usable pairs (slices: from the signed ranks of the blocks), where the means of a variant are of those of "
             "its runs that can be used, or of all where none can; null: it is the first, or there is nothing to "
             "compare"});
  visit("refused", variant.refused, later("why the server or the kernel does not take a tuning; null: it does"));
  visit("last_run", variant.last_run,
        later("what the variant's last run was measured with, and its curve; null: there was none"));
  visit(
      "work", variant.work,
      later("what an op takes: means of its valid runs and those that are at most imprecise or not demonstrated; where "
            "there is none of them, of those in which no op failed and no rate was missed, whose times may be wrong; "
            "null: there is no such run, either"));
  visit(
      "work_against_first", variant.work_against_first,
      later("where work differs from that of the first variant with runs; null as against_first, or one has no work"));
}

/// Repeats of a variant, the first to the last, that were planned and are not there.
struct MissingRuns {
  std::string variant;
  std::uint64_t first = 1, last = 1;
};
void fields(auto&& visit, Is<MissingRuns> auto& missing) {
  visit("variant", missing.variant);
  visit("first_repeat", missing.first, {.least = 1});
  visit("last_repeat", missing.last, {.least = 1});
}

struct ComparisonResult {
  std::string edagen_version;
  std::vector<std::string> command;  ///< as typed
  std::map<std::string, std::string> labels;
  Host host;
  std::string started_at;  ///< RFC 3339
  std::optional<std::string> finished_at;
  Status status = Status::running;
  std::optional<std::string> failure;
  std::optional<std::string> at_latency_target;  ///< as people say it ("2ms", "10ms p99")
  std::optional<std::uint64_t> repeats;  ///< nullopt: they follow from the data, or an older version wrote the document
  std::optional<AlternationFigures> alternation = {};
  std::vector<std::string> factors = {};  ///< whose combinations are compared
  std::vector<FactorEffects> factor_effects = {};
  std::vector<VariantFigures> variants;
  std::vector<std::string> notes;

  /// What the others are compared with; nullptr when nothing was measured.
  const VariantFigures* baseline() const {
    const auto first = std::ranges::find_if(variants, [](const VariantFigures& each) { return !each.runs.empty(); });
    return first == variants.end() ? nullptr : &*first;
  }
  /// Its runs are slices of seconds.
  bool is_sliced() const { return alternation && alternation->unit == Alternation::slices; }
  /// The missing runs of a comparison that has ended, without those of variants that were refused.
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
  /// No variant was refused, and all runs are valid; of slices, those that a verdict needs.
  bool valid() const {
    return std::ranges::all_of(variants, [this](const VariantFigures& variant) {
      if (is_sliced())
        return !variant.is_invalid() &&
               (!variant.against_first || variant.against_first->verdict != Verdict::invalid_runs);
      return !variant.refused && std::ranges::all_of(variant.runs, [](const RunFigures& run) { return run.valid(); });
    });
  }
};
void fields(auto&& visit, Is<ComparisonResult> auto& comparison) {
  visit("edagen_version", comparison.edagen_version);
  visit("command", comparison.command);
  visit("labels", comparison.labels, later("the user's remarks on the comparison: storage, network, a ticket"));
  visit("host", comparison.host);
  visit("started_at", comparison.started_at, {.is_time = true});
  visit("finished_at", comparison.finished_at, {.is_time = true});
  visit("status", comparison.status, {.enum_values = status_of_documents});
  visit("failure", comparison.failure,
        later("what went wrong, as in a run or with another host, for which the comparison failed"));
  visit("at_latency_target", comparison.at_latency_target,
        {.about = "the target at which rates are compared; null: latencies at a rate are compared"});
  visit("repeats", comparison.repeats,
        {.added_later = true, .least = 1, .about = "planned, of each variant; null: they follow from the data"});
  visit("alternation", comparison.alternation,
        later("whether whole runs or slices alternated, and why; null: an older version, which knows whole runs"));
  visit("factors", comparison.factors, later("whose combinations the variants are; empty: they are no combinations"));
  visit("variants", comparison.variants);
  visit("factor_effects", comparison.factor_effects, later("what each factor does, and each pair of them"));
  visit.derived("missing_runs", comparison.missing_runs(),
                later("repeats that were planned and are not there, as the comparison did not come to its end; "
                      "only the others are compared"));
  visit("notes", comparison.notes,
        later("what was lost that is no figure: lines of the journal; that the volumes had different files"));
}

}  // namespace edagen
