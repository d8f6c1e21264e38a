#include "nights/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>

#include "nights/baseline.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"
#include "nights/level.hpp"

namespace edagen {
namespace {

constexpr double detail_share = 0.25;  // of the false-alarm rate, for the figures of op kinds together
const double widest = std::log(11.0);  // of a few wild nights: ten times as much would not be seen
constexpr double moves = 0.05;         // p of the reference's own change, in the way that explains the figure's
constexpr double stickiness = 1.5;     // so much less must be visible for a choice to depend on how nights varied
constexpr std::size_t few_nights = 10;
constexpr std::size_t most_nights = 365;  // in which a level is sought
constexpr std::size_t recent_nights = 7, least_before = 5, least_of_drift = 15;
constexpr double doubt = 10, early = 0.1;  // times the false-alarm rate

/// What may be lost, as a logarithm: a loss of a rate, a gain of a latency.
double log_of_loss(const Gate& gate, FigureKind kind) {
  const double relative = gate.limit(kind);
  return higher_is_better(kind) ? -std::log1p(-relative) : std::log1p(relative);
}

/// One figure on its way to a verdict.
struct Case {
  FigureVerdict verdict;
  std::optional<LogChange> change;
  double weight = 0;
  bool detail = false;
  bool unmet = false, partly_unmet = false;  ///< the latency target: by most runs of the night, by some
  /// What was measured without the reference, and the reference without the volume.
  std::optional<LogChange> alone, reference;
  /// The last nights together against those long before, where there are enough of both.
  std::optional<LogChange> long_before;
  double level_before = 0;
  std::size_t nights_before = 0;
};

/// A figure's history, by its own values or by their ratios to the reference.
struct Against {
  std::vector<FigureNight> nights;
  Level level;
  LogSample own, tonight;           ///< `tonight`: own, or its ratio
  std::vector<std::size_t> places;  ///< of the nights that count
  std::vector<LogSample> used;
  std::optional<LogBaseline> baseline;

  double visible(double p) const { return change_from(*baseline, tonight).visible(p); }
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
      if (!differs.empty()) {
        ++left_out_, last_difference_ = differs;
        continue;
      }
      nights_.push_back({&night, its});
      const std::string allowed = measurement.runs.empty() ? "" : difference_in_words(*its, measurement, {});
      if (!allowed.empty()) ++allowed_, last_allowed_ = allowed;
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
      notes.push_back(fmt::format("{}{} {} not comparable with tonight: {}", prefix(), left_out_,
                                  left_out_ == 1 ? "night is" : "nights are", last_difference_));
    if (allowed_ > 0)
      notes.push_back(fmt::format("{}{} compared although they differ: {}", prefix(),
                                  allowed_ == 1 ? "1 night is" : fmt::format("{} nights are", allowed_),
                                  last_allowed_));
    if (is_silent())
      notes.push_back(measurement_.name +
                      ": nothing to compare: no valid load point, and no rate at a target but a lower bound");
    return notes;
  }
  /// It was measured, and there is no figure.
  bool is_silent() const { return !measurement_.runs.empty() && !has_figures(measurement_); }

 private:
  /// "projects: "; of files nothing.
  std::string prefix() const { return measurement_.name.empty() ? "" : measurement_.name + ": "; }

  struct Before {
    const Night* night;
    const NightMeasurement* measurement;
  };

  static std::vector<NightFigure> own_figures(const NightMeasurement& measurement) {
    std::vector<NightFigure> all;
    for (const NightRun& run : measurement.runs)
      for (const NightFigure& figure : run.figures)
        if (!run.reference && std::ranges::find(all, figure.name, &NightFigure::name) == all.end())
          all.push_back(figure);
    return all;
  }

  /// Tonight's, and those that tonight has not and enough of the last nights had; rare ops are not there each night.
  std::vector<NightFigure> all_figures() const {
    std::vector<NightFigure> all = own_figures(measurement_);
    const std::size_t last = std::min(nights_.size(), gate_.nights), enough = std::min(last, least_nights);
    std::map<std::string, std::size_t> nights;
    for (const NightFigure& figure : all) nights[figure.name] = enough;
    for (std::size_t i = nights_.size() - last; i < nights_.size(); ++i)
      for (const NightFigure& figure : own_figures(*nights_[i].measurement))
        if (++nights[figure.name] == enough && figure.kind != FigureKind::op_kind) all.push_back(figure);
    return all;
  }

  /// The night was told to have a regression of the figure, and not before `since` was set, which accepts it.
  bool was_told(const Night& night, const NightFigure& figure) const {
    return was_regression(night, measurement_.name, figure.name) &&
           (gate_.since.empty() || night.judgement->since == gate_.since);
  }

