#include <algorithm>
#include <cmath>

#include "edagen/search.hpp"
#include "search/curve_point.hpp"
#include "search/rate_search.hpp"
#include "search/shape_rates.hpp"

namespace edagen {
namespace {

/// Measures what the searches of a plan ask for.
class CurveLoop {
 public:
  CurveLoop(LoadRunner& runner, const CurvePlan& plan, const EventSink& emit)
      : runner_(runner), plan_(plan), emit_(emit) {}

  /// Targets ascend. Each search has the blocks of all targets: later searches start from those of earlier ones, and
  /// what a later search demonstrated counts for earlier ones.
  Curve carry_out() {
    curve_.statistic = plan_.load.statistic;
    std::vector<RateSearch> searches;
    for (std::size_t target = 0; target < plan_.targets.size(); ++target) searches.emplace_back(plan_, target);
    for (std::size_t target = 0; target < plan_.targets.size(); ++target)
      while (const std::optional<SearchStep> step = searches[target].next()) {
        const SearchBlock block = measure(*step, plan_.targets[target]);
        for (RateSearch& search : searches) search.add(block);
        if (plan_.is_search()) emit_(AnswerEstimated{searches[target].answer()});
      }
    end_load();
    for (const RateSearch& search : searches) curve_.answers.push_back(search.answer());
    if (plan_.is_search() && plan_.shape) measure_shape();
    return std::move(curve_);
  }

 private:
  /// Points beyond the answer show where the latency goes from there. They are not measured where the answer is a lower
  /// bound, and the first one that overloads is the last one.
  void measure_shape() {
    const AtTarget& answer = *std::ranges::max_element(curve_.answers, {}, &AtTarget::ops_per_sec);
    bool overloaded = false;
    for (const double rate : shape_rates(plan_, answer)) {
      if (ended_ || (overloaded && rate > answer.ops_per_sec)) break;
      overloaded = overloads(measure({rate, Purpose::shape, shape_seconds(plan_, rate)}, plan_.targets.back()), plan_);
    }
    end_load();
  }

  SearchBlock measure(const SearchStep& step, Nanos target) {
    const auto [asked_rate, purpose, seconds] = step;
    double rate = asked_rate;
    std::size_t sets = 0;
    if (plan_.job_sets > 0) {
      const double per_set = plan_.own_rate / static_cast<double>(plan_.job_sets);
      sets = static_cast<std::size_t>(
          std::clamp<double>(std::round(rate / per_set), 1, static_cast<double>(plan_.job_sets)));
      rate = per_set * static_cast<double>(sets);
    }
    LoadPoint load = plan_.at(rate);
    if (sets > 0) load.job_sets = sets;
    const bool full = purpose == Purpose::load_point || purpose == Purpose::demonstration;
    load.settle = full;  // a search rests on the scatter of its blocks
    if (purpose == Purpose::demonstration) load.settle_within = from_seconds(std::max(seconds, 0.0));
    load.stays_up = !full;
    if (!full) {
      load.duration = from_seconds(seconds);
      load.warmup = settling(plan_.policy, target, seconds, loaded_);
      load.interval = load.duration;
      if (purpose == Purpose::shape) {
        load.warmup = std::max(load.warmup, from_seconds(plan_.shape->settle_share * seconds));
        load.interval = load.duration / static_cast<Nanos::rep>(plan_.shape->intervals);
      }
      load.drop_caches = load.drop_caches && curve_.points.empty();
      load.sync_after = false;
    }
    loaded_ = !full;
    emit_(PointBegan{rate, std::string(to_string(purpose))});
    curve_.points.push_back(make_point(runner_.run(load, emit_), load.statistic, target, purpose, sets));
    CurvePoint& point = curve_.points.back();
    emit_(PointEnded{point});
    SearchBlock block = search_block(point, plan_.load.statistic, plan_.targets);
    block.point = curve_.points.size() - 1;
    if (!full) point.stats.forget_latencies();
    curve_.interrupted = point.stats.interrupted;
    // What an overload has left behind must not count for the next block.
    if (!full && overloads(block, plan_) && end_load()) block.invalid.push_back(Invalid::stuck_ops);
    block.is_last = ended_ = curve_.interrupted || point.stats.too_many_errors || point.stats.stuck_ops > 0;
    return block;
  }

  /// Returns when all ops of the load have ended; true: some are stuck.
  bool end_load() {
    loaded_ = false;
    const std::uint64_t stuck = runner_.end_load();
    if (stuck == 0 || curve_.points.empty()) return false;
    curve_.points.back().stats.stuck_ops += stuck;
    curve_.points.back().invalid.push_back(Invalid::stuck_ops);
    return ended_ = true;
  }

  LoadRunner& runner_;
  const CurvePlan& plan_;
  const EventSink& emit_;
  Curve curve_;
  bool loaded_ = false;  ///< A load goes on.
  bool ended_ = false;   ///< No load may follow: an interrupt, too many errors or stuck ops.
};

}  // namespace

LoadPoint CurvePlan::at(double ops_per_sec) const {
  LoadPoint point = load;
  point.rate = OpenLoop{ops_per_sec, arrivals};
  return point;
}

Curve measure(LoadRunner& runner, const CurvePlan& plan, const EventSink& emit) {
  return CurveLoop(runner, plan, emit).carry_out();
}

}  // namespace edagen
