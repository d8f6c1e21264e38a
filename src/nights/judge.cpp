#include "nights/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "edagen/units.hpp"
#include "nights/history.hpp"
#include "nights/measurement_comparison.hpp"

namespace edagen {
namespace {

constexpr double op_kinds_share = 0.25;         // of the false-alarm rate, for the figures of op kinds together
const double max_visible_log = std::log(11.0);  // a few wild nights would not show a change of ten times
constexpr double reference_change_p = 0.05;     // of a change of the reference that explains the change of a ratio
constexpr double least_p = 1e-30;               // a smaller p is kept as 0, as no document holds numbers nearer to 0
constexpr double doubt_factor = 10, certain_factor = 0.1;  // times the false-alarm rate

/// Sets the shares of the false-alarm rate, which are 1 together.
void share_false_alarms(std::vector<FigureComparison>& figures) {
  const auto op_kinds = static_cast<double>(std::ranges::count_if(figures, &FigureComparison::is_op_kind));
  const double others = static_cast<double>(figures.size()) - op_kinds;
  for (FigureComparison& each : figures) {
    const double part = op_kinds == 0 || others == 0 ? 1 : each.is_op_kind() ? op_kinds_share : 1 - op_kinds_share;
    each.weight = part / (each.is_op_kind() ? op_kinds : others);
  }
}

double p_worse(const LogChange& change, FigureKind kind) {
  return higher_is_better(kind) ? change.p_below() : change.p_above();
}
double p_better(const LogChange& change, FigureKind kind) {
  return higher_is_better(kind) ? change.p_above() : change.p_below();
}

/// Whether the reference, and not the volume, has changed, so that their ratio did; notes how both have changed.
bool reference_explains(const FigureComparison& each, double share, FigureVerdict& verdict) {
  if (!each.reference) return false;
  const double worse = p_worse(*each.change, verdict.kind), better = p_better(*each.change, verdict.kind);
  if (std::min(worse, better) > share) return false;
  const bool loss = worse < better;
  const double reference = loss ? p_better(*each.reference, verdict.kind) : p_worse(*each.reference, verdict.kind);
  const double volume = loss ? p_worse(*each.volume, verdict.kind) : p_better(*each.volume, verdict.kind);
  const bool explains = reference <= reference_change_p && volume > share;
  if (explains || std::abs(each.reference->change) > std::abs(each.volume->change))
    add_note(verdict, fmt::format("the reference has changed by {:+.1f} %, what is measured by {:+.1f} %",
                                  100 * std::expm1(each.reference->change), 100 * std::expm1(each.volume->change)));
  return explains;
}

/// Sets the change with its interval and what was visible, unless these are too wide to mean anything.
void set_change(FigureVerdict& verdict, const LogChange& change, double share) {
  const double half = change.half_width(share), visible = change.visible(share);
  verdict.change = std::expm1(change.change);
  if (visible > max_visible_log) return;
  verdict.interval = {std::expm1(change.change - half), std::expm1(change.change + half)};
  if (verdict.lower_bound) verdict.interval[1].reset();
  verdict.smallest_visible = higher_is_better(verdict.kind) ? -std::expm1(-visible) : std::expm1(visible);
}

void decide(FigureComparison& each, const Gate& gate) {
  FigureVerdict& verdict = each.verdict;
  verdict.limit = gate.limit(verdict.kind);
  if (each.unmet) verdict.verdict = NightVerdict::regression, verdict.p = 0;
  if (!each.change) return;
  const LogChange& change = *each.change;
  const double share = gate.false_alarms * each.weight, half = change.half_width(share);
  const double worse = higher_is_better(verdict.kind) ? -change.change : change.change;
  const double limit = log_of_loss(gate, verdict.kind);
  set_change(verdict, change, share);
  const double p = p_worse(change, verdict.kind) / each.weight;
  verdict.p = p < least_p ? 0 : std::min(1.0, p);
  const bool loss = p_worse(change, verdict.kind) <= share, gain = p_better(change, verdict.kind) <= share;
  const bool is_open = each.partly_unmet || verdict.lower_bound;  // it may be worse than it seems
  if (reference_explains(each, share, verdict)) verdict.verdict = NightVerdict::cannot_tell;
  else if (loss && worse + half > limit && each.of_one_run) {
    verdict.verdict = NightVerdict::cannot_tell;
    verdict.unconfirmed = true;
    add_note(verdict, "a loss of one run that no other confirms: the others of the night have no figure");
  } else if (loss && worse + half > limit && each.beside_unmet) {
    verdict.verdict = NightVerdict::cannot_tell;
    add_note(verdict, "the reference newly misses the latency target: what both share may be slow");
  } else if (loss && worse + half > limit && each.beside_bound) {
    verdict.verdict = NightVerdict::cannot_tell;
    add_note(verdict, "ops of the reference had not ended either: what both share may be slow");
  } else if (loss && worse + half > limit) verdict.verdict = NightVerdict::regression;
  else if (gain && !is_open) verdict.verdict = NightVerdict::improvement;
  else if (worse + half <= limit && change.visible(share) <= limit && !is_open)
    verdict.verdict = NightVerdict::no_change;
  else {
    verdict.verdict = NightVerdict::cannot_tell;
    if (!verdict.smallest_visible) add_note(verdict, "the nights vary too much");
  }
}

/// A note for each measurement with figures that drift: the first of them, and how many there are.
std::vector<std::string> drift_notes(const std::vector<FigureVerdict>& figures) {
  std::map<std::string, std::vector<const FigureVerdict*>> drifting;
  for (const FigureVerdict& figure : figures)
    if (figure.drift_per_night != 0) drifting[figure.measurement].push_back(&figure);
  std::vector<std::string> notes;
  for (const auto& [measurement, of_measurement] : drifting) {
    const std::size_t more = of_measurement.size() - 1;
    notes.push_back(fmt::format(
        "{}{} drifts by {:+.2g} % per night{}", measurement.empty() ? "" : measurement + ": ",
        of_measurement.front()->figure, 100 * of_measurement.front()->drift_per_night,
        more == 0 ? "" : fmt::format(", and {} {}", counted(more, "more figure"), more == 1 ? "drifts" : "drift")));
  }
  return notes;
}

/// Op kinds alone never make a night "cannot tell". `unmeasured`: a measurement has nothing to compare.
NightVerdict overall_verdict(const std::vector<FigureVerdict>& figures, bool unmeasured) {
  const auto any = [&](NightVerdict verdict) {
    return std::ranges::any_of(figures, [&](const FigureVerdict& figure) {
      const bool counts = figure.kind != FigureKind::op_kind || verdict != NightVerdict::cannot_tell;
      return counts && figure.verdict == verdict;
    });
  };
  if (any(NightVerdict::regression)) return NightVerdict::regression;
  if (unmeasured || figures.empty() || any(NightVerdict::cannot_tell)) return NightVerdict::cannot_tell;
  return any(NightVerdict::improvement) ? NightVerdict::improvement : NightVerdict::no_change;
}

/// "simulated", or the names of the measurements that were simulated; "" when none was.
std::string simulated_note(const Night& night) {
  std::vector<std::string> names;
  for (const NightMeasurement& measurement : night.measurements)
    if (is_simulated(measurement)) names.push_back(measurement.name);
  if (names.empty()) return "";
  return names.size() == night.measurements.size() ? "simulated" : fmt::format("simulated: {}", fmt::join(names, ", "));
}

}  // namespace

NightJudgement judge(std::span<const Night> history, const Night& tonight, const Gate& gate) {
  NightJudgement judgement;
  static_cast<GateSettings&>(judgement) = gate;
  judgement.simulated = simulated_note(tonight);
  std::vector<FigureComparison> figures;
  bool unmeasured = false;
  for (const NightMeasurement& measurement : tonight.measurements) {
    const Gate own = gate.of(measurement.name);
    const MeasurementComparison comparison(history, tonight, measurement, own);
    std::vector<FigureComparison> compared = comparison.figures();
    unmeasured |= comparison.has_no_figure() || (compared.empty() && has_figures(measurement));
    for (FigureComparison& each : compared) {
      each.verdict.invalid = is_invalid(measurement, each.verdict.figure);
      each.verdict.invalid_reasons = why_invalid(measurement, each.verdict.figure);
      figures.push_back(std::move(each));
    }
    if (std::string why = comparison.incomparable(); !why.empty())
      judgement.incomparable.push_back({measurement.name, std::move(why)});
    std::ranges::move(comparison.notes(), std::back_inserter(judgement.notes));
  }
  share_false_alarms(figures);
  for (FigureComparison& each : figures) {
    decide(each, gate.of(each.verdict.measurement));
    judgement.figures.push_back(std::move(each.verdict));
  }
  std::ranges::move(drift_notes(judgement.figures), std::back_inserter(judgement.notes));
  judgement.verdict = overall_verdict(judgement.figures, unmeasured);
  return judgement;
}

bool needs_another_run(const NightJudgement& judgement, std::size_t runs, std::size_t most, std::size_t with_figures) {
  const auto any_p_below = [&](double factor) {
    return std::ranges::any_of(judgement.figures, [&](const FigureVerdict& figure) {
      return figure.p && *figure.p <= factor * judgement.false_alarms;
    });
  };
  // An alarm rests on two runs or more. An invalid run without figures is replaced, up to twice as many runs in all.
  if (most >= 2 && with_figures < 2 && runs < 2 * most && any_p_below(1)) return true;
  if (runs >= most) return false;
  if (with_figures == 0 || std::ranges::any_of(judgement.figures, &FigureVerdict::unconfirmed)) return true;
  if (any_p_below(certain_factor)) return with_figures < 2;
  if (any_p_below(doubt_factor)) return true;
  return std::ranges::any_of(judgement.figures, [](const FigureVerdict& figure) {
    if (figure.verdict != NightVerdict::cannot_tell || figure.kind == FigureKind::op_kind) return false;
    if (figure.newly_unmet) return true;  // more runs decide whether most of them miss the target
    return figure.change && figure.within_nights.value_or(0) > figure.between_nights.value_or(0);
  });
}

}  // namespace edagen
