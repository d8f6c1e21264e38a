#include "report/verdict_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "edagen/units.hpp"
#include "report/comparison_reasons.hpp"
#include "report/slices_text.hpp"
#include "result/error_probability.hpp"
#include "stats/distribution.hpp"

namespace edagen {
namespace {

/// How many repeats that vary as these do it takes to tell the ratio within 10 %; nullopt: more than 1,000.
/// `confidence`: that of the interval.
std::optional<int> repeats_needed(const AgainstFirst& against, std::size_t repeats, double confidence) {
  const auto& [low, high] = against.confidence_95;
  const auto half_width = [&](int of) { return student_quantile(confidence, of - 1) / std::sqrt(of); };
  const int now = static_cast<int>(std::max<std::size_t>(2, repeats));
  const double deviation = std::log(*high / low.value_or(0)) / 2 / half_width(now);
  for (int number = now + 1; number <= 1000; ++number)
    if (deviation * half_width(number) <= std::log(1.1)) return number;
  return std::nullopt;
}

/// "2 repeats cannot tell, as they vary too much: about 27 repeats would narrow the interval to ±10 %"
std::string too_wide_text(const AgainstFirst& against, std::size_t repeats, double confidence, bool has_stalled) {
  if (has_stalled) return counted(repeats, "repeat") + " cannot tell, as repeats stalled: measure again";
  const std::optional<int> needed = repeats_needed(against, repeats, confidence);
  return fmt::format("{} cannot tell, as they vary too much: {} repeats would narrow the interval to ±10 %",
                     counted(repeats, "repeat"), needed ? fmt::format("about {}", *needed) : "more than 1,000");
}

/// The confidence of each interval of whole runs, where so many variants are compared with the baseline (Bonferroni).
double confidence_of_one(const ComparisonResult& comparison, std::size_t compared) {
  const bool ends_at_precision = comparison.alternation && comparison.alternation->until;
  return 1 - error_left(false, ends_at_precision) / static_cast<double>(std::max<std::size_t>(1, compared));
}

/// "b", "b (repeat 2 of 3)", "b (2 of 3 runs)": a variant, and which of its runs did not reach the target.
std::string bound_name(const VariantFigures& variant) {
  const auto bounds = static_cast<std::size_t>(std::ranges::count_if(variant.runs, &RunFigures::is_lower_bound));
  if (bounds == variant.runs.size()) return variant.name;
  if (bounds > 1) return fmt::format("{} ({} of {})", variant.name, bounds, counted(variant.runs.size(), "run"));
  return fmt::format("{} (repeat {} of {})", variant.name,
                     std::ranges::find_if(variant.runs, &RunFigures::is_lower_bound)->repeat, variant.runs.size());
}

/// Why a variant cannot be compared with the baseline although both were measured.
std::string bound_text(const VariantFigures& variant, const VariantFigures& baseline) {
  constexpr const char* not_reached = "as the target was not reached";
  if (!variant.is_lower_bound() || !baseline.is_lower_bound())
    return fmt::format("cannot be compared: the rate of {} is a lower bound, {}",
                       bound_name(variant.is_lower_bound() ? variant : baseline), not_reached);
  const std::string first = bound_name(baseline), second = bound_name(variant);
  const bool are_all = first == baseline.name && second == variant.name;
  return fmt::format("cannot be compared: {} lower bounds, {}, and either may be higher",
                     are_all ? "both rates are" : fmt::format("the rates of {} and {} are", first, second),
                     not_reached);
}

/// The time, and not a number of repeats, was asked for: --max-time does not go with --repeat.
bool has_ended_with_time(const ComparisonResult& comparison) {
  return comparison.alternation && comparison.alternation->end == EndReason::time;
}

/// Why there is no interval, and what gives one.
std::string no_interval_text(const ComparisonResult& comparison, const VariantFigures& variant) {
  const VariantFigures& baseline = *comparison.baseline();
  const bool is_interrupted = comparison.status == Status::interrupted;
  const char* const too_early = "no interval, as the comparison was interrupted";
  if (variant.is_sliced() && is_interrupted) return too_early;
  if (variant.is_sliced()) return "too few blocks for an interval: more time gives one (--max-time)";
  const std::size_t repeats = variant.repeats_as(baseline);
  const bool has_stalled = has_stalled_run(variant, comparison) || has_stalled_run(baseline, comparison);
  if (repeats > 1)
    return fmt::format("{} cannot tell, as {}", counted(repeats, "repeat"),
                       has_stalled ? "repeats stalled: measure again" : "they vary too much for an interval");
  if (is_interrupted) return too_early;
  const bool one = variant.runs.size() == 1 && baseline.runs.size() == 1;
  return fmt::format(
      "{} no interval: {}", one ? "1 run of each gives" : "fewer than 2 repeats that both have give",
      has_ended_with_time(comparison) ? "more time gives one (--max-time)" : "2 or more repeats of both do");
}

/// "b against a: I/O rate at 2 ms +3.2 % (95 % confidence +1.0 % to +5.4 %): faster"
/// `compared`: how many variants are compared with the baseline.
std::string verdict_text(const ComparisonResult& comparison, const VariantFigures& variant, const std::string& figure,
                         const Ratios& ratios, std::size_t compared) {
  const VariantFigures& baseline = *comparison.baseline();
  const AgainstFirst& against = *variant.against_first;
  const std::string both = fmt::format("{} against {}: ", variant.name, baseline.name);
  if (is_bound(variant, baseline)) return both + bound_text(variant, baseline) + "\n";
  const std::string ratio = variant.has_ratio() ? " " + ratios.text(against.ratio) : "";
  const bool is_doubtful = variant.has_ratio() && against.verdict == Verdict::invalid_runs;
  const std::string known = both + figure + ratio + (is_doubtful ? " (INVALID)" : "");
  const std::string used =
      variant.is_sliced() ? fmt::format("{} of {}", against.usable_pairs, counted(against.pairs, "block"))
                          : fmt::format("{} of {}", against.usable_pairs, counted(against.pairs, "pair") + " of runs");
  // Blocks can be used whose slices missed their rate. There is no verdict, either, when most slices are of that kind.
  const bool are_few = !variant.is_sliced() || 2 * against.usable_pairs < against.pairs;
  const char* const more = has_ended_with_time(comparison) ? ", and more time (--max-time) may give a verdict"
                                                           : ", and more repeats (--repeat) may give a verdict";
  const char* const more_repeats = !variant.is_sliced() && against.usable_pairs > 0 ? more : "";
  if (against.verdict == Verdict::invalid_runs)
    return fmt::format("{}: no verdict, as {} invalid{}\n", known,
                       are_few ? "runs are" : "most slices of a variant are",
                       are_few && against.pairs > 0 ? fmt::format(": {} can be used{}", used, more_repeats) : "");
  if (!against.confidence_95[0] || !against.confidence_95[1])
    return fmt::format("{}; {}\n", known, no_interval_text(comparison, variant));
  if (is_too_wide(against)) {
    // Documents of older versions have no number of pairs.
    const std::size_t repeats = against.pairs > 0 ? against.usable_pairs : variant.repeats_as(baseline);
    return fmt::format("{}; {}\n", known,
                       variant.is_sliced() ? too_few_blocks_text(against)
                                           : too_wide_text(against, repeats, confidence_of_one(comparison, compared),
                                                           has_stalled_run(variant, comparison) ||
                                                               has_stalled_run(baseline, comparison)));
  }
  return fmt::format("{} (95 % confidence {}): {}{}\n", known, ratios.text(against.confidence_95),
                     to_string(against.verdict),
                     against.usable_pairs < against.pairs ? fmt::format(", from {}", used) : "");
}

bool has_no_usable_pair(const VariantFigures& variant, const VariantFigures* baseline) {
  return baseline && variant.against_first && !is_bound(variant, *baseline) &&
         variant.against_first->verdict == Verdict::invalid_runs && variant.against_first->usable_pairs == 0;
}

}  // namespace

std::string verdict_lines(const ComparisonResult& comparison, const std::string& figure, const Ratios& ratios,
                          std::size_t compared) {
  const VariantFigures* const baseline = comparison.baseline();
  const auto unusable = static_cast<std::uint64_t>(std::ranges::count_if(
      comparison.variants, [&](const VariantFigures& variant) { return has_no_usable_pair(variant, baseline); }));
  std::string text;
  for (const VariantFigures& variant : comparison.variants)
    if (variant.against_first && baseline && (unusable < 2 || !has_no_usable_pair(variant, baseline)))
      text += verdict_text(comparison, variant, figure, ratios, compared);
  if (unusable >= 2)
    text +=
        fmt::format("no verdict on {}: no pair of their runs is valid on both sides\n", counted(unusable, "variant"));
  return text;
}

Cell verdict_cell(const VariantFigures& variant, const VariantFigures& baseline) {
  const AgainstFirst& against = *variant.against_first;
  if (is_bound(variant, baseline)) return "none: lower bound";
  if (is_too_wide(against) || (against.verdict != Verdict::invalid_runs && !against.confidence_95[1]))
    return variant.is_sliced()                ? "none: too few blocks"
           : variant.repeats_as(baseline) > 2 ? "none: repeats vary"
                                              : "none: too few repeats";
  const auto are_valid = [](const VariantFigures& each) { return std::ranges::all_of(each.runs, &RunFigures::valid); };
  if (against.verdict == Verdict::invalid_runs && are_valid(variant) && !are_valid(baseline))
    return fmt::format("none: runs of {} are invalid", baseline.name);
  return {std::string(to_string(against.verdict)), against.verdict == Verdict::faster   ? "good"
                                                   : against.verdict == Verdict::slower ? "bad"
                                                                                        : ""};
}

std::string baseline_ratio_cell(const VariantFigures& variant, const VariantFigures& baseline, const Ratios& ratios) {
  if (!has_ratio_to(baseline, variant)) return "-";
  const bool is_doubtful = variant.against_first->verdict == Verdict::invalid_runs;
  return (is_doubtful ? "INVALID " : "") + ratios.text(variant.against_first->ratio);
}

std::string ratio_interval_cell(const VariantFigures& variant, const VariantFigures& baseline, const Ratios& ratios) {
  if (!has_ratio_to(baseline, variant)) return "-";
  return has_interval(*variant.against_first) ? ratios.text(variant.against_first->confidence_95)
                                              : "none";  // the verdict has why
}

}  // namespace edagen
