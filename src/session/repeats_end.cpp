#include "session/repeats_end.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "compare/run_figures.hpp"
#include "edagen/error.hpp"
#include "session/plan_text.hpp"

namespace edagen {
namespace {

/// Fewer repeats are often alike by chance.
constexpr std::size_t min_repeats = 6;

bool is_narrow(const AgainstFirst& against, double half_width) {
  const auto& [low, high] = against.confidence_95;
  return against.usable_pairs >= min_repeats && low && high && (*high - *low) / 2 / against.ratio <= half_width;
}

/// Whether more repeats may give a verdict on a variant. A rate that was a lower bound once stays one, and a variant of
/// which one run has no figure has no mean.
bool may_have_verdict(const VariantFigures& variant, const VariantFigures& baseline) {
  return !variant.refused && !baseline.refused && variant.against_first && variant.against_first->usable_pairs > 0 &&
         !variant.is_lower_bound() && !baseline.is_lower_bound();
}

RunPlan without_shape(RunPlan plan) {
  plan.leave_out_shape();
  return plan;
}

Nanos sum_of_runs(const ComparisonPlan& plan, Nanos (*time_of_run)(const RunPlan&)) {
  Nanos time{0};
  const auto is_simulated = [](const Variant& variant) { return variant.plan.model() != nullptr; };
  const bool are_all_simulated = std::ranges::all_of(plan.variants, is_simulated);
  for (const Variant& variant : plan.variants)
    if (are_all_simulated || !is_simulated(variant))
      time += static_cast<Nanos::rep>(plan.repeats - 1) * time_of_run(without_shape(variant.plan)) +
              time_of_run(variant.plan);
  return plan.max_time ? std::min(time, *plan.max_time) : time;
}

}  // namespace

void check_precision(const ComparisonPlan& plan) {
  if (plan.at_latency_target && plan.until && *plan.until <= bias_of_answers)
    throw usage_error("--until",
                      fmt::format("{:g}% is never reached: an interval of rates at a latency target is ±{:g}% at least",
                                  100 * *plan.until, 100 * bias_of_answers),
                      fmt::format("above {:g}%, or --rate", 100 * bias_of_answers));
}

Nanos time_of_first_repeat(const ComparisonPlan& plan) {
  Nanos time{0};
  for (const Variant& variant : plan.variants) time += expected_time(without_shape(variant.plan));
  return time;
}

bool has_time_for_runs(const ComparisonPlan& plan, Nanos spent) {
  return !plan.max_time || spent + time_of_first_repeat(plan) <= *plan.max_time;
}

Nanos time_of_runs(const ComparisonPlan& plan) { return sum_of_runs(plan, expected_time); }

Nanos longest_time_of_runs(const ComparisonPlan& plan) { return sum_of_runs(plan, longest_load_time); }

Nanos load_time(const Result& result) {
  Seconds time{0};
  for (const PointFigures& point : result.load_points) time += point.warmup + point.seconds;
  return from_seconds(time.count());
}

std::optional<EndReason> end_of_repeats(const ComparisonPlan& plan, const ComparisonResult& so_far, std::size_t repeats,
                                        Nanos spent, Nanos spent_before) {
  if (repeats >= plan.repeats) return EndReason::as_planned;
  const Nanos next = (spent - spent_before) / static_cast<Nanos::rep>(std::max<std::size_t>(1, repeats));
  if (plan.max_time && repeats > 0 && spent + next > *plan.max_time) return EndReason::time;
  if (!plan.until || repeats < min_repeats) return std::nullopt;
  bool any = false;
  const VariantFigures* const baseline = so_far.baseline();
  if (!baseline) return EndReason::failure;
  for (const VariantFigures& variant : so_far.variants) {
    if (&variant == baseline || !may_have_verdict(variant, *baseline)) continue;
    if (!is_narrow(*variant.against_first, *plan.until)) return std::nullopt;
    any = true;
  }
  return any ? EndReason::precision : EndReason::failure;
}

}  // namespace edagen