  Against against(const NightFigure& figure, const LogSample& own, const std::optional<LogSample>& reference) const {
    Against made;
    std::vector<LogSample> values, references;
    for (const auto& [night, measurement] : nights_) {
      const auto its = sample_of(*measurement, figure.name, false);
      const auto beside = reference ? sample_of(*measurement, figure.name, true) : std::nullopt;
      if (!its || (reference && !beside)) continue;
      values.push_back(*its);
      if (beside) references.push_back(*beside);
      made.nights.push_back({.when = night->started_at,
                             .own = {},
                             .reference = std::nullopt,
                             .compared = {},
                             .was_regression = was_told(*night, figure)});
    }
    const auto excess = static_cast<std::ptrdiff_t>(values.size() - std::min(values.size(), most_nights));
    made.nights.erase(made.nights.begin(), made.nights.begin() + excess);
    values.erase(values.begin(), values.begin() + excess);
    if (reference) references.erase(references.begin(), references.begin() + excess);
    LogSample beside = reference.value_or(LogSample());
    made.own = own;
    pool_errors(values, made.own);
    pool_errors(references, beside);
    made.tonight = reference ? ratio(made.own, beside) : made.own;
    for (std::size_t i = 0; i < values.size(); ++i) {
      made.nights[i].own = made.nights[i].compared = values[i];
      if (!reference) continue;
      made.nights[i].reference = references[i];
      made.nights[i].compared = ratio(values[i], references[i]);
    }
    made.level = level_of(made.nights, log_of_loss(gate_, figure.kind) / 2, higher_is_better(figure.kind));
    made.places = made.level.nights;
    if (made.places.size() > gate_.nights)
      made.places.erase(made.places.begin(), made.places.end() - static_cast<std::ptrdiff_t>(gate_.nights));
    for (const std::size_t place : made.places) made.used.push_back(made.nights[place].compared);
    if (made.used.size() >= least_nights) made.baseline = baseline_of(made.used);
    return made;
  }

  /// By the reference, unless nights that have one are too few or vary so much that the values alone show more.
  Against chosen(const NightFigure& figure, const LogSample& own, const std::optional<LogSample>& reference,
                 FigureVerdict& verdict) const {
    Against alone = against(figure, own, std::nullopt);
    if (!reference) return alone;
    Against ratios = against(figure, own, reference);
    std::string& note = verdict.note;
    if (ratios.level.reference_moved != 0)
      note = fmt::format("the reference moved by {:+.1f} % {} nights ago",
                         100 * std::expm1(ratios.level.reference_moved), ratios.nights.size() - ratios.level.begins);
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

  Case case_of(const NightFigure& figure) const {
    Case made;
    made.detail = figure.kind == FigureKind::op_kind;
    FigureVerdict& verdict = made.verdict;
    verdict.measurement = measurement_.name;
    verdict.figure = figure.name;
    verdict.kind = figure.kind;
    const auto own = sample_of(measurement_, figure.name, false);
    const auto reference = own ? sample_of(measurement_, figure.name, true) : std::nullopt;
    const Against its = chosen(figure, own.value_or(LogSample()), reference, verdict);
    verdict.nights = its.used.size();
    if (own) verdict.value = std::exp(own->value);
    if (!its.baseline) {
      verdict.note = fmt::format("needs {} comparable nights before, and has {}", least_nights, its.used.size());
      return made;
    }
    const LogBaseline& baseline = *its.baseline;
    const double scale = verdict.against_reference ? reference->value : 0;
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
    verdict.within_nights = its.tonight.error;
    if (verdict.against_reference) look_at_reference(its, *reference, made);
    look_long_before(its, made);
    made.level_before += scale;
    return made;
  }

  /// Runs of which no load met the latency target have no value. Most of a night are a loss, unless that was so before.
  void look_at_target(const NightFigure& figure, Case& made) const {
    const Unmet tonight = unmet_runs(measurement_, figure.name);
    if (tonight.unmet == 0) return;
    std::size_t nights = 0, unmet = 0;
    for (const Before& before : nights_) {
      if (was_told(*before.night, figure)) continue;  // else a loss became usual by lasting
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

  void look_at_reference(const Against& its, const LogSample& reference, Case& made) const {
    std::vector<LogSample> references, values;
    for (const std::size_t place : its.places) {
      references.push_back(*its.nights[place].reference);
      values.push_back(its.nights[place].own);
    }
    made.reference = change_from(baseline_of(references), reference);
    made.alone = change_from(baseline_of(values), its.own);
  }

  /// What goes on slowly is taken for a drift, which a night does not differ from; and a loss that is found in some
  /// nights alone is not seen as a whole. So the last nights together are held against the first of the level.
  void look_long_before(const Against& its, Case& made) const {
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

  const Gate& gate_;
  const NightMeasurement& measurement_;
  std::vector<Before> nights_;
  std::size_t left_out_ = 0, allowed_ = 0;
  std::string last_difference_, last_allowed_;
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
bool reference_explains(const Case& each, double share, FigureVerdict& verdict) {
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
/// nights, so at a tenth of the share: it adds next to nothing to the false alarms.
void decide_long_before(Case& each, const Gate& gate, double share) {
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

void decide(Case& each, const Gate& gate) {
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
  else if (loss && worse + half > limit) verdict.verdict = NightVerdict::regression;
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

}  // namespace

NightJudgement judge(std::span<const Night> history, const Night& tonight, const Gate& gate) {
  NightJudgement judgement;
  judgement.false_alarms = gate.false_alarms;
  judgement.max_regression = gate.max_regression;
  judgement.max_tail_regression = gate.max_tail_regression;
  judgement.since = gate.since;
  std::vector<Case> cases;
  bool silent = false;
  for (const NightMeasurement& measurement : tonight.measurements) {
    const Gate own = gate.of(measurement.name);
    const MeasurementCases its(history, tonight, measurement, own);
    for (Case& each : its.cases()) cases.push_back(std::move(each));
    std::ranges::move(its.notes(), std::back_inserter(judgement.notes));
    silent |= its.is_silent();
  }
  share_out(cases);
  std::map<std::string, Drifts> drifts;
  for (Case& each : cases) {
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
    if (figure.verdict != NightVerdict::cannot_tell || figure.kind == FigureKind::op_kind) return false;
    if (figure.newly_unmet) return true;  // they decide whether most runs miss the target
    return figure.change && figure.within_nights.value_or(0) > figure.between_nights.value_or(0);
  });
}

}  // namespace edagen
