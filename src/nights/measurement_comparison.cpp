#include "nights/measurement_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "edagen/units.hpp"
#include "nights/comparable.hpp"
#include "nights/figures.hpp"
#include "nights/history.hpp"
#include "nights/references.hpp"

namespace edagen {
namespace {

// Values are compared without the reference only where they show losses this many times smaller: which of both shows
// more also depends on chance.
constexpr double better_without_reference_factor = 1.5;
constexpr std::size_t few_nights = 10;        // how much so few nights vary is mostly chance
constexpr std::size_t min_unmet_nights = 10;  // a target is usually missed when one night in so many missed it

std::vector<NightFigure> own_figures(const NightMeasurement& measurement) {
  std::vector<NightFigure> all;
  for (const NightRun& run : measurement.runs)
    for (const NightFigure& figure : run.figures)
      if (!run.reference && std::ranges::find(all, figure.name, &NightFigure::name) == all.end()) all.push_back(figure);
  return all;
}

/// The changes of the volume and of the reference, each by its own values.
void compare_apart(const FigureHistory& history, FigureComparison& made) {
  std::vector<LogSample> references, values;
  for (const std::size_t place : history.places) {
    references.push_back(*history.nights[place].reference);
    values.push_back(history.nights[place].own);
  }
  const double resolution = resolution_of(made.verdict.kind);
  made.reference = change_from(baseline_of(references, resolution), *history.reference);
  made.volume = change_from(baseline_of(values, resolution), history.own);
}

/// That most nights of the level are invalid; "" when they are not.
std::string invalid_level_text(const FigureHistory& history) {
  const auto is_invalid_night = [&](std::size_t place) { return history.nights[place].invalid; };
  const auto invalid = static_cast<std::size_t>(std::ranges::count_if(history.places, is_invalid_night));
  if (2 * invalid <= history.places.size()) return "";
  return fmt::format("{} of the {} nights behind what is expected are INVALID", invalid, history.places.size());
}

/// Nights that are equal in all figures, as simulations of one seed are, do not show how nights vary: a difference from
/// them may be a change or chance. A single figure may be equal each night, as a rate that is always reached.
void discard_changes(std::vector<FigureComparison>& figures) {
  for (FigureComparison& each : figures) {
    if (!each.change || std::abs(each.change->change) < 1e-9) continue;
    each.change.reset();
    each.verdict.note = "the nights before are exactly equal, and do not show how nights vary";
  }
}

/// In which way the nights are not as the probabilities assume; "": in none.
std::string shape_text(const LogBaseline& baseline) {
  constexpr double plain_skewness = 0.5;  // beyond chance
  if (baseline.correlation > 0)
    return "nights are like those before them, where independent ones are assumed: false alarms may be more";
  if (std::abs(baseline.skewness) > plain_skewness)
    return "nights are skewed, where normal ones are assumed: false alarms may be more";
  return "";
}

/// Counts a night of these runs.
void add_night(Unmet& nights, const Unmet& found) {
  nights.runs += found.runs > 0 ? 1 : 0, nights.unmet += found.unmet > 0 ? 1 : 0;
}

bool is_rare(const Unmet& nights) { return nights.unmet * min_unmet_nights <= nights.runs; }

}  // namespace

MeasurementComparison::MeasurementComparison(std::span<const Night> history, const Night& tonight,
                                             const NightMeasurement& measurement, const Gate& gate)
    : gate_(gate), measurement_(measurement) {
  for (const Night& night : history) {
    if (night.started_at >= tonight.started_at || night.started_at < gate.since) continue;
    const NightMeasurement* const before = measurement_named(night, measurement.name);
    if (before == nullptr || !has_figures(*before)) continue;
    const auto difference = [&](const std::vector<std::string>& allowed) {
      // A measurement that failed may have runs of its references alone: what was not measured differs in nothing.
      return measurement.comparable.empty() ? "" : difference_in_words(*before, measurement, allowed);
    };
    if (const std::string differs = difference(gate.allowed); !differs.empty()) {
      ++left_out_, last_difference_ = differs;
      left_out_keys_.merge(differing_keys(*before, measurement, gate.allowed));
      continue;
    }
    nights_.push_back({&night, before});
    if (const std::string allowed = difference({}); !allowed.empty()) ++allowed_, last_allowed_ = allowed;
  }
}

std::vector<FigureComparison> MeasurementComparison::figures() const {
  std::vector<FigureComparison> all;
  for (const NightFigure& figure : expected_figures()) {
    FigureComparison made = compare(figure);
    if (made.is_unknown) continue;
    if (made.change || !made.is_op_kind()) all.push_back(std::move(made));  // rare ops are missing in some nights
  }
  if (std::ranges::none_of(all, &FigureComparison::nights_vary)) discard_changes(all);
  return all;
}

std::string MeasurementComparison::incomparable() const {
  if (left_out_ == 0) return "";
  return fmt::format(
      R"({} {} not comparable with tonight ("allow_differences": ["{}"] of nightly, or --allow-difference of check, accepts {}): {})",
      left_out_, left_out_ == 1 ? "night is" : "nights are", fmt::join(left_out_keys_, R"(", ")"),
      left_out_ == 1 ? "it" : "them", last_difference_);
}

std::vector<std::string> MeasurementComparison::notes() const {
  std::vector<std::string> notes;
  if (allowed_ > 0)
    notes.push_back(fmt::format("{}{} compared although they differ: {}", prefix(),
                                allowed_ == 1 ? "1 night is" : fmt::format("{} nights are", allowed_), last_allowed_));
  if (const std::string note = deviation_note(); !note.empty()) notes.push_back(prefix() + note);
  if (has_no_figure())
    notes.push_back(measurement_.name +
                    ": nothing to compare: no load point is valid, and rates at a target are lower bounds or none");
  std::ranges::move(load_notes(), std::back_inserter(notes));
  return notes;
}

/// Loads whose latencies are invalid, though their runs are not for the same reasons, or are not judged; those that are
/// alike in that share a note.
std::vector<std::string> MeasurementComparison::load_notes() const {
  constexpr std::string_view mean = "mean ms ";
  std::vector<std::pair<std::string, std::vector<std::string>>> alike;  // loads by what is said of them
  for (const NightFigure& figure : own_figures(measurement_)) {
    if (!figure.name.starts_with(mean)) continue;
    std::vector<Invalid> reasons = why_invalid(measurement_, figure.name);
    for (const NightRun& run : measurement_.runs)
      if (!run.reference)
        for (const Invalid of_run : run.invalid) std::erase(reasons, of_run);
    std::vector<std::string> parts;
    if (!reasons.empty()) {
      std::vector<std::string_view> names;
      for (const Invalid reason : reasons) names.push_back(to_string(reason));
      parts.push_back(fmt::format("INVALID: {}", fmt::join(names, ", ")));
    }
    if (is_lower_bound(measurement_, figure.name) && compare(figure).is_unknown)
      parts.emplace_back("ops had not ended, so that the latency is a lower bound, which is not judged");
    if (parts.empty()) continue;
    const std::string what = fmt::format("{}", fmt::join(parts, "; "));
    auto found = std::ranges::find(alike, what, &decltype(alike)::value_type::first);
    if (found == alike.end()) found = alike.insert(found, {what, {}});
    found->second.push_back(figure.name.substr(mean.size()));
  }
  std::vector<std::string> notes;
  for (const auto& [what, loads] : alike)
    notes.push_back(fmt::format("{}{}: {}", prefix(), fmt::join(loads, ", "), what));
  return notes;
}

bool MeasurementComparison::has_no_figure() const {
  const bool was_measured = std::ranges::count(measurement_.runs, false, &NightRun::reference) > 0;
  return was_measured && !has_figures(measurement_);
}

/// Tonight's figures, and those that enough of the last nights had. Op kinds may be missing, as rare ops are, and so
/// may the highest rate beside other figures: earlier versions had it also of repeats of one requested rate.
std::vector<NightFigure> MeasurementComparison::expected_figures() const {
  std::vector<NightFigure> all = own_figures(measurement_);
  const std::size_t last = std::min(nights_.size(), gate_.nights), enough = std::min(last, min_nights);
  std::map<std::string, std::size_t> nights;
  for (const NightFigure& figure : all) nights[figure.name] = enough;
  const bool is_measured = !all.empty();
  const auto may_be_missing = [&](const NightFigure& figure) {
    return figure.kind == FigureKind::op_kind || (is_measured && figure.name == highest_rate_figure);
  };
  for (std::size_t i = nights_.size() - last; i < nights_.size(); ++i)
    for (const NightFigure& figure : own_figures(*nights_[i].measurement))
      if (!figure.lower_bound && ++nights[figure.name] == enough && !may_be_missing(figure)) all.push_back(figure);
  return all;
}

/// Ratios to the reference, unless nights with a reference are too few, or vary so much that the values show more.
FigureHistory MeasurementComparison::history_of(const NightFigure& figure, const LogSample& own,
                                                FigureVerdict& verdict) const {
  FigureHistory values = figure_history(nights_, measurement_, figure, own, false, gate_);
  FigureHistory ratios = figure_history(nights_, measurement_, figure, own, true, gate_);
  if (!ratios.reference) {
    if (values.baseline && 2 * ratios.nights.size() > values.nights.size())
      add_note(verdict, "compared without the reference, which does not have this figure tonight");
    return values;
  }
  if (ratios.level.reference_moved != 0)
    add_note(verdict,
             fmt::format("the reference moved by {:+.1f} % {} nights ago",
                         100 * std::expm1(ratios.level.reference_moved), ratios.nights.size() - ratios.level.begins));
  const bool fewer = ratios.used.size() < values.used.size();
  const double factor = fewer ? 1 / better_without_reference_factor : better_without_reference_factor;
  const bool by_chance = !fewer && ratios.used.size() < few_nights;
  if (ratios.baseline && (!values.baseline || by_chance ||
                          ratios.visible(gate_.false_alarms) <= factor * values.visible(gate_.false_alarms))) {
    verdict.against_reference = true;
    return ratios;
  }
  if (values.baseline)
    add_note(verdict, fewer ? fmt::format("compared without the reference: {} of {} nights can be compared with it",
                                          ratios.used.size(), values.nights.size())
                            : "compared without the reference: ratios to it vary more than the values");
  return values;
}

FigureComparison MeasurementComparison::compare(const NightFigure& figure) const {
  FigureComparison made;
  FigureVerdict& verdict = made.verdict;
  verdict.measurement = measurement_.name;
  verdict.figure = figure.name;
  verdict.kind = figure.kind;
  const auto own = sample_of(measurement_, figure.name, 0, true);
  const FigureHistory history = own ? history_of(figure, *own, verdict)
                                    : figure_history(nights_, measurement_, figure, LogSample(), false, gate_);
  verdict.nights = history.used.size();
  verdict.incomparable_nights = left_out_;
  if (own) verdict.value = std::exp(own->value);
  compare_bound(figure.name, made);
  if (!history.baseline || made.is_unknown) {
    made.is_unknown |= verdict.lower_bound;
    verdict.note = fmt::format("{} to compare with, and {} are needed",
                               counted(history.used.size(), "earlier measurement"), min_nights);
    return made;
  }
  const LogBaseline& baseline = *history.baseline;
  const double scale = verdict.against_reference ? history.reference->value : 0;
  made.nights_vary = !baseline.are_equal;
  verdict.outliers = baseline.outliers;
  verdict.expected = std::exp(baseline.expected + scale);
  verdict.between_nights = std::sqrt(baseline.between());
  verdict.within_nights = std::sqrt(baseline.within);
  verdict.drift_per_night = std::expm1(baseline.slope);
  compare_with_target(figure, made);
  if (made.unmet || !own) {
    if (verdict.note.empty()) verdict.note = "was not measured tonight";
    return made;
  }
  made.change = change_from(baseline, history.tonight);
  made.of_one_run = own->runs < 2 && std::ranges::count(measurement_.runs, false, &NightRun::reference) > 1;
  made.beside_unmet = !(verdict.against_reference && history.reference_is_robust) &&
                      references_miss_target(figure.name, verdict.against_reference);
  for (const std::string& note : {shape_text(baseline), invalid_level_text(history)})
    if (!note.empty()) add_note(verdict, note);
  verdict.expected = std::exp(history.tonight.value - made.change->change + scale);
  verdict.within_nights = history.tonight.error;
  if (verdict.against_reference && !history.reference_is_robust) compare_apart(history, made);
  return made;
}

/// A lower bound shows how much worse tonight is at least, unless nights before were often as bad: those that are known
/// are then the better ones.
void MeasurementComparison::compare_bound(const std::string& figure, FigureComparison& made) const {
  if (!is_lower_bound(measurement_, figure)) return;
  Unmet before;  // nights
  for (const NightBefore& night : nights_) {
    const bool was_bound = is_lower_bound(*night.measurement, figure);
    if ((was_bound || sample_of(*night.measurement, figure)) && !was_reported(night, figure, gate_))
      add_night(before, {.runs = 1, .unmet = was_bound ? 1U : 0U});
  }
  made.verdict.lower_bound = true;
  made.is_unknown = !is_rare(before);
  const auto is_bound = [&](const NightRun& run) {
    const auto found = std::ranges::find(run.figures, figure, &NightFigure::name);
    return run.reference && found != run.figures.end() && found->lower_bound;
  };
  const auto references = std::ranges::count(measurement_.runs, true, &NightRun::reference);
  made.beside_bound = 2 * std::ranges::count_if(measurement_.runs, is_bound) > references;
  if (!made.is_unknown) add_note(made.verdict, "ops had not ended: a lower bound of the latency");
}

/// Whether most runs of the references, or any, newly miss the latency target of a figure. The MiB/s at a target that
/// is missed are no figure.
bool MeasurementComparison::references_miss_target(const std::string& figure, bool any) const {
  constexpr std::string_view mib = "MiB/s";
  const std::string rate = figure.starts_with(mib) ? "ops/s" + figure.substr(mib.size()) : figure;
  const Unmet tonight = unmet_runs(measurement_, rate, true);
  Unmet before;  // nights
  for (const NightBefore& night : nights_) add_night(before, unmet_runs(*night.measurement, rate, true));
  const bool misses = any ? tonight.unmet > 0 : 2 * tonight.unmet > tonight.runs;
  return misses && before.runs > 0 && is_rare(before);
}

/// Runs in which no load met the latency target have no value. When most runs of a night have none, that is a loss,
/// unless nights before had none either, or most runs of the references newly have none: what they share was slow.
void MeasurementComparison::compare_with_target(const NightFigure& figure, FigureComparison& made) const {
  const Unmet tonight = unmet_runs(measurement_, figure.name);
  if (tonight.unmet == 0) return;
  Unmet before;  // nights
  for (const NightBefore& night : nights_)
    if (!was_reported(night, figure.name, gate_))  // a lasting loss must not become usual
      add_night(before, unmet_runs(*night.measurement, figure.name));
  const bool is_new = is_rare(before), is_shared = references_miss_target(figure.name, false);
  std::string note = "no load meets the latency target";
  if (tonight.unmet < tonight.runs) note += fmt::format(" in {} of {} runs", tonight.unmet, tonight.runs);
  if (before.unmet > 0) note += fmt::format(", as in {} of {} nights before", before.unmet, before.runs);
  if (is_shared) note += ", nor does one meet it on the reference";
  made.verdict.note = note;
  made.unmet = 2 * tonight.unmet > tonight.runs && is_new && !is_shared;
  made.partly_unmet = !made.unmet;
  made.verdict.newly_unmet = made.partly_unmet && is_new;
}

/// Names the reference that has left the others tonight, by the figure that shows it most clearly.
std::string MeasurementComparison::deviation_note() const {
  std::vector<const NightMeasurement*> nights;
  for (std::size_t i = nights_.size() - std::min(nights_.size(), gate_.nights); i < nights_.size(); ++i)
    nights.push_back(nights_[i].measurement);
  nights.push_back(&measurement_);
  std::optional<DeviatingReference> most;
  std::string name;
  for (const NightFigure& figure : own_figures(measurement_)) {
    if (figure.kind == FigureKind::op_kind) continue;
    const auto deviating = deviating_reference(nights, figure.name, resolution_of_ratio(figure.kind));
    if (deviating && (!most || deviating->p < most->p)) most = deviating, name = figure.name;
  }
  if (!most) return "";
  return fmt::format("{} has changed by {:+.1f} % against the other references, which count ({})",
                     reference_name(measurement_, most->number), 100 * std::expm1(most->change), name);
}

}  // namespace edagen
