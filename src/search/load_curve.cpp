#include <algorithm>
#include <cmath>

#include "edagen/search.hpp"
#include "search/curve_point.hpp"
#include "search/full_runs.hpp"
#include "search/probes_answer.hpp"
#include "search/rate_at_latency.hpp"

namespace edagen {
namespace {

// Durations of probes as shares of a full run's. A search measures about a fifth as long as ten full runs.
constexpr double explore_share = 0.04;
constexpr double refine_share = 0.10;
constexpr int most_explorations = 40;
constexpr int most_halvings = 12;
constexpr int refinements = 6;
constexpr int most_full_runs = 7;
constexpr Nanos shortest_probe = std::chrono::milliseconds(200);

class Plan {
 public:
  Plan(LoadRunner& runner, const CurvePlan& plan, CurveObserver& observer)
      : runner_(runner), plan_(plan), observer_(observer) {}

  Curve carry_out() {
    curve_.statistic = plan_.load.statistic;
    if (plan_.points > 0) fixed_points();
    else search_all();
    for (const Nanos target : plan_.targets) curve_.answers.push_back(rate_at_latency(curve_.points, target));
    return std::move(curve_);
  }

 private:
  /// Targets ascend, so that each search starts from the points of the one before.
  void search_all() {
    std::vector<Nanos> ascending = plan_.targets;
    std::sort(ascending.begin(), ascending.end());
    for (const Nanos target : ascending)
      if (!ended_) search(target);
  }

  const CurvePoint& measure(double rate, double share, Purpose purpose) {
    LoadPoint load = plan_.load;
    std::size_t sets = 0;
    if (plan_.job_sets > 0) {
      const double per_set = plan_.own_rate / static_cast<double>(plan_.job_sets);
      sets = static_cast<std::size_t>(
          std::clamp<double>(std::round(rate / per_set), 1, static_cast<double>(plan_.job_sets)));
      load.job_sets = sets;
      rate = per_set * static_cast<double>(sets);
    }
    load.ops_per_sec = rate;
    load.settle = share == 1;
    const auto part = [&](Nanos time) { return std::chrono::duration_cast<Nanos>(time * share); };
    load.duration = std::max(part(load.duration), std::min(load.duration, shortest_probe));
    load.warmup = std::max(part(load.warmup), std::min(load.warmup, shortest_probe));
    // Enough intervals for batch means and trends, however short the window.
    load.interval = std::min<Nanos>(load.interval, load.duration / 20);
    observer_.point_begins(rate, std::string(display_name(purpose)));
    curve_.points.push_back(
        make_point(runner_.run(load, observer_), load.statistic, plan_.targets.front(), purpose, sets));
    CurvePoint& point = curve_.points.back();
    observer_.point_done(point);
    curve_.interrupted = point.stats.interrupted;
    ended_ = point.stats.interrupted || point.stats.too_many_errors || point.stats.stuck_ops > 0;
    return point;
  }

  void fixed_points() {
    for (std::size_t i = 1; i <= plan_.points && !ended_; ++i)
      measure(plan_.max_rate * static_cast<double>(i) / static_cast<double>(plan_.points), 1, Purpose::load_point);
  }

  static bool above(const CurvePoint& point, Nanos target) { return point.above(target); }
  double highest() const {
    if (plan_.job_sets > 0) return plan_.own_rate;
    return plan_.max_rate > 0 ? plan_.max_rate : 1e12;
  }
  double lowest() const {
    return plan_.job_sets > 0 ? plan_.own_rate / static_cast<double>(plan_.job_sets) : plan_.own_rate / 4096;
  }

  /// Probes locate the rate; full runs confirm or correct it.
  void search(Nanos target) {
    std::size_t needed = 2;
    if (!locate(target, needed)) return;
    for (int i = 0; i < most_full_runs && !ended_; ++i) {
      const auto rate = next_full_run(target);
      if (!rate) return;
      const CurvePoint& point = measure(*rate, 1, Purpose::full_run);
      // Far below the target, and no full run over it: the probes over it may have been disturbed. Probe again.
      const bool far = !point.above(0.5 * NanosF(target)) && full_runs(curve_.points, target).over == 0;
      if (far && next_full_run(target) && !locate(target, ++needed)) return;
    }
  }

  /// Locates the rate by probes. false: no load meets the target.
  bool locate(Nanos target, std::size_t needed) {
    double below = 0, over = 0;
    if (!find_bracket(target, needed, below, over)) return over == 0;
    narrow_bracket(target, below, over);
    refine(target, below, over);
    return true;
  }

