#include "nights/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "edagen/units.hpp"
#include "result/flaw.hpp"
#include "stats/distribution.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double min_op_kind_share = 0.01;
constexpr std::uint64_t min_op_kind_count = 100;  // one slow op would decide the mean of fewer
constexpr std::uint64_t min_tail_count = 1'000;   // p99 is then at least the tenth slowest op
constexpr double tail_share = 0.01;               // of the ops, which p99 leaves above it

/// What was measured shows nothing of the storage.
bool is_of_no_storage(const std::vector<Invalid>& reasons) {
  return has_flaw(reasons, {Flaw::empty, Flaw::generator}) ||
         std::ranges::find(reasons, Invalid::interrupted) != reasons.end();
}

/// Standard error of the mean, divided by the mean.
double relative_error(const std::vector<double>& values) {
  const double mean = mean_of(values);
  if (values.size() < 2 || !(mean > 0)) return 0;
  return std::sqrt(variance_of(values) / static_cast<double>(values.size())) / mean;
}

class Figures {
 public:
  explicit Figures(const Result& result) : result_(result) {}

  std::vector<NightFigure> all() {
    for (const AnswerFigures& answer : result_.at_latency_target) add_answer(answer);
    add_highest_rate();
    for (const PointFigures& point : result_.load_points)
      if (is_fixed(point)) add_point(point);
    for (NightFigure& figure : figures_) {
      const double repeats = counts_[figure.name];
      if (repeats > 1 && figure.value)
        figure.value = *figure.value / repeats, figure.error = figure.error / repeats / std::sqrt(repeats);
    }
    return std::move(figures_);
  }

 private:
  static bool is_fixed(const PointFigures& point) {
    return point.purpose == Purpose::load_point && point.operations > 0 && !is_of_no_storage(point.invalid);
  }

  /// Adds up the repeats of one load; all() makes their mean, which is invalid when each of them is.
  void add(const std::string& name, FigureKind kind, std::optional<double> value, double error,
           const std::vector<Invalid>& invalid, bool lower_bound = false) {
    if (value && !(*value > 0)) return;
    const auto found = std::ranges::find(figures_, name, &NightFigure::name);
    ++counts_[name];
    if (found == figures_.end())
      return figures_.push_back({name, kind, value, error, invalid.empty(), invalid, lower_bound});
    found->lower_bound |= lower_bound;
    found->valid = found->valid.value_or(false) || invalid.empty();
    if (*found->valid) found->invalid.clear();
    else
      for (const Invalid reason : invalid)
        if (std::ranges::find(found->invalid, reason) == found->invalid.end()) found->invalid.push_back(reason);
    if (found->value && value) *found->value += *value, found->error += error;
    else found->value.reset();
  }

  void add_answer(const AnswerFigures& answer) {
    // An answer with a limit is a lower bound, and no rate at the target. Where this host was the limit, the storage
    // may meet a target that no load met.
    if (answer.limit || is_of_no_storage(answer.invalid)) return;
    const std::string at =
        fmt::format("at {} ms {} {}", format_millis(answer.target.count()), answer.statistic, answer.latency);
    if (!answer.met) return add("ops/s " + at, FigureKind::rate, std::nullopt, 0, answer.invalid);
    // The interval of a curve by points is that of the two load points beside the rate, which is no error.
    const bool is_search = std::ranges::any_of(
        result_.load_points, [](const PointFigures& point) { return point.purpose != Purpose::load_point; });
    const auto [low, high] = is_search ? answer.confidence_95.value_or(Interval95{}) : Interval95{};
    const double error = low > 0 && high > low ? std::log(high / low) / (2 * normal_quantile(0.95)) : 0;
    add("ops/s " + at, FigureKind::rate, answer.ops_per_sec, error, answer.invalid);
    add("MiB/s " + at, FigureKind::rate, answer.mib_per_sec, error, answer.invalid);
  }

  void add_highest_rate() {
    const PointFigures* highest = nullptr;
    std::set<double> loads;  // repeats of one load are one
    bool open = false;
    for (const PointFigures& point : result_.load_points) {
      if (!is_fixed(point)) continue;
      loads.insert(point.requested_ops_per_sec.value_or(0));
      open |= !point.requested_ops_per_sec.has_value();
      if (!highest || point.achieved_ops_per_sec > highest->achieved_ops_per_sec) highest = &point;
    }
    if (!highest || (result_.series && result_.series->parameter)) return;
    std::vector<double> rates;
    for (const IntervalFigures& interval : highest->intervals) rates.push_back(interval.ops_per_sec);
    const bool is_most = has_flaw(highest->invalid, {Flaw::overload});  // it may be the most there is
    if (loads.size() > 1 || open)
      add(highest_rate_figure, FigureKind::rate, highest->achieved_ops_per_sec, relative_error(rates),
          is_most ? std::vector<Invalid>() : highest->invalid);
  }

  std::string load_name(const PointFigures& point) const {
    std::string rate =
        point.requested_ops_per_sec ? format_count(*point.requested_ops_per_sec) + " ops/s" : "full speed";
    if (!result_.series || !result_.series->parameter) return rate;
    return fmt::format("{}, {} {:g}", rate, *result_.series->parameter, point.sweep_value);
  }

  void add_point(const PointFigures& point) {
    const std::string at = " at " + load_name(point);
    const LatencyFigures& response = point.latency.response;
    const bool judged_by_mean = point.statistic.value == response.mean && point.statistic.value > Millis(0);
    std::vector<double> means, tails;
    for (const IntervalFigures& interval : point.intervals) {
      if (interval.response_mean) means.push_back(interval.response_mean->count());
      if (interval.response_p99) tails.push_back(interval.response_p99->count());
    }
    const double error = judged_by_mean && point.statistic.standard_error
                             ? *point.statistic.standard_error / point.statistic.value
                             : relative_error(means);
    add("mean ms" + at, FigureKind::latency, response.mean.count(), error, point.invalid, point.is_response_bound());
    if (point.operations >= min_tail_count)
      add("p99 ms" + at, FigureKind::tail, response.p99.count(), relative_error(tails), point.invalid,
          point.is_response_bound(tail_share));
    if (point.is_response_bound()) return;  // the latency of a kind lacks the ops that had not ended
    for (const auto& [op_kind, op] : point.ops)
      if (op.latency && op.share >= min_op_kind_share && op.operations >= min_op_kind_count)
        add(fmt::format("{} ms{}", to_string(op_kind), at), FigureKind::op_kind, op.latency->response.mean.count(), 0,
            point.invalid);
  }

  const Result& result_;
  std::vector<NightFigure> figures_;
  std::map<std::string, double> counts_;
};

}  // namespace

std::vector<NightFigure> figures_of(const Result& result) { return Figures(result).all(); }

std::vector<Invalid> invalid_reasons(const Result& result) {
  std::set<Invalid> reasons;
  for (const AnswerFigures& answer : result.at_latency_target)
    reasons.insert(answer.invalid.begin(), answer.invalid.end());
  if (result.at_latency_target.empty())
    for (const PointFigures& point : result.load_points) reasons.insert(point.invalid.begin(), point.invalid.end());
  return {reasons.begin(), reasons.end()};
}

}  // namespace edagen
