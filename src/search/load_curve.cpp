#include <algorithm>
#include <cmath>

#include "edagen/search.hpp"
#include "search/answer.hpp"
#include "search/curve_point.hpp"
#include "search/rate_search.hpp"

namespace edagen {
namespace {

constexpr double highest_rate = 1e7;  ///< ops/s, where no other was asked for

class CurveWork {
 public:
  CurveWork(LoadRunner& runner, const CurvePlan& plan, const EventSink& emit)
      : runner_(runner), plan_(plan), emit_(emit) {}

  Curve carry_out() {
    curve_.statistic = plan_.load.statistic;
    if (plan_.points > 0) fixed_points();
    else search();
    return std::move(curve_);
  }

 private:
  void fixed_points() {
    for (std::size_t i = 1; i <= plan_.points && !ended_; ++i)
      measure(plan_.max_rate * static_cast<double>(i) / static_cast<double>(plan_.points), Purpose::load_point,
              plan_.targets.front(), to_seconds(plan_.load.duration));
    for (std::size_t i = 0; i < plan_.targets.size(); ++i) curve_.answers.push_back(between_points(blocks_, i, plan_));
  }

  /// Targets ascend, so that each search has the blocks of those before.
  void search() {
    SearchRange range;
    const double lowest_ops = plan_.policy.lowest_ops * plan_.policy.ops_share(plan_.load.statistic);
    range.lowest = std::min(lowest_ops / to_seconds(plan_.policy.longest_block), plan_.own_rate);
    range.highest = plan_.max_rate > 0 ? plan_.max_rate : highest_rate;
    if (plan_.job_sets > 0) {
      range.step = range.lowest = plan_.own_rate / static_cast<double>(plan_.job_sets);
      const double sets = std::min(range.highest, plan_.own_rate) / range.step;
      range.highest = range.step * std::max(1.0, std::floor(sets * (1 + 1e-9)));
    }
    range.lowest = std::min(range.lowest, range.highest);
    std::vector<RateSearch> searches;
    const auto measured = [&](double rate, Purpose purpose, Nanos target, double seconds) {
      if (!ended_) {
        measure(rate, purpose, target, seconds);
        emit_(AnswerEstimated{searches.back().answer()});
      }
      return ended_ ? nullptr : &blocks_.back();
    };
    for (std::size_t i = 0; i < plan_.targets.size(); ++i) {
      searches.emplace_back(plan_, i, range, blocks_, measured, [this] { return to_seconds(time_); });
      searches.back().find();
    }
    end_load();
    // What a later search demonstrated counts for earlier ones.
    for (const RateSearch& search : searches) curve_.answers.push_back(search.answer());
  }

  /// What passes before a block.
  Nanos settling(Nanos target, double seconds) const {
    const SearchPolicy& policy = plan_.policy;
    const Nanos settled =
        std::max(from_seconds(policy.settle * seconds), std::min(policy.settle_targets * target, policy.longest_block));
    return loaded_ ? settled : std::max(settled, policy.first_settle);
  }

  void measure(double rate, Purpose purpose, Nanos target, double seconds) {
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
    blocks_.push_back(search_block(point, plan_.load.statistic, plan_.targets));
    blocks_.back().point = curve_.points.size() - 1;
    if (!full) point.stats.ops.forget_latencies();
    time_ += point.stats.all_time();
    curve_.interrupted = point.stats.interrupted;
    // What an overload has left behind must not count for the next block.
    if (!full && (!point.reached() || point.latency > plan_.policy.overloaded * NanosF(plan_.targets.back())))
      end_load();
    ended_ = curve_.interrupted || point.stats.too_many_errors || point.stats.stuck_ops > 0;
  }

  /// When its ops have ended.
  void end_load() {
    loaded_ = false;
    const std::uint64_t stuck = runner_.end_load();
    if (stuck == 0 || curve_.points.empty()) return;
    curve_.points.back().stats.stuck_ops += stuck;
    curve_.points.back().invalid.push_back(Invalid::stuck_ops);
    blocks_.back().invalid.push_back(Invalid::stuck_ops);
  }

  LoadRunner& runner_;
  const CurvePlan& plan_;
  const EventSink& emit_;
  Curve curve_;
  std::vector<SearchBlock> blocks_;
  Nanos time_{0};
  bool loaded_ = false;  ///< a load is up
  bool ended_ = false;
};

}  // namespace

LoadPoint CurvePlan::at(double ops_per_sec) const {
  LoadPoint point = load;
  point.rate = OpenLoop{ops_per_sec, arrivals};
  return point;
}

Curve measure(LoadRunner& runner, const CurvePlan& plan, const EventSink& emit) {
  return CurveWork(runner, plan, emit).carry_out();
}

}  // namespace edagen
