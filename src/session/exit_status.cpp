#include "edagen/exit_status.hpp"

#include <algorithm>
#include <limits>

namespace edagen {

namespace {

/// Those that must be valid. A curve goes beyond its targets on purpose: of load points that were asked for, those up
/// to the highest answer count, and those of which nothing is known; of a search none, as its answers say themselves
/// what they rest on.
bool points_are_valid(const Result& result) {
  const std::vector<PointFigures>& points = result.load_points;
  double highest = std::numeric_limits<double>::infinity();
  if (!result.at_latency_target.empty()) {
    if (points.front().purpose != Purpose::load_point) return true;
    highest = std::ranges::max(result.at_latency_target, {}, &AnswerFigures::ops_per_sec).ops_per_sec;
  }
  return std::ranges::all_of(points, [&](const PointFigures& point) {
    return point.valid() || (point.operations > 0 && point.requested_ops_per_sec.value_or(0) > highest);
  });
}

}  // namespace

int exit_status_of(const Result& result) {
  const auto& points = result.load_points;
  const auto& answers = result.at_latency_target;
  if (result.status == Status::interrupted) return exit_status::interrupted;
  if (result.status == Status::failed) return exit_status::run_failed;
  if (points.empty()) return exit_status::run_failed;
  if (std::ranges::any_of(points, [](const PointFigures& point) { return point.stuck_ops > 0; }))
    return exit_status::invalid;
  // Where this host was the limit, the storage may meet a target that was not met.
  if (std::ranges::any_of(answers, [](const AnswerFigures& answer) {
        return !answer.met && !answer.is_open() &&
               std::ranges::find(answer.invalid, Invalid::generator_limited) == answer.invalid.end();
      }))
    return exit_status::target_not_met;
  const bool valid = std::ranges::all_of(answers, &AnswerFigures::valid) && points_are_valid(result);
  return valid ? exit_status::done : exit_status::invalid;
}

int exit_status_of(const ComparisonResult& result) {
  if (result.status == Status::interrupted) return exit_status::interrupted;
  if (result.failure || result.baseline() == nullptr) return exit_status::run_failed;
  return result.valid() && result.status == Status::complete ? exit_status::done : exit_status::invalid;
}

}  // namespace edagen
