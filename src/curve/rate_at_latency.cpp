#include "edagen/curve/rate_at_latency.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "edagen/core/random.hpp"
#include "edagen/curve/full_runs.hpp"
#include "edagen/stats/series.hpp"

namespace edagen {
namespace {

constexpr double near_share = 0.08;
/// How far a window near the crossing may lie off the line, and a full run off the windows' line, in log latency; or as
/// far as its own error explains, a full run never more than a quarter.
constexpr double contradiction_share = 0.15;
constexpr double window_tolerance = 0.4;
constexpr double jump = 0.7, jump_share = 0.05, below_jump = 0.985;
constexpr double vague = 0.1;
constexpr int resamples = 400;
constexpr double normal_quantile = 1.96;  ///< of 95 %

/// What the fit needs of a point.
struct Sample {
  double rate, log_latency, log_error;
  double weight() const { return 1 / (log_error * log_error); }
};

struct Line {
  double at_center = 0, slope = 0, center = 0;
  /// How many times more than their errors the points scatter around the line; at least 1. (The Birge ratio of R. T. Birge,
  /// Phys. Rev. 40, 207, 1932.)
  double scatter = 1;
  double rate_at(double log_latency) const { return center + (log_latency - at_center) / slope; }
  double log_latency_at(double rate) const { return at_center + slope * (rate - center); }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The line that half of the points cannot bend: median of the slopes of all pairs (Theil, Sen).
std::optional<Line> median_line(const std::vector<Sample>& samples) {
  std::vector<double> slopes, offsets;
  for (std::size_t i = 0; i < samples.size(); ++i)
    for (std::size_t j = i + 1; j < samples.size(); ++j)
      if (const double span = samples[j].rate - samples[i].rate; span > 0.002 * samples[i].rate)
        slopes.push_back((samples[j].log_latency - samples[i].log_latency) / span);
  if (slopes.empty()) return std::nullopt;
  Line line{.slope = median(slopes), .center = samples.front().rate};
  for (const Sample& s : samples) offsets.push_back(s.log_latency - line.slope * (s.rate - line.center));
  line.at_center = median(offsets);
  return line;
}

/// Weighted least squares without the points that lie far off the median line; nullopt when the line does not go up.
std::optional<Line> robust_line(const std::vector<Sample>& samples) {
  const auto rough = median_line(samples);
  if (!rough) return std::nullopt;
  std::vector<double> distances;
  const auto distance = [&](const Sample& s) {
    return std::abs(s.log_latency - rough->at_center - rough->slope * (s.rate - rough->center));
  };
  for (const Sample& s : samples) distances.push_back(distance(s));
  const double usual = 1.4826 * median(distances);
  double w = 0, x = 0, y = 0;
  std::vector<Sample> kept;
  for (const Sample& s : samples)
    if (distance(s) <= std::max({4 * usual, 4 * s.log_error, 0.02})) kept.push_back(s);
  for (const Sample& s : kept) w += s.weight(), x += s.weight() * s.rate, y += s.weight() * s.log_latency;
  Line line{.at_center = y / w, .center = x / w};
  double xx = 0, xy = 0;
  for (const Sample& s : kept) {
    xx += s.weight() * (s.rate - line.center) * (s.rate - line.center);
    xy += s.weight() * (s.rate - line.center) * (s.log_latency - line.at_center);
  }
  if (xx <= 0 || xy <= 0) return std::nullopt;
  line.slope = xy / xx;
  double squares = 0;
  for (const Sample& s : kept) {
    const double off = s.log_latency - line.at_center - line.slope * (s.rate - line.center);
    squares += s.weight() * off * off;
  }
  if (kept.size() < 3) return line;
  const auto degrees = static_cast<int>(kept.size() - 2);
  const double birge = std::sqrt(squares / degrees);
  if (birge > 1) line.scatter = birge * student_quantile(0.95, degrees) / normal_quantile;  // known from few points
  return line;
}

/// Latency does not fall when the rate rises. A point that at least two points at higher rates clearly undercut was
/// disturbed by something else: it is outvoted.
std::vector<Sample> without_outvoted(const std::vector<Sample>& samples) {
  std::vector<Sample> kept;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    int against = 0;
    for (std::size_t j = 0; j < samples.size(); ++j) {
      const double clearly = std::max(0.2, 4 * std::hypot(samples[i].log_error, samples[j].log_error));
      if (samples[j].rate >= 0.99 * samples[i].rate && samples[j].log_latency < samples[i].log_latency - clearly) ++against;
    }
    if (against < 2) kept.push_back(samples[i]);
  }
  return kept;
}

/// By the monotone fit of all samples (sorted by rate): the lowest rate when all are above the target, nullopt when none
/// is.
std::optional<double> interpolated(const std::vector<Sample>& samples, double log_target) {
  std::vector<double> values, weights;
  for (const Sample& s : samples) values.push_back(s.log_latency), weights.push_back(s.weight());
  const std::vector<double> fit = isotonic(values, weights);
  if (fit.empty() || fit.back() < log_target) return std::nullopt;
  if (fit.front() > log_target) return samples.front().rate;
  // The middle of what lies on the target, or between the last below and the first above.
  const auto below = std::lower_bound(fit.begin(), fit.end(), log_target) - fit.begin();
  const auto above = std::upper_bound(fit.begin(), fit.end(), log_target) - fit.begin();
  if (above > below) return (samples[std::size_t(below)].rate + samples[std::size_t(above - 1)].rate) / 2;
  const auto i = static_cast<std::size_t>(below);
  const double share = (log_target - fit[i - 1]) / (fit[i] - fit[i - 1]);
  return samples[i - 1].rate + share * (samples[i].rate - samples[i - 1].rate);
}

struct Crossing {
  double rate = 0;
  std::optional<Line> line;  ///< through the points near it
};

bool near_to(double rate, double crossing) { return std::abs(rate - crossing) <= near_share * crossing; }

std::optional<Crossing> crossing(const std::vector<Sample>& samples, double log_target) {
  const auto rough = interpolated(samples, log_target);
  if (!rough) return std::nullopt;
  std::vector<Sample> near;
  for (const Sample& s : samples)
    if (near_to(s.rate, *rough)) near.push_back(s);
  const bool spread = near.size() >= 3 && near.back().rate - near.front().rate > 0.01 * *rough;
  if (!spread) return Crossing{*rough, {}};
  const auto line = robust_line(near);
  if (!line) return Crossing{*rough, {}};
  const double found = line->rate_at(log_target);
  return Crossing{std::abs(found - *rough) <= 2 * near_share * *rough ? found : *rough, line};
}

/// Of points on the curve, and of those below the target though the generator was late: without it they were faster still.
std::vector<Sample> samples_of(const std::vector<CurvePoint>& points, double log_target, bool windows_only = false) {
  std::vector<Sample> samples;
  for (const CurvePoint& point : points) {
    if (point.latency_ns <= 0 || (windows_only && is_full_run(point))) continue;
    if (!point.on_curve() && (!point.reached() || std::log(point.latency_ns) > log_target)) continue;
    // Known errors are never below what the histogram tells; few batches tell less than many.
    const double widen = student_quantile(0.95, std::max(point.degrees_of_freedom, 2)) / normal_quantile;
    const double error = std::max(point.latency_error_ns * widen / point.latency_ns, 0.002);
    samples.push_back({point.rate, std::log(point.latency_ns), error});
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.rate < b.rate; });
  return samples;
}

/// Box-Muller.
double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * std::numbers::pi * random.uniform());
}