  /// nullopt: enough is known.
  std::optional<double> next_full_run(Nanos target) const {
    const ProbesAnswer probes = probes_answer(curve_.points, target);
    if (probes.standing == ProbesAnswer::upheld) return std::nullopt;
    const FullRuns full = full_runs(curve_.points, target, resolution());
    if (probes.standing == ProbesAnswer::undecided || full.met + full.over == 0)
      return std::clamp(probes.check_at, lowest(), highest());
    const bool at_limit =
        (full.met == 0 && full.lowest_over <= lowest()) || (full.over == 0 && full.highest_met >= highest());
    if (full.next == 0 || at_limit) return std::nullopt;
    return std::clamp(full.next, lowest(), highest());
  }

  /// The highest rate measured below the target and the lowest one above that measured over it. Disturbances only slow
  /// a probe down, so a rate below the target outweighs lower rates over it.
  void known_bracket(Nanos target, double& below, double& over) const {
    below = over = 0;
    for (const CurvePoint& point : curve_.points)
      if (!above(point, target)) below = std::max(below, point.stats.requested_ops_per_sec.value_or(0));
    for (const CurvePoint& point : curve_.points) {
      const double rate = point.stats.requested_ops_per_sec.value_or(0);
      if (above(point, target) && rate > below) over = over == 0 ? rate : std::min(over, rate);
    }
  }

  /// How many points between the two rates are over the target.
  std::size_t probes_over(Nanos target, double below, double over) const {
    return static_cast<std::size_t>(
        std::count_if(curve_.points.begin(), curve_.points.end(), [&](const CurvePoint& point) {
          const double rate = point.stats.requested_ops_per_sec.value_or(0);
          return above(point, target) && rate > below && rate <= 1.001 * over;
        }));
  }

  /// Raises the rate until the latency is over the target, or lowers it until it is below. The upper end counts once
  /// `needed` points are over the target there.
  bool find_bracket(Nanos target, std::size_t needed, double& below, double& over) {
    known_bracket(target, below, over);
    double rate = over > 0 ? over : below > 0 ? below : std::clamp(plan_.own_rate / 8, lowest(), highest());
    bool first = below == 0 && over == 0;
    for (int i = 0; i < most_explorations && !ended_; ++i) {
      if (over > 0 && probes_over(target, below, over) < needed) {
        rate = over;
      } else if (below > 0 && over > 0) {
        return true;
      } else if (over > 0) {
        if (over <= lowest()) return false;  // no load meets the target
        rate = std::max(over / 4, lowest());
      } else if (below > 0) {
        if (below >= highest()) return false;  // the target is not reached
        const bool far = !first && curve_.points.back().latency < 0.25 * NanosF(target);
        rate = std::min(below * (far ? 4 : 2), highest());
      }
      measure(rate, explore_share, Purpose::exploration);
      known_bracket(target, below, over);
      first = false;
    }
    return false;
  }

  void narrow_bracket(Nanos target, double& below, double& over) {
    for (int i = 0; i < most_halvings && !ended_ && over > 1.12 * below && over - below > resolution(); ++i) {
      const double middle = (below + over) / 2;
      measure(middle, explore_share, Purpose::exploration);
      known_bracket(target, below, over);
      if (over == 0 || over <= below) over = 2 * below;  // the upper end was refuted
    }
  }

  /// Job sets come in whole numbers.
  double resolution() const { return plan_.job_sets > 0 ? 1.5 * lowest() : 0; }

  double estimate(Nanos target, double below, double over) const {
    const AtTarget answer = rate_at_latency(curve_.points, target);
    if (!answer.bounded || answer.ops_per_sec <= 0) return std::sqrt(below * over);
    return answer.ops_per_sec;
  }

  /// Probes on both sides of the crossing. Each is placed by all points so far and not by the bracket, so that one
  /// disturbed probe does not mislead it.
  void refine(Nanos target, double below, double over) {
    constexpr double sides[] = {0.97, 1.02, 0.985, 1.01, 0.96, 1.025};
    for (int i = 0; i < refinements && !ended_; ++i) {
      const double center = std::clamp(estimate(target, below, over), 0.5 * below, 2 * over);
      measure(std::min(center * sides[i], highest()), refine_share, Purpose::refinement);
    }
  }

  LoadRunner& runner_;
  const CurvePlan& plan_;
  CurveObserver& observer_;
  Curve curve_;
  bool ended_ = false;
};

}  // namespace

Curve measure(LoadRunner& runner, const CurvePlan& plan, CurveObserver& observer) {
  return Plan(runner, plan, observer).carry_out();
}

}  // namespace edagen
