#include "nights/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>

#include "nights/baseline.hpp"
#include "nights/change_points.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"
#include "stats/holm.hpp"

namespace edagen {
namespace {

constexpr double detail_share = 0.25;      // of the false-alarm rate, for the figures of op kinds together
const double widest = std::log(11.0);      // of a few wild nights: ten times as much would not be seen
constexpr double level_error = 0.001;      // of a change point that cuts the history
constexpr double doubt = 10, early = 0.1;  // times the false-alarm rate

/// What may be lost, as a logarithm: a loss of a rate, a gain of a latency.
double log_of_loss(const Gate& gate, FigureKind kind) {
  const double relative = gate.limit(kind);
  return higher_is_better(kind) ? -std::log1p(-relative) : std::log1p(relative);
}

/// Nights that are of the level that tonight is held against: those after a change for the better, and not those after
/// a change for the worse. What is worse or better by less than half of what may be lost is of the same level.
std::vector<LogSample> of_good_level(const std::vector<LogSample>& nights, const Gate& gate, FigureKind kind) {
  std::vector<double> values;
  for (const LogSample& night : nights) values.push_back(night.value);
  std::vector<ChangePoint> changes = change_points_of(values, level_error);
  if (changes.empty()) return nights;
  const double tolerated = log_of_loss(gate, kind) / 2;
  std::vector<LogSample> kept(nights.begin(), nights.begin() + static_cast<std::ptrdiff_t>(changes[0].begins));
  double level = changes[0].before;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double better = (changes[i].after - level) * (higher_is_better(kind) ? 1 : -1);
    if (better < -tolerated) continue;
    if (better > tolerated) kept.clear(), level = changes[i].after;
    const std::size_t end = i + 1 < changes.size() ? changes[i + 1].begins : nights.size();
    kept.insert(kept.end(), nights.begin() + static_cast<std::ptrdiff_t>(changes[i].begins),
                nights.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return kept;
}

/// One figure on its way to a verdict.
struct Case {
  FigureVerdict verdict;
  std::optional<LogChange> change;
  double weight = 0;
  bool detail = false, unmet = false;
  /// The reference itself has changed: then what was measured must show the change, too, without it.
  std::optional<LogChange> alone;
};

class MeasurementCases {
 public:
  MeasurementCases(std::span<const Night> history, const Night& tonight, const NightMeasurement& measurement,
                   const Gate& gate)
      : gate_(gate), measurement_(measurement) {
    for (const Night& night : history) {
      if (night.started_at >= tonight.started_at || night.started_at < gate.since) continue;
      const NightMeasurement* const its = measurement_named(night, measurement.name);
      if (its == nullptr || !has_figures(*its)) continue;
      const std::string differs =
          measurement.runs.empty() ? "" : difference_in_words(*its, measurement, gate.allowed);  // it could not be run
      if (differs.empty()) nights_.push_back({&night, its});
      else ++left_out_, last_difference_ = differs;
    }
  }

  std::vector<Case> cases() const {
    std::vector<Case> all;
    for (const NightFigure& figure : all_figures()) {
      Case made = case_of(figure);
      if (made.change || !made.detail) all.push_back(std::move(made));  // rare ops are not there each night
    }
    return all;
  }
  std::vector<std::string> notes() const {
    std::vector<std::string> notes;
    if (left_out_ > 0)
      notes.push_back(fmt::format("{}: {} {} not comparable with tonight: {}", measurement_.name, left_out_,
                                  left_out_ == 1 ? "night is" : "nights are", last_difference_));
    if (!measurement_.runs.empty() && !has_figures(measurement_))
      notes.push_back(measurement_.name +
                      ": nothing to compare: no valid load point, and no rate at a target but a lower bound");
    return notes;
  }

 private:
  struct Before {
    const Night* night;
    const NightMeasurement* measurement;
  };

  /// Tonight's, and those that the night before had and tonight has not.
  std::vector<NightFigure> all_figures() const {
    std::vector<NightFigure> all;
    const auto add = [&](const NightMeasurement& measurement) {
      for (const NightRun& run : measurement.runs)
        for (const NightFigure& figure : run.figures)
          if (!run.reference && std::ranges::find(all, figure.name, &NightFigure::name) == all.end())
            all.push_back(figure);
    };
    add(measurement_);
    if (!nights_.empty()) add(*nights_.back().measurement);
    return all;
  }

  std::vector<LogSample> samples(const NightFigure& figure, bool against_reference) const {
    std::vector<LogSample> all;
    for (const auto& [night, measurement] : nights_) {
      if (gate_.since.empty() && was_regression(*night, measurement->name, figure.name)) continue;
      const auto own = sample_of(*measurement, figure.name, false);
      const auto reference = sample_of(*measurement, figure.name, true);
      if (own && against_reference && reference) all.push_back(ratio(*own, *reference));
      else if (own && !against_reference) all.push_back(*own);
    }
    if (all.size() > gate_.nights) all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(gate_.nights));
    return of_good_level(all, gate_, figure.kind);
  }

  Case case_of(const NightFigure& figure) const {
    Case made;
    made.detail = figure.kind == FigureKind::op_kind;
    FigureVerdict& verdict = made.verdict;
    verdict.measurement = measurement_.name;
    verdict.figure = figure.name;
    verdict.kind = figure.kind;
    const auto own = sample_of(measurement_, figure.name, false);
    const auto reference = sample_of(measurement_, figure.name, true);
    std::vector<LogSample> before;
    if (reference) before = samples(figure, true);
    verdict.against_reference = before.size() >= least_nights;
    if (!verdict.against_reference) before = samples(figure, false);
    verdict.nights = before.size();
    if (before.size() < least_nights) {
      if (own) verdict.value = std::exp(own->value);
      verdict.note = fmt::format("needs {} comparable nights before, and has {}", least_nights, before.size());
      return made;
    }
    const LogBaseline baseline = baseline_of(before);
    const double scale = verdict.against_reference ? reference->value : 0;
    verdict.outliers = baseline.outliers;
    verdict.expected = std::exp(baseline.expected + scale);
    verdict.between_nights = std::sqrt(baseline.between());
    verdict.within_nights = std::sqrt(baseline.within);
    verdict.drift_per_night = std::expm1(baseline.slope);
    if (!own) {
      made.unmet = std::ranges::any_of(measurement_.runs, [&](const NightRun& run) {
        const auto found = std::ranges::find(run.figures, figure.name, &NightFigure::name);
        return !run.reference && found != run.figures.end() && !found->value;
      });
      verdict.note = made.unmet ? "no load meets the latency target" : "was not measured tonight";
      return made;
    }
    verdict.value = std::exp(own->value);
    made.change = change_from(baseline, verdict.against_reference ? ratio(*own, *reference) : *own);
    verdict.within_nights = own->error;
    if (verdict.against_reference) look_at_reference(figure, *own, *reference, made);
    return made;
  }

  void look_at_reference(const NightFigure& figure, const LogSample& own, const LogSample& reference,
                         Case& made) const {
    std::vector<LogSample> references, values;
    for (const auto& [night, measurement] : nights_) {
      const auto its = sample_of(*measurement, figure.name, true), value = sample_of(*measurement, figure.name, false);
      if (its && value) references.push_back(*its), values.push_back(*value);
    }
    const LogChange its = change_from(baseline_of(references), reference);
    if (std::min(its.p_above(), its.p_below()) * 2 > gate_.false_alarms) return;
    made.alone = change_from(baseline_of(values), own);
    made.verdict.note = fmt::format("the reference has changed by {:+.1f} %", 100 * std::expm1(its.change));
  }

  const Gate& gate_;
  const NightMeasurement& measurement_;
  std::vector<Before> nights_;
  std::size_t left_out_ = 0;
  std::string last_difference_;
};

/// Shares of the false-alarm rate; together 1.
void share_out(std::vector<Case>& cases) {
  const auto details = static_cast<double>(std::ranges::count(cases, true, &Case::detail));
  const double others = static_cast<double>(cases.size()) - details;
  for (Case& each : cases) {
    const double part = details == 0 || others == 0 ? 1 : each.detail ? detail_share : 1 - detail_share;
    each.weight = part / (each.detail ? details : others);
  }
}

void decide(Case& each, const Gate& gate, double p_worse, double p_better) {
  FigureVerdict& verdict = each.verdict;
  if (each.unmet) verdict.verdict = NightVerdict::regression, verdict.p = 0;
  if (!each.change) return;
  const LogChange& change = *each.change;
  const double share = gate.false_alarms * each.weight, half = change.half_width(share);
  const double worse = higher_is_better(verdict.kind) ? -change.change : change.change;
  const double limit = log_of_loss(gate, verdict.kind);
  const double visible = change.visible(share);
  verdict.p = p_worse;
  verdict.change = std::expm1(change.change);
  if (visible <= widest) {
    verdict.interval = {std::expm1(change.change - half), std::expm1(change.change + half)};
    verdict.smallest_visible = higher_is_better(verdict.kind) ? -std::expm1(-visible) : std::expm1(visible);
  }
  const bool contradicted =
      each.alone && (higher_is_better(verdict.kind) ? each.alone->p_below() : each.alone->p_above()) > share;
  if (p_worse <= gate.false_alarms && contradicted) verdict.verdict = NightVerdict::cannot_tell;
  else if (p_worse <= gate.false_alarms && worse + half > limit) verdict.verdict = NightVerdict::regression;
  else if (p_better <= gate.false_alarms) verdict.verdict = NightVerdict::improvement;
  else if (worse + half <= limit && visible <= limit) verdict.verdict = NightVerdict::no_change;
  else verdict.verdict = NightVerdict::cannot_tell;
}

/// Details alone cannot keep a night from being told: what they leave open is said in their lines.
NightVerdict of_all(const std::vector<FigureVerdict>& figures) {
  const auto any = [&](NightVerdict verdict) {
    return std::ranges::any_of(figures, [&](const FigureVerdict& figure) {
      const bool counts = figure.kind != FigureKind::op_kind || verdict != NightVerdict::cannot_tell;
      return counts && figure.verdict == verdict;
    });
  };
  for (const NightVerdict verdict : {NightVerdict::regression, NightVerdict::cannot_tell, NightVerdict::improvement})
    if (any(verdict)) return verdict;
  return figures.empty() ? NightVerdict::cannot_tell : NightVerdict::no_change;
}

}  // namespace

NightJudgement judge(std::span<const Night> history, const Night& tonight, const Gate& gate) {
  NightJudgement judgement;
  judgement.false_alarms = gate.false_alarms;
  judgement.max_regression = gate.max_regression;
  judgement.max_tail_regression = gate.max_tail_regression;
  std::vector<Case> cases;
  for (const NightMeasurement& measurement : tonight.measurements) {
    const MeasurementCases its(history, tonight, measurement, gate);
    for (Case& each : its.cases()) cases.push_back(std::move(each));
    std::ranges::move(its.notes(), std::back_inserter(judgement.notes));
  }
  share_out(cases);
  std::vector<double> worse, better, weights;
  for (const Case& each : cases) {
    if (!each.change) continue;
    const bool up = higher_is_better(each.verdict.kind);
    worse.push_back(up ? each.change->p_below() : each.change->p_above());
    better.push_back(up ? each.change->p_above() : each.change->p_below());
    weights.push_back(each.weight);
  }
  const std::vector<double> p_worse = holm_adjusted(worse, weights), p_better = holm_adjusted(better, weights);
  std::size_t next = 0;
  for (Case& each : cases) {
    const std::size_t at = each.change ? next++ : 0;
    if (each.change) decide(each, gate, p_worse[at], p_better[at]);
    else decide(each, gate, 1, 1);
    judgement.figures.push_back(std::move(each.verdict));
  }
  judgement.verdict = of_all(judgement.figures);
  return judgement;
}

bool needs_another_run(const NightJudgement& judgement, std::size_t runs, std::size_t most) {
  if (runs >= most) return false;
  const auto shows = [&](double times) {
    return std::ranges::any_of(judgement.figures, [&](const FigureVerdict& figure) {
      return figure.p && *figure.p <= times * judgement.false_alarms;
    });
  };
  if (shows(early)) return runs < 2;  // an alarm rests on two runs or more
  if (shows(doubt)) return true;
  return std::ranges::any_of(judgement.figures, [](const FigureVerdict& figure) {
    if (figure.verdict != NightVerdict::cannot_tell || !figure.change || figure.kind == FigureKind::op_kind)
      return false;
    return figure.within_nights.value_or(0) > figure.between_nights.value_or(0);
  });
}

}  // namespace edagen
