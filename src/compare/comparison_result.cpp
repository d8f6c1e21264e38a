#include "compare/comparison_result.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compare/comparison.hpp"
#include "compare/factor_effects.hpp"
#include "compare/rates_at_target.hpp"
#include "compare/run_figures.hpp"
#include "compare/settled_slices.hpp"
#include "compare/slice_blocks.hpp"
#include "compare/work.hpp"
#include "result/bound_cause.hpp"
#include "stats/holm.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

std::vector<double> column(const std::vector<RunFigures>& runs, double (*figure)(const RunFigures&)) {
  std::vector<double> values;
  for (const RunFigures& run : runs) values.push_back(figure(run));
  return values;
}

/// Lower bounds of a rate count: the runs that reached the target are the slower ones.
bool is_averaged(const RunFigures& run) {
  return run.slice ? is_usable_slice(run) : is_usable(run) || run.is_lower_bound();
}

/// The runs that a mean is of: those that can be used, as for the ratio; all that have the figure where none can be
/// used.
std::vector<RunFigures> averaged(const std::vector<RunFigures>& runs, bool (RunFigures::*has_figure)() const) {
  std::vector<RunFigures> known = runs;
  std::erase_if(known, [&](const RunFigures& run) { return !(run.*has_figure)(); });
  std::vector<RunFigures> some = known;
  std::erase_if(some, [](const RunFigures& run) { return !is_averaged(run); });
  return some.empty() ? known : some;
}

/// The runs of both variants in a repeat.
using Pair = std::pair<const RunFigures*, const RunFigures*>;

std::vector<Pair> pairs_of(const VariantFigures& baseline, const VariantFigures& variant) {
  std::vector<Pair> pairs;
  for (const RunFigures& run : variant.runs) {
    const auto other = std::ranges::find(baseline.runs, run.repeat, &RunFigures::repeat);
    if (other != baseline.runs.end()) pairs.emplace_back(&*other, &run);
  }
  return pairs;
}

std::vector<Pair> usable(std::vector<Pair> pairs) {
  std::erase_if(pairs, [](const Pair& pair) { return !is_usable(*pair.first) || !is_usable(*pair.second); });
  return pairs;
}

/// Minimum number of usable pairs when other pairs are left out.
constexpr std::size_t fewest_usable_pairs = 3;
bool are_enough(std::size_t usable_pairs, std::size_t pairs) {
  return usable_pairs >= std::min(pairs, fewest_usable_pairs);
}

/// The load point by which a run is compared: the demonstration of its answer, else the nearest load point on which the
/// answer rests; without an answer the last load point. `result` must have load points.
const PointFigures& compared_point(const Result& result) {
  if (result.at_latency_target.empty()) return result.load_points.back();
  const AnswerFigures& answer = result.at_latency_target.front();
  if (const PointFigures* const demonstrated = result.demonstration(answer)) return *demonstrated;
  return *std::ranges::min_element(result.load_points, {}, [&](const PointFigures& point) {
    return std::pair(point.purpose == Purpose::shape, std::abs(point.achieved_ops_per_sec - answer.ops_per_sec));
  });
}

/// How busy the host was that alone made the load; a simulated volume needs no processor in time.
std::optional<HostUse> host_use_of(const Result& result, const PointFigures& point) {
  if (result.simulated() || !point.hosts.empty() || point.host_busy <= 0) return std::nullopt;
  return HostUse{.cpu_cores_used = point.cpu_cores_used,
                 .host_busy = std::min(point.host_busy, 1.0),
                 .throttled_share = point.throttled_share,
                 .real_time_refused = point.real_time_refused};
}

/// Means of what an op takes, over the runs that show what the storage does, or else how many RPCs it is asked for.
std::optional<WorkFigures> work_of_runs(const std::vector<RunFigures>& runs) {
  for (const auto is_good : {is_usable, has_usable_counts}) {
    std::vector<const RunFigures*> good;
    for (const RunFigures& run : runs)
      if (is_good(run)) good.push_back(&run);
    if (auto work = mean_work(good)) return work;
  }
  return std::nullopt;
}

/// Sets how many pairs there are and can be used; false: too few for a verdict.
bool count_pairs(AgainstFirst& against, const ComparisonResult& comparison, const VariantFigures& variant) {
  const VariantFigures& baseline = *comparison.baseline();
  if (comparison.is_sliced()) {
    const SliceBlocks blocks = slice_blocks(baseline.runs, variant.runs, compared_by(comparison));
    against.pairs = blocks.blocks;
    against.usable_pairs = blocks.log_ratios.size();
    return are_enough_blocks(blocks, baseline.runs, variant.runs);
  }
  const std::vector<Pair> pairs = pairs_of(baseline, variant);
  against.pairs = pairs.size();
  against.usable_pairs = usable(pairs).size();
  return are_enough(against.usable_pairs, against.pairs);
}

