#include "compare/comparison_result.hpp"

#include <algorithm>
#include <cmath>

#include "compare/comparison.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

std::vector<double> column(const std::vector<RunFigures>& runs, double (*figure)(const RunFigures&)) {
  std::vector<double> values;
  for (const RunFigures& run : runs) values.push_back(figure(run));
  return values;
}

double rate_of(const RunFigures& run) { return run.ops_per_sec; }
double mib_of(const RunFigures& run) { return run.mib_per_sec; }
double response_of(const RunFigures& run) { return run.response.count(); }
double rpcs_of(const RunFigures& run) { return run.rpcs_per_op; }

}  // namespace

RunFigures run_figures(const Result& result, bool at_target) {
  RunFigures figures;
  if (result.load_points.empty()) {
    figures.invalid = {Invalid::nothing_measured};
    return figures;
  }
  const AnswerFigures* const answer = result.at_latency_target.empty() ? nullptr : &result.at_latency_target.front();
  const PointFigures* const full = answer ? result.full_run(*answer) : nullptr;
  const PointFigures& chosen = full ? *full : result.load_points.back();
  figures = {.ops_per_sec = chosen.achieved_ops_per_sec,
             .mib_per_sec = chosen.mib_per_sec,
             .response = chosen.latency.response.mean,
             .rpcs_per_op = chosen.nfs ? chosen.nfs->rpcs_per_op : 0,
             .invalid = chosen.invalid,
             .repeat = 1};
  if (at_target && answer) {
    figures.ops_per_sec = answer->ops_per_sec;
    figures.mib_per_sec = answer->mib_per_sec;
    figures.invalid = answer->invalid;
    if (!answer->met) figures.invalid.push_back(Invalid::no_load_meets_target);
    else if (!answer->bounded) figures.invalid.push_back(Invalid::target_not_reached);
  }
  const bool stuck =
      std::ranges::any_of(result.load_points, [](const PointFigures& point) { return point.stuck_ops > 0; });
  if (stuck && std::ranges::find(figures.invalid, Invalid::stuck_ops) == figures.invalid.end())
    figures.invalid.push_back(Invalid::stuck_ops);
  return figures;
}

void add_variant(ComparisonResult& comparison, std::string name, std::string what, std::vector<RunFigures> runs,
                 const std::optional<StalenessFigures>& staleness) {
  VariantFigures variant{.name = std::move(name),
                         .what = std::move(what),
                         .runs = {},
                         .mean_ops_per_sec = mean_of(column(runs, rate_of)),
                         .mean_mib_per_sec = mean_of(column(runs, mib_of)),
                         .mean_response = Millis(mean_of(column(runs, response_of))),
                         .mean_rpcs_per_op = mean_of(column(runs, rpcs_of)),
                         .staleness = staleness,
                         .against_first = {}};
  if (!comparison.variants.empty()) {
    const auto figure = comparison.at_latency_target ? rate_of : response_of;
    const std::vector<RunFigures>& first = comparison.variants.front().runs;
    std::vector<double> theirs, its;
    for (const RunFigures& run : runs) {
      const auto pair = std::ranges::find(first, run.repeat, &RunFigures::repeat);
      if (pair == first.end()) continue;
      theirs.push_back(figure(*pair));
      its.push_back(figure(run));
    }
    const Difference difference = difference_of(theirs, its, comparison.at_latency_target.has_value());
    variant.against_first = {
        .ratio = difference.ratio, .confidence_95 = {difference.low, std::nullopt}, .verdict = difference.verdict};
    if (std::isfinite(difference.high)) variant.against_first->confidence_95[1] = difference.high;
  }
  variant.runs = std::move(runs);
  comparison.variants.push_back(std::move(variant));
}

}  // namespace edagen
