#include <algorithm>
#include <cmath>

#include "edagen/search.hpp"
#include "search/curve_point.hpp"
#include "search/rate_search.hpp"

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
        if (plan_.points == 0) emit_(AnswerEstimated{searches[target].answer()});
      }
    end_load();
    for (const RateSearch& search : searches) curve_.answers.push_back(search.answer());
    return std::move(curve_);
  }

 private:
  /// The time that passes before a block and does not count.
  Nanos settling(Nanos target, double seconds) const {
    const SearchPolicy& policy = plan_.policy;
    const Nanos targets = static_cast<Nanos::rep>(policy.settle_target_count) * target,
                settled = std::max(from_seconds(policy.settle_share * seconds),
                                   std::min(targets, from_seconds(policy.max_block_seconds)));
    return loaded_ ? settled : std::max(settled, from_seconds(policy.first_settle_seconds));
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
      load.warmup = settling(target, seconds);
      load.interval = load.duration;
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
    if (!full && (!point.reached() || point.latency > plan_.policy.overload_factor * NanosF(plan_.targets.back())) &&
        end_load())
      block.invalid.push_back(Invalid::stuck_ops);
    block.is_last = curve_.interrupted || point.stats.too_many_errors || point.stats.stuck_ops > 0;
    return block;
  }

  /// Returns when all ops of the load have ended; true: some are stuck.
  bool end_load() {
    loaded_ = false;
    const std::uint64_t stuck = runner_.end_load();
    if (stuck == 0 || curve_.points.empty()) return false;
    curve_.points.back().stats.stuck_ops += stuck;
    curve_.points.back().invalid.push_back(Invalid::stuck_ops);
    return true;
  }

  LoadRunner& runner_;
  const CurvePlan& plan_;
  const EventSink& emit_;
  Curve curve_;
  bool loaded_ = false;  ///< A load goes on.
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