double kib_per_op_near(const std::vector<CurvePoint>& points, double rate) {
  const CurvePoint* best = nullptr;
  for (const CurvePoint& point : points)
    if (point.rate > 0 && (best == nullptr || std::abs(point.rate - rate) < std::abs(best->rate - rate))) best = &point;
  return best == nullptr ? 0 : best->stats.mib_per_sec() / best->rate;
}

}  // namespace

/// Of two windows not far from the crossing, the one at the lower rate is clearly slower.
bool contradict(const std::vector<Sample>& windows, double crossing_rate) {
  for (const Sample& low : windows)
    for (const Sample& high : windows) {
      if (std::abs(high.rate - crossing_rate) > contradiction_share * crossing_rate) continue;
      if (std::abs(low.rate - crossing_rate) > contradiction_share * crossing_rate) continue;
      const double clearly = std::max(window_tolerance, 4 * std::hypot(low.log_error, high.log_error));
      if (low.rate <= high.rate && low.log_latency > high.log_latency + clearly) return true;
    }
  return false;
}

/// Whether the windows' curve jumps over the target around this rate: all are well below it, or well over it.
bool jumps(const std::vector<Sample>& windows, double rate, double log_target) {
  int below = 0, above = 0;
  for (const Sample& s : windows) {
    if (std::abs(s.rate - rate) > jump_share * rate) continue;
    const bool low = s.log_latency < log_target - jump && s.log_error < vague, high = s.log_latency > log_target + jump;
    if (s.rate <= rate ? !low : !high) return false;
    ++(s.rate <= rate ? below : above);
  }
  return below >= 2 && above >= 2;
}

