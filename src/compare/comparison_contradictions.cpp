#include "compare/comparison_contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "compare/comparison.hpp"
#include "compare/run_figures.hpp"
#include "edagen/error.hpp"
#include "result/rounding.hpp"

namespace edagen {
namespace {

using Figure = double (*)(const RunFigures&);

/// 0, as what is null in a document, without `known` figures of all.
double mean_of(const VariantFigures& variant, Figure figure, bool known) {
  double sum = 0;
  for (const RunFigures& run : variant.runs) sum += figure(run) / static_cast<double>(variant.runs.size());
  return known ? sum : 0;
}

std::string wrong_runs_in(const VariantFigures& variant, std::optional<std::uint64_t> planned) {
  std::set<std::uint64_t> repeats;
  for (const RunFigures& run : variant.runs) {
    if (!repeats.insert(run.repeat).second) return fmt::format("repeat {} is there twice", run.repeat);
    if (planned && run.repeat > *planned) return fmt::format("repeat {} is above the {} planned", run.repeat, *planned);
  }
  return "";
}

std::string wrong_mean_in(const VariantFigures& variant) {
  const bool rates = variant.has_rates();
  for (const auto& [name, told, mean] :
       {std::tuple{"mean_ops_per_sec", variant.mean_ops_per_sec, mean_of(variant, rate_of, rates)},
        {"mean_mib_per_sec", variant.mean_mib_per_sec, mean_of(variant, mib_of, rates)},
        {"mean_response_ms", variant.mean_response.count(), mean_of(variant, response_of, variant.has_responses())},
        {"mean_rpcs_per_op", variant.mean_rpcs_per_op, mean_of(variant, rpcs_of, rates)}})
    if (!are_near(told, mean)) return fmt::format("{} is {:.7g}, and its runs give {:.7g}", name, told, mean);
  return "";
}

/// `baseline`: figures by repeat.
std::string wrong_difference_in(const VariantFigures& variant, const std::map<std::uint64_t, double>& baseline,
                                bool by_rate) {
  const AgainstFirst& told = *variant.against_first;
  std::vector<double> theirs, its;
  for (const RunFigures& run : variant.runs) {
    const auto pair = baseline.find(run.repeat);
    if (pair == baseline.end()) continue;
    theirs.push_back(pair->second);
    its.push_back(by_rate ? rate_of(run) : response_of(run));
  }
  if (its.empty()) return "against_first is there, and no run to compare";
  if (const double ratio = difference_of(theirs, its).ratio; !are_near(told.ratio, ratio))
    return fmt::format("against_first.ratio is {:.7g}, and its runs give {:.7g}", told.ratio, ratio);
  const auto& [low, high] = told.confidence_95;
  const double slack = 1e-5 * told.ratio;
  if ((low && *low > told.ratio + slack) || (high && *high < told.ratio - slack))
    return fmt::format("against_first.ratio is {:.7g}, which is outside its confidence_95", told.ratio);
  if (told.verdict != Verdict::faster && told.verdict != Verdict::slower) return "";
  if (!std::ranges::all_of(variant.runs, &RunFigures::valid)) return "has a verdict, and invalid runs";
  if ((told.verdict == Verdict::faster) == ((told.ratio > 1) == by_rate)) return "";
  return fmt::format("is {}, and against_first.ratio is {:.7g}", to_string(told.verdict), told.ratio);
}

}  // namespace

void check_comparison(const ComparisonResult& comparison, const std::string& where) {
  const auto refuse = [&](std::size_t variant, const std::string& wrong) {
    if (!wrong.empty())
      throw usage_error(fmt::format("{}/variants/{}", where, variant), "contradicts itself: " + wrong);
  };
  if (comparison.variants.empty()) throw usage_error(where + "/variants", "is empty");
  const bool by_rate = comparison.at_latency_target.has_value();
  const VariantFigures* const baseline = comparison.baseline();
  std::map<std::uint64_t, double> figures;
  if (baseline)
    for (const RunFigures& run : baseline->runs) figures[run.repeat] = by_rate ? rate_of(run) : response_of(run);
  std::set<std::string> names;
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    const VariantFigures& variant = comparison.variants[i];
    if (!names.insert(variant.name).second) refuse(i, "its name is that of another variant");
    refuse(i, wrong_runs_in(variant, comparison.repeats));
    refuse(i, wrong_mean_in(variant));
    if (!variant.against_first) continue;
    refuse(i, &variant == baseline ? "is the baseline, and has against_first" : "");
    refuse(i, wrong_difference_in(variant, figures, by_rate));
  }
}

}  // namespace edagen
