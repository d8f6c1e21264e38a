#include "nights/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "nights/history.hpp"
#include "nights/measurement_cases.hpp"

namespace edagen {
namespace {

constexpr double detail_share = 0.25;      // of the false-alarm rate, for the figures of op kinds together
const double widest = std::log(11.0);      // of a few wild nights: ten times as much would not be seen
constexpr double moves = 0.05;             // p of the reference's own change, in the way that explains the figure's
constexpr double doubt = 10, early = 0.1;  // times the false-alarm rate

/// Shares of the false-alarm rate; together 1.
void share_out(std::vector<FigureCase>& cases) {
  const auto details = static_cast<double>(std::ranges::count(cases, true, &FigureCase::detail));
  const double others = static_cast<double>(cases.size()) - details;
  for (FigureCase& each : cases) {
    const double part = details == 0 || others == 0 ? 1 : each.detail ? detail_share : 1 - detail_share;
    each.weight = part / (each.detail ? details : others);
  }
}

double p_worse(const LogChange& change, FigureKind kind) {
  return higher_is_better(kind) ? change.p_below() : change.p_above();
}
double p_better(const LogChange& change, FigureKind kind) {
  return higher_is_better(kind) ? change.p_above() : change.p_below();
}

void add_note(FigureVerdict& verdict, const std::string& note) {
  verdict.note += (verdict.note.empty() ? "" : "; ") + note;
}

/// That and how the reference has changed tonight; whether that, and not the volume, is what its ratio shows.
bool reference_explains(const FigureCase& each, double share, FigureVerdict& verdict) {
  if (!each.reference) return false;
  const double worse = p_worse(*each.change, verdict.kind), better = p_better(*each.change, verdict.kind);
  if (std::min(worse, better) > share) return false;
  const std::string changed =
      fmt::format("the reference has changed by {:+.1f} %, what is measured by {:+.1f} %",
                  100 * std::expm1(each.reference->change), 100 * std::expm1(each.alone->change));
  const bool loss = worse < better;
  const double its = loss ? p_better(*each.reference, verdict.kind) : p_worse(*each.reference, verdict.kind);
  const double alone = loss ? p_worse(*each.alone, verdict.kind) : p_better(*each.alone, verdict.kind);
  const bool explains = its <= moves && alone > share;
  if (explains || std::abs(each.reference->change) > std::abs(each.alone->change)) add_note(verdict, changed);
  return explains;
}

/// The figure as it is told: `change` from `expected`.
void tell(FigureVerdict& verdict, const LogChange& change, double share) {
  const double half = change.half_width(share), visible = change.visible(share);
  verdict.change = std::expm1(change.change);
  verdict.interval = {}, verdict.smallest_visible.reset();
  if (visible > widest) return;
  verdict.interval = {std::expm1(change.change - half), std::expm1(change.change + half)};
  verdict.smallest_visible = higher_is_better(verdict.kind) ? -std::expm1(-visible) : std::expm1(visible);
}

/// A loss that is there for long, by the last nights together. It is looked for each night with most of the same
/// nights, so at a tenth of the share: it adds a tenth of the false alarms at most, and less where nights vary so
/// little that a loss above the limit is none by chance.
void decide_long_before(FigureCase& each, const Gate& gate, double share) {
  FigureVerdict& verdict = each.verdict;
  if (!each.long_before || verdict.verdict == NightVerdict::regression) return;
  const LogChange& change = *each.long_before;
  const double worse = higher_is_better(verdict.kind) ? -change.change : change.change;
  const double p = p_worse(change, verdict.kind);
  if (p > early * share || worse <= log_of_loss(gate, verdict.kind)) return;
  verdict.verdict = NightVerdict::regression;
  verdict.p = std::min(1.0, p / (early * each.weight));
  verdict.expected = std::exp(each.level_before);
  tell(verdict, change, early * share);
  add_note(verdict,
           fmt::format("the last {} nights together, against the first {} of its level: a drift, or a loss that "
                       "single nights do not show",
                       recent_nights, each.nights_before));
}

void decide(FigureCase& each, const Gate& gate) {
  FigureVerdict& verdict = each.verdict;
  if (each.unmet) verdict.verdict = NightVerdict::regression, verdict.p = 0;
  if (!each.change) return;
  const LogChange& change = *each.change;
  const double share = gate.false_alarms * each.weight, half = change.half_width(share);
  const double worse = higher_is_better(verdict.kind) ? -change.change : change.change;
  const double limit = log_of_loss(gate, verdict.kind);
  tell(verdict, change, share);
  verdict.p = std::min(1.0, p_worse(change, verdict.kind) / each.weight);
  const bool loss = p_worse(change, verdict.kind) <= share, gain = p_better(change, verdict.kind) <= share;
  if (reference_explains(each, share, verdict)) verdict.verdict = NightVerdict::cannot_tell;
  else if (loss && worse + half > limit && each.of_one_run) {
    verdict.verdict = NightVerdict::cannot_tell;
    add_note(verdict, "a loss of one run that no other confirms: the others of the night have no figure");
  } else if (loss && worse + half > limit) verdict.verdict = NightVerdict::regression;
  else if (gain && !each.partly_unmet) verdict.verdict = NightVerdict::improvement;
  else if (worse + half <= limit && change.visible(share) <= limit && !each.partly_unmet)
    verdict.verdict = NightVerdict::no_change;
  else verdict.verdict = NightVerdict::cannot_tell;
  decide_long_before(each, gate, share);
}

/// Of the figures of one measurement: the first, and how many.
struct Drifts {
  std::string figure;
  double per_night = 0;
  std::size_t count = 0;
};

void add_drift(const FigureVerdict& verdict, std::map<std::string, Drifts>& drifts) {
  if (verdict.drift_per_night == 0) return;
  Drifts& its = drifts[verdict.measurement];
  if (its.count++ == 0) its.figure = verdict.figure, its.per_night = verdict.drift_per_night;
}

/// Details alone cannot keep a night from being told: what they leave open is said in their lines. `silent`: of some
/// measurement there is nothing to compare.
NightVerdict of_all(const std::vector<FigureVerdict>& figures, bool silent) {
  const auto any = [&](NightVerdict verdict) {
    return std::ranges::any_of(figures, [&](const FigureVerdict& figure) {
      const bool counts = figure.kind != FigureKind::op_kind || verdict != NightVerdict::cannot_tell;
      return counts && figure.verdict == verdict;
    });
  };
  if (any(NightVerdict::regression)) return NightVerdict::regression;
  if (silent || figures.empty() || any(NightVerdict::cannot_tell)) return NightVerdict::cannot_tell;
  return any(NightVerdict::improvement) ? NightVerdict::improvement : NightVerdict::no_change;
}

/// "simulated", or of which measurements the figures are a model's; "" of none.
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
  judgement.false_alarms = gate.false_alarms;
  judgement.max_regression = gate.max_regression;
  judgement.max_tail_regression = gate.max_tail_regression;
  judgement.since = gate.since;
  if (const std::string note = simulated_note(tonight); !note.empty()) judgement.notes.push_back(note);
  std::vector<FigureCase> cases;
  bool silent = false;
  for (const NightMeasurement& measurement : tonight.measurements) {
    const Gate own = gate.of(measurement.name);
    const MeasurementCases its(history, tonight, measurement, own);
    for (FigureCase& each : its.cases()) cases.push_back(std::move(each));
    std::ranges::move(its.notes(), std::back_inserter(judgement.notes));
    silent |= its.is_silent();
  }
  share_out(cases);
  std::map<std::string, Drifts> drifts;
  for (FigureCase& each : cases) {
    const Gate own = gate.of(each.verdict.measurement);
    each.verdict.limit = own.limit(each.verdict.kind);
    decide(each, own);
    add_drift(each.verdict, drifts);
    judgement.figures.push_back(std::move(each.verdict));
  }
  for (const auto& [measurement, its] : drifts)
    judgement.notes.push_back(fmt::format(
        "{}{} drifts by {:+.2g} % per night{}", measurement.empty() ? "" : measurement + ": ", its.figure,
        100 * its.per_night, its.count > 1 ? fmt::format(", and {} more figures drift", its.count - 1) : ""));
  judgement.verdict = of_all(judgement.figures, silent);
  return judgement;
}

bool needs_another_run(const NightJudgement& judgement, std::size_t runs, std::size_t most, std::size_t with_figures) {
  const auto shows = [&](double times) {
    return std::ranges::any_of(judgement.figures, [&](const FigureVerdict& figure) {
      return figure.p && *figure.p <= times * judgement.false_alarms;
    });
  };
  // An alarm rests on two runs or more. One that is invalid has no figures and is made up for, but not for ever.
  if (most >= 2 && with_figures < 2 && runs < 2 * most && shows(1)) return true;
  if (runs >= most) return false;
  if (shows(early)) return with_figures < 2;
  if (shows(doubt)) return true;
  return std::ranges::any_of(judgement.figures, [](const FigureVerdict& figure) {
    if (figure.verdict != NightVerdict::cannot_tell || figure.kind == FigureKind::op_kind) return false;
    if (figure.newly_unmet) return true;  // they decide whether most runs miss the target
    return figure.change && figure.within_nights.value_or(0) > figure.between_nights.value_or(0);
  });
}

}  // namespace edagen