WindowsAnswer windows_answer(const std::vector<CurvePoint>& points, Nanos target) {
  const double goal = static_cast<double>(target.count()), log_target = std::log(goal);
  const std::vector<Sample> windows = samples_of(points, log_target, true);
  const std::vector<Sample> kept = without_outvoted(windows);
  const auto found = crossing(kept, log_target);
  const auto full_run_counts = [&](const CurvePoint& p) {
    return is_full_run(p) && p.latency_ns > 0 && !(p.generator_limited() && p.above(goal));
  };
  WindowsAnswer answer;
  if (!found) {
    bool beyond = true, met = false;  // the target is beyond all rates
    for (const CurvePoint& point : points) {
      beyond = beyond && !point.above(goal);
      if (!point.above(goal)) answer.judge_at = std::max(answer.judge_at, point.stats.requested_ops_per_sec);
      if (full_run_counts(point)) answer.standing = WindowsAnswer::refuted;
    }
    for (const CurvePoint& point : points)
      met = met || (full_run_counts(point) && point.stats.requested_ops_per_sec == answer.judge_at);
    if (beyond && met) answer.standing = WindowsAnswer::upheld;
    return answer;
  }
  answer.jump = jumps(windows, found->rate, log_target);
  answer.judge_at = answer.jump ? below_jump * found->rate : found->rate;
  if (contradict(windows, found->rate)) {
    answer.standing = WindowsAnswer::refuted;
    return answer;
  }
  int agree = 0, differ = 0;
  for (const CurvePoint& point : points) {
    const double rate = point.stats.requested_ops_per_sec;
    if (!near_to(rate, found->rate) || !full_run_counts(point)) continue;
    const double error = point.latency_error_ns / point.latency_ns, log_latency = std::log(point.latency_ns);
    const double expected = found->line ? found->line->log_latency_at(rate) : log_target;
    const bool agrees = answer.jump ? log_latency < log_target - jump && rate > (2 * below_jump - 1) * found->rate
                                   : std::abs(log_latency - expected) <= std::clamp(3 * error, vague, 2.5 * vague);
    ++(agrees && error < vague && point.reached() ? agree : differ);
  }
  // One may be a disturbance.
  if (agree > differ) answer.standing = WindowsAnswer::upheld;
  else if (differ >= 2) answer.standing = WindowsAnswer::refuted;
  return answer;
}

