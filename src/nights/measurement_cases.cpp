#include "nights/measurement_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "edagen/units.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"

namespace edagen {
namespace {

constexpr double stickiness = 1.5;  // so much less must be visible for a choice to depend on how nights varied
constexpr std::size_t few_nights = 10;
constexpr std::size_t least_before = 5, least_of_drift = 15;

std::vector<NightFigure> own_figures(const NightMeasurement& measurement) {
  std::vector<NightFigure> all;
  for (const NightRun& run : measurement.runs)
    for (const NightFigure& figure : run.figures)
      if (!run.reference && std::ranges::find(all, figure.name, &NightFigure::name) == all.end()) all.push_back(figure);
  return all;
}

void look_at_reference(const FigureHistory& its, const LogSample& reference, FigureCase& made) {
  std::vector<LogSample> references, values;
  for (const std::size_t place : its.places) {
    references.push_back(*its.nights[place].reference);
    values.push_back(its.nights[place].own);
  }
  made.reference = change_from(baseline_of(references), reference);
  made.alone = change_from(baseline_of(values), its.own);
}

/// Nights that are equal in all figures, as simulations of one seed are, do not say how nights vary: what differs from
/// them may be a change or chance. A figure alone may be equal each night, as the rate of a load that is always
/// reached.
void forget_changes(std::vector<FigureCase>& cases) {
  for (FigureCase& each : cases) {
    if (!each.change || std::abs(each.change->change) < 1e-9) continue;
    each.change.reset();
    each.long_before.reset();
    each.verdict.note = "the nights before are exactly equal, and so do not say how nights vary";
  }
}

/// What of the nights is not as the probabilities assume it.
std::string shape_text(const LogBaseline& baseline) {
  constexpr double skewed = 0.5;  // beyond what chance explains
  if (baseline.correlation > 0)
    return "nights are like those before them, where independent ones are assumed: false alarms may be more";
  if (std::abs(baseline.skewness) > skewed)
    return "nights are skewed, where normal ones are assumed: false alarms may be more";
  return "";
}

}  // namespace

MeasurementCases::MeasurementCases(std::span<const Night> history, const Night& tonight,
                                   const NightMeasurement& measurement, const Gate& gate)
    : gate_(gate), measurement_(measurement) {
  for (const Night& night : history) {
    if (night.started_at >= tonight.started_at || night.started_at < gate.since) continue;
    const NightMeasurement* const its = measurement_named(night, measurement.name);
    if (its == nullptr || !has_figures(*its)) continue;
    const std::string differs =
        measurement.runs.empty() ? "" : difference_in_words(*its, measurement, gate.allowed);  // it could not be run
    if (!differs.empty()) {
      ++left_out_, last_difference_ = differs;
      continue;
    }
    nights_.push_back({&night, its});
    const std::string allowed = measurement.runs.empty() ? "" : difference_in_words(*its, measurement, {});
    if (!allowed.empty()) ++allowed_, last_allowed_ = allowed;
  }
}

std::vector<FigureCase> MeasurementCases::cases() const {
  std::vector<FigureCase> all;
  for (const NightFigure& figure : all_figures()) {
    FigureCase made = case_of(figure);
    if (made.change || !made.detail) all.push_back(std::move(made));  // rare ops are not there each night
  }
  if (std::ranges::none_of(all, &FigureCase::nights_vary)) forget_changes(all);
  return all;
}

std::vector<std::string> MeasurementCases::notes() const {
  std::vector<std::string> notes;
  if (left_out_ > 0)
    notes.push_back(fmt::format("{}{} {} not comparable with tonight: {}", prefix(), left_out_,
                                left_out_ == 1 ? "night is" : "nights are", last_difference_));
  if (allowed_ > 0)
    notes.push_back(fmt::format("{}{} compared although they differ: {}", prefix(),
                                allowed_ == 1 ? "1 night is" : fmt::format("{} nights are", allowed_), last_allowed_));
  if (is_silent())
    notes.push_back(measurement_.name +
                    ": nothing to compare: no load point is valid, and rates at a target are lower bounds or none");
  return notes;
}

bool MeasurementCases::is_silent() const { return !measurement_.runs.empty() && !has_figures(measurement_); }

std::string MeasurementCases::prefix() const { return measurement_.name.empty() ? "" : measurement_.name + ": "; }

/// Tonight's, and those that tonight has not and enough of the last nights had; rare ops are not there each night.
std::vector<NightFigure> MeasurementCases::all_figures() const {
  std::vector<NightFigure> all = own_figures(measurement_);
  const std::size_t last = std::min(nights_.size(), gate_.nights), enough = std::min(last, least_nights);
  std::map<std::string, std::size_t> nights;
  for (const NightFigure& figure : all) nights[figure.name] = enough;
  for (std::size_t i = nights_.size() - last; i < nights_.size(); ++i)
    for (const NightFigure& figure : own_figures(*nights_[i].measurement))
      if (++nights[figure.name] == enough && figure.kind != FigureKind::op_kind) all.push_back(figure);
  return all;
}

/// By the reference, unless nights that have one are too few or vary so much that the values alone show more.
FigureHistory MeasurementCases::chosen(const NightFigure& figure, const LogSample& own,
                                       const std::optional<LogSample>& reference, FigureVerdict& verdict) const {
  FigureHistory alone = figure_history(nights_, figure, own, std::nullopt, gate_);
  if (!reference) return alone;
  FigureHistory ratios = figure_history(nights_, figure, own, reference, gate_);
  std::string& note = verdict.note;
  if (ratios.level.reference_moved != 0)
    note = fmt::format("the reference moved by {:+.1f} % {} nights ago", 100 * std::expm1(ratios.level.reference_moved),
                       ratios.nights.size() - ratios.level.begins);
  const bool fewer = ratios.used.size() < alone.used.size();
  const double stick = fewer ? 1 / stickiness : stickiness;
  // How much a few nights vary is by chance: then it does not matter which of both seems to.
  const bool by_chance = !fewer && ratios.used.size() < few_nights;
  if (ratios.baseline && (!alone.baseline || by_chance ||
                          ratios.visible(gate_.false_alarms) <= stick * alone.visible(gate_.false_alarms))) {
    verdict.against_reference = true;
    return ratios;
  }
  if (!alone.baseline) return alone;
  note += fmt::format("{}compared without the reference: {} of {} nights can be compared with it",
                      note.empty() ? "" : "; ", ratios.used.size(), alone.nights.size());
  return alone;
}

FigureCase MeasurementCases::case_of(const NightFigure& figure) const {
  FigureCase made;
  made.detail = figure.kind == FigureKind::op_kind;
  FigureVerdict& verdict = made.verdict;
  verdict.measurement = measurement_.name;
  verdict.figure = figure.name;
  verdict.kind = figure.kind;
  const auto own = sample_of(measurement_, figure.name, false);
  const auto reference = own ? sample_of(measurement_, figure.name, true) : std::nullopt;
  const FigureHistory its = chosen(figure, own.value_or(LogSample()), reference, verdict);
  verdict.nights = its.used.size();
  if (own) verdict.value = std::exp(own->value);
  if (!its.baseline) {
    verdict.note =
        fmt::format("has {} to compare with, and needs {}", counted(its.used.size(), "earlier night"), least_nights);
    return made;
  }
  const LogBaseline& baseline = *its.baseline;
  const double scale = verdict.against_reference ? reference->value : 0;
  made.nights_vary = !baseline.are_equal;
  verdict.outliers = baseline.outliers;
  verdict.expected = std::exp(baseline.expected + scale);
  verdict.between_nights = std::sqrt(baseline.between());
  verdict.within_nights = std::sqrt(baseline.within);
  verdict.drift_per_night = std::expm1(baseline.slope);
  look_at_target(figure, made);
  if (made.unmet || !own) {
    if (verdict.note.empty()) verdict.note = "was not measured tonight";
    return made;
  }
  made.change = change_from(baseline, its.tonight);
  made.of_one_run = own->runs < 2 && std::ranges::count(measurement_.runs, false, &NightRun::reference) > 1;
  const std::string shape = shape_text(baseline);
  if (!shape.empty()) verdict.note += (verdict.note.empty() ? "" : "; ") + shape;
  verdict.expected = std::exp(its.tonight.value - made.change->change + scale);
  verdict.within_nights = its.tonight.error;
  if (verdict.against_reference) look_at_reference(its, *reference, made);
  look_long_before(its, made);
  made.level_before += scale;
  return made;
}

/// Runs of which no load met the latency target have no value. Most of a night are a loss, unless that was so before.
void MeasurementCases::look_at_target(const NightFigure& figure, FigureCase& made) const {
  const Unmet tonight = unmet_runs(measurement_, figure.name);
  if (tonight.unmet == 0) return;
  std::size_t nights = 0, unmet = 0;
  for (const NightBefore& before : nights_) {
    if (was_told(before, figure.name, gate_)) continue;  // else a loss became usual by lasting
    const Unmet its = unmet_runs(*before.measurement, figure.name);
    nights += its.runs > 0 ? 1 : 0, unmet += its.unmet > 0 ? 1 : 0;
  }
  std::string note = "no load meets the latency target";
  if (tonight.unmet < tonight.runs) note += fmt::format(" in {} of {} runs", tonight.unmet, tonight.runs);
  if (unmet > 0) note += fmt::format(", as in {} of {} nights before", unmet, nights);
  made.verdict.note = note;
  const bool is_new = unmet * 10 <= nights;
  made.unmet = 2 * tonight.unmet > tonight.runs && is_new;
  made.partly_unmet = !made.unmet;
  made.verdict.newly_unmet = made.partly_unmet && is_new;
}

/// What goes on slowly is taken for a drift, which a night does not differ from; and a loss that is found in some
/// nights alone is not seen as a whole. So the last nights together are held against the first of the level.
void MeasurementCases::look_long_before(const FigureHistory& its, FigureCase& made) const {
  const std::size_t all = its.nights.size() - its.level.begins;
  if (all < least_of_drift) return;
  const std::size_t recent_begins = its.nights.size() - (recent_nights - 1);
  const std::size_t wanted = std::min(std::max(all / 3, least_before), gate_.nights);
  std::vector<LogSample> before, recent;
  for (const std::size_t place : its.level.nights)
    if (place < recent_begins && before.size() < wanted) before.push_back(its.nights[place].compared);
  if (before.size() < least_before) return;
  for (std::size_t i = recent_begins; i < its.nights.size(); ++i) recent.push_back(its.nights[i].compared);
  recent.push_back(its.tonight);
  made.long_before = change_of_means(before, recent);
  double mean = 0;
  for (const LogSample& night : recent) mean += night.value / static_cast<double>(recent.size());
  made.level_before = its.tonight.value - made.long_before->change;
  made.nights_before = before.size();
  const double worse =
      (its.tonight.value - mean + made.long_before->change) * (higher_is_better(made.verdict.kind) ? -1 : 1);
  if (worse <= log_of_loss(gate_, made.verdict.kind)) made.long_before.reset();  // tonight it is not so
}

}  // namespace edagen
