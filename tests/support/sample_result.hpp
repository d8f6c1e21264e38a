// A small result of real figures.
#pragma once

#include <cerrno>

#include "base/rfc3339.hpp"
#include "compare/comparison_result.hpp"
#include "search/curve_point.hpp"
#include "session/measured.hpp"

namespace edagen::testing {

inline CurvePoint sample_point(double rate = 1000, Purpose purpose = Purpose::load_point, int error = ESTALE) {
  using namespace std::chrono_literals;
  RunStats run;
  run.length = 2s;
  run.requested_ops_per_sec = rate;
  for (int i = 0; i < 2 * static_cast<int>(rate); ++i) run.ops.record(OpKind::read_rand, {2ms, 1ms, 1ms}, {0, 8192, 0});
  run.ops.record(OpKind::stat, {4ms, 4ms, 0ms}, {error, 0, 0});
  const auto each = static_cast<std::uint64_t>(rate);
  run.intervals = {{0s, 1s, each, 0, 8192000, 2ms, 1ms, {}, 2ms, 2ms},
                   {1s, 1s, each + 1, 0, 8192000, 2ms, 1ms, {}, 2ms, 2ms}};
  run.groups = {{.name = "mine",
                 .procs = 5,
                 .requested_ops_per_sec = rate,
                 .share = 1,
                 .operations = 2 * static_cast<std::uint64_t>(rate) + 1,
                 .due = static_cast<std::uint64_t>(2 * rate),
                 .least_proc_share = 1.2}};
  CurvePoint point = make_point(std::move(run), {}, std::nullopt, purpose);
  return point;
}

inline Result sample_result(const Curve& curve) {
  static const std::string at = rfc3339_now();  // the same of all samples: seconds tick between them
  Result result;
  result.edagen_version = "0";
  result.command = {"edagen", "--phase", "mixed, \"quoted\""};
  result.started_at = at;
  result.host = this_host();
  result.workload = {.name = "eda_mixed", .phase = "mixed", .seed = 1};
  result.target.mounts = {{.path = "/mnt/a",
                           .source = "</script>",
                           .fstype = "tmpfs",
                           .options = "rw",
                           .nfs_version = {},
                           .connections = {}}};
  result.clients = 10;
  result.procs = 50;
  result.job_sets = 10;
  result.dataset = {
      .files = 1, .directories = 1, .bytes = 1 << 20, .scaled_down = false, .build = Seconds(0.1), .reused = false};
  std::vector<PointFigures> figures;
  for (const CurvePoint& point : curve.points) figures.push_back(point_figures(point));
  add_curve(result, curve, std::move(figures));
  result.finished_at = at;
  result.status = Status::complete;
  return result;
}

/// As the header of a journal: nothing is measured yet.
inline Result sample_header() {
  Result header = sample_result(Curve{});
  header.status = Status::running;
  header.finished_at.reset();
  return header;
}

/// A search with its shape: a line from idle to over the knee, whose last point is far above, and blocks.
inline Curve sample_curve_with_shape() {
  Curve curve;
  for (const double rate : {100.0, 200.0, 300.0, 400.0, 500.0, 550.0, 600.0}) {
    curve.points.push_back(sample_point(rate, Purpose::shape, 0));
    curve.points.back().latency = rate > 590 ? Millis(900) : Millis(1000 / (1000 - rate));
  }
  for (const double rate : {490.0, 510.0, 1700.0}) curve.points.push_back(sample_point(rate, Purpose::block, 0));
  curve.points.back().latency = Millis(900);
  AtTarget answer;
  answer.target = std::chrono::milliseconds(2);
  answer.ops_per_sec = 500, answer.low = 490, answer.high = 510;
  curve.answers = {answer};
  return curve;
}

/// Three points and an answer, which the second, the only valid one, demonstrates.
inline Curve sample_curve() {
  Curve curve;
  for (const double rate : {500.0, 1000.0, 1500.0}) curve.points.push_back(sample_point(rate));
  curve.points[1] = sample_point(1000, Purpose::load_point, 0);
  AtTarget answer;
  answer.target = std::chrono::milliseconds(2);
  answer.ops_per_sec = 39'601;
  answer.mib_per_sec = 692;
  answer.low = 39'000, answer.high = 40'000;
  answer.demonstrated = DemonstrationFigures{1000, std::chrono::milliseconds(2), 1};
  curve.answers = {answer};
  return curve;
}

/// Depths 1 and 8, twice.
inline Curve sample_sweep() {
  Curve curve;
  curve.swept = Swept::io_depth;
  for (const std::size_t repeat : {1u, 2u})
    for (const double depth : {1.0, 8.0}) {
      curve.points.push_back(sample_point(100 * depth * static_cast<double>(repeat)));
      curve.points.back().sweep_value = depth;
      curve.points.back().repeat = repeat;
    }
  return curve;
}

inline Curve single_point_curve() {
  Curve curve;
  curve.points.push_back(sample_point());
  return curve;
}

/// Intervals of a second and 500 ops, of which none ended from 2 s to 4 s: then all that were due did, after up to 2 s.
inline std::vector<IntervalFigures> stalled_intervals() {
  std::vector<IntervalFigures> intervals(12);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    intervals[i].start = Seconds(static_cast<double>(i));
    intervals[i].length = Seconds(1);
    intervals[i].ops_per_sec = 500;
    intervals[i].response_mean = Millis(0.1), intervals[i].response_p99 = Millis(0.3);
  }
  for (const std::size_t stopped : {2, 3}) {
    intervals[stopped].ops_per_sec = 0;
    intervals[stopped].response_mean.reset(), intervals[stopped].response_p99.reset();
  }
  intervals[4].ops_per_sec = 1500, intervals[4].response_mean = Millis(1000), intervals[4].response_p99 = Millis(3000);
  return intervals;
}

/// Two variants with their last runs, the second with staleness.
inline ComparisonResult sample_comparison(std::optional<std::string> at) {
  ComparisonResult comparison;
  comparison.command = {"edagen", "compare"};
  comparison.host = this_host();
  comparison.started_at = rfc3339_now();
  comparison.finished_at = rfc3339_now();
  comparison.status = Status::complete;
  comparison.at_latency_target = std::move(at);
  add_variant(comparison, "regular", "/mnt/a",
              {{39'601, 692, Millis(2), 0}, {39'700, 693, Millis(2), 0, {}, /*repeat*/ 2}});
  add_variant(comparison, "large", "/mnt/b",
              {{652'260, 10'030, Millis(4), 1.5}, {652'300, 10'030, Millis(4), 1.5, {}, /*repeat*/ 2}},
              StalenessFigures{});
  for (VariantFigures& variant : comparison.variants) {
    variant.last_run = variant_run(sample_result(sample_curve()));
    variant.last_run->target.mounts.front().path = variant.what;
  }
  return comparison;
}

}  // namespace edagen::testing