AtTarget rate_at_latency(const std::vector<CurvePoint>& points, Nanos target, std::uint64_t seed) {
  AtTarget answer;
  answer.target = target;
  const double log_target = std::log(static_cast<double>(target.count()));
  const FullRuns full = full_runs(points, target);
  const WindowsAnswer windows = windows_answer(points, target);
  const bool refuted = windows.standing == WindowsAnswer::refuted;
  const std::vector<Sample> samples = without_outvoted(samples_of(points, log_target));
  const auto finish = [&](double rate, double low, double high) {
    if (refuted && full.estimate) {
      rate = full.estimate->rate;
      low = full.estimate->low;
      high = full.estimate->high;
    } else if (refuted && full.met + full.over > 0) {
      const double most = full.lowest_over > 0 ? full.lowest_over : std::max(rate, full.highest_met);
      rate = std::clamp(rate, std::min(full.highest_met, most), most);
      low = std::min(low, full.highest_met);
      high = full.lowest_over > 0 ? most : std::max(high, most);
    }
    if (!refuted && windows.jump) {  // its place is not told finer than by the full run below
      low = std::min(low, below_jump * rate);
      high = std::max(high, rate / below_jump);
    }
    answer.ops_per_sec = rate;
    answer.low = low;
    answer.high = high;
    answer.mib_per_sec = rate * kib_per_op_near(points, rate);
    return answer;
  };
  if (samples.empty() || samples.front().log_latency > log_target + 3 * samples.front().log_error) {
    answer.met = false;
    return answer;
  }
  const auto found = crossing(samples, log_target);
  if (!found) {
    // No point on the curve is above the target: the volume's limit comes first. The rate lies between the highest that
    // was reached and the lowest that was asked for beyond it in vain.
    const double highest = samples.back().rate;
    double refused = 0;
    for (const CurvePoint& point : points) {
      const double requested = point.stats.requested_ops_per_sec;
      if (!point.reached() && point.latency_ns > static_cast<double>(target.count()) && requested > highest)
        refused = refused == 0 ? requested : std::min(refused, requested);
    }
    if (refused <= 0) return finish(highest, highest, highest);
    answer.bounded = true;
    return finish(highest, highest, refused);
  }
  answer.bounded = true;
  const double scatter = found->line ? found->line->scatter : 1;
  Random random(seed);
  std::vector<double> resampled;
  for (int i = 0; i < resamples; ++i) {
    std::vector<Sample> shaken = samples;
    // What makes windows differ more than each of them shows, such as other load on the host, counts as error too.
    for (Sample& sample : shaken) sample.log_latency += scatter * sample.log_error * normal(random);
    if (const auto again = crossing(shaken, log_target)) resampled.push_back(again->rate);
  }
  if (resampled.size() < resamples / 2) return finish(found->rate, samples.front().rate, samples.back().rate);
  std::sort(resampled.begin(), resampled.end());
  const auto at = [&](double share) { return resampled[std::size_t(share * double(resampled.size() - 1))]; };
  return finish(found->rate, std::min(at(0.025), found->rate), std::max(at(0.975), found->rate));
}

std::optional<double> overall_response_time(const std::vector<CurvePoint>& points, double highest_ns) {
  std::vector<std::pair<double, double>> curve;
  for (const CurvePoint& point : points)
    if (point.on_curve() && point.latency_ns <= highest_ns) curve.emplace_back(point.rate, point.latency_ns);
  std::sort(curve.begin(), curve.end());
  if (curve.size() < 2 || curve.back().first <= curve.front().first) return std::nullopt;
  double area = 0;
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i].first - curve[i - 1].first) * (curve[i].second + curve[i - 1].second) / 2;
  return area / (curve.back().first - curve.front().first);
}

std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights) {
  struct Block {
    double value, weight;
    std::size_t count;
  };
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].value > blocks.back().value) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& pooled = blocks.back();
      pooled.value = (pooled.value * pooled.weight + last.value * last.weight) / (pooled.weight + last.weight);
      pooled.weight += last.weight;
      pooled.count += last.count;
    }
  }
  std::vector<double> fit;
  for (const Block& block : blocks) fit.insert(fit.end(), block.count, block.value);
  return fit;
}

}  // namespace edagen