/// Compares all variants again, since each comparison depends on their number.
void compare_with_baseline(ComparisonResult& comparison) {
  const bool by_rate = comparison.at_latency_target.has_value();
  const auto can_be = by_rate ? &VariantFigures::has_rates : &VariantFigures::has_responses;
  const VariantFigures* const baseline = comparison.baseline();
  std::vector<VariantFigures*> compared;
  for (VariantFigures& variant : comparison.variants) {
    variant.against_first.reset();
    variant.work_against_first.reset();
    if (&variant != baseline && (variant.*can_be)() && variant.repeats_as(*baseline) > 0) compared.push_back(&variant);
  }
  if (compared.empty() || !(baseline->*can_be)()) return;
  const auto figure = by_rate ? rate_of : response_of;
  const double bias = by_rate ? bias_of_answers : 0;
  const auto difference = [&](const VariantFigures& variant, double confidence) {
    if (comparison.is_sliced()) {
      const SliceBlocks blocks = slice_blocks(baseline->runs, variant.runs, compared_by(comparison));
      return difference_of_blocks(blocks.log_ratios, confidence, bias);
    }
    std::vector<double> baselines, figures;
    for (const auto& [other, run] : usable(pairs_of(*baseline, variant))) {
      baselines.push_back(figure(*other));
      figures.push_back(figure(*run));
    }
    return difference_of(baselines, figures, confidence, bias);
  };
  std::vector<double> p;  // of those alone that can have a verdict: they are a family
  for (VariantFigures* const variant : compared) {
    AgainstFirst& against = variant->against_first.emplace();
    // Runs that reached the target are the slower ones of a variant of which others did not.
    if (!count_pairs(against, comparison, *variant) || variant->is_lower_bound() || baseline->is_lower_bound())
      against.verdict = Verdict::invalid_runs;
    else if (const auto unadjusted = difference(*variant, 0.95).p) p.push_back(*unadjusted);
  }
  const double error = error_left(comparison.is_sliced(), comparison.alternation && comparison.alternation->until);
  const double confidence = 1 - error / static_cast<double>(std::max<std::size_t>(1, p.size()));
  const std::vector<double> adjusted = holm_adjusted(p);
  auto next = adjusted.begin();
  for (VariantFigures* const variant : compared) {
    const Difference found = difference(*variant, confidence);
    AgainstFirst& against = *variant->against_first;
    if (baseline->work && variant->work) variant->work_against_first = work_difference(*baseline->work, *variant->work);
    const bool is_bound = variant->is_lower_bound() || baseline->is_lower_bound();
    if (against.usable_pairs > 0 && !is_bound) against.ratio = found.ratio;
    if (against.verdict == Verdict::invalid_runs) continue;
    if (std::isfinite(found.high)) against.confidence_95 = {found.low, found.high};
    if (!found.p) continue;
    against.p_holm = std::min(1.0, *next++ * error_probability / error);
    if (*against.p_holm <= error_probability)
      against.verdict = (found.ratio > 1) == by_rate ? Verdict::faster : Verdict::slower;
  }
}

}  // namespace

RunFigures run_figures(const Result& result, bool at_target) {
  RunFigures figures;
  if (result.load_points.empty()) {
    figures.invalid = {Invalid::nothing_measured};
    return figures;
  }
  const AnswerFigures* const answer = result.at_latency_target.empty() ? nullptr : &result.at_latency_target.front();
  const PointFigures& chosen = compared_point(result);
  figures = {.ops_per_sec = chosen.achieved_ops_per_sec,
             .mib_per_sec = chosen.mib_per_sec,
             .response = chosen.latency.response.mean,
             .rpcs_per_op = chosen.nfs ? chosen.nfs->rpcs_per_op : 0,
             .invalid = chosen.invalid,
             .repeat = 1,
             .work = chosen.has_figures() ? std::optional(work_of(chosen)) : std::nullopt,
             .host_use = host_use_of(result, chosen)};
  if (at_target && answer) {
    figures.ops_per_sec = answer->ops_per_sec;
    figures.mib_per_sec = answer->mib_per_sec;
    figures.invalid = answer->invalid;
    figures.bounds = bound_causes(result);
  }
  const bool stuck =
      std::ranges::any_of(result.load_points, [](const PointFigures& point) { return point.stuck_ops > 0; });
  if (stuck && std::ranges::find(figures.invalid, Invalid::stuck_ops) == figures.invalid.end())
    figures.invalid.push_back(Invalid::stuck_ops);
  return figures;
}

VariantRun variant_run(const Result& result) {
  VariantRun run{.workload = result.workload,
                 .target = result.target,
                 .clients = result.clients,
                 .procs = result.procs,
                 .job_sets = result.job_sets,
                 .dataset = result.dataset,
                 .io = result.io,
                 .at_latency_target = result.at_latency_target,
                 .load_points = {},
                 .op_response = {},
                 .notes = result.notes};
  for (const PointFigures& point : result.load_points)
    run.load_points.push_back({point.purpose, point.achieved_ops_per_sec, point.statistic, point.invalid,
                               point.longer_warmup, point.first_window});
  if (!result.load_points.empty())
    for (const auto& [kind, op] : compared_point(result).ops)
      if (op.latency) run.op_response[kind] = op.latency->response.mean;
  return run;
}

void add_variant(ComparisonResult& comparison, std::string name, std::string what, std::vector<RunFigures> runs,
                 const std::optional<StalenessFigures>& staleness, const std::optional<std::string>& refused,
                 std::optional<VariantRun> last_run, std::vector<std::string> factors) {
  VariantFigures& variant = comparison.variants.emplace_back();
  variant.name = std::move(name);
  variant.what = std::move(what);
  variant.factors = std::move(factors);
  variant.runs = judged_slices(std::move(runs));
  if (variant.has_rates()) {
    const std::vector<RunFigures> with_rates = averaged(variant.runs, &RunFigures::has_rate);
    variant.mean_ops_per_sec = mean_of(column(with_rates, rate_of));
    variant.mean_mib_per_sec = mean_of(column(with_rates, mib_of));
    variant.mean_rpcs_per_op = mean_of(column(with_rates, rpcs_of));
  }
  if (variant.has_responses())
    variant.mean_response = Millis(mean_of(column(averaged(variant.runs, &RunFigures::has_response), response_of)));
  variant.work = work_of_runs(variant.runs);
  variant.staleness = staleness;
  variant.refused = refused;
  variant.last_run = std::move(last_run);
  compare_with_baseline(comparison);
  comparison.factor_effects = factor_effects(comparison);
}

}  // namespace edagen
