#include "edagen/exit_status.hpp"

#include <algorithm>

namespace edagen {

int exit_status_of(const Result& result) {
  const auto& points = result.load_points;
  const auto& answers = result.at_latency_target;
  if (result.status == Status::interrupted) return exit_status::interrupted;
  if (result.status == Status::failed) return exit_status::run_failed;
  if (points.empty()) return exit_status::run_failed;
  if (std::ranges::any_of(points, [](const PointFigures& point) { return point.stuck_ops > 0; }))
    return exit_status::invalid;
  if (!std::ranges::all_of(answers, &AnswerFigures::met)) return exit_status::target_not_met;
  // A search measures beyond the limits on purpose: of its points those at the answers count.
  const bool searched = !answers.empty() && points.front().purpose != Purpose::load_point;
  const bool valid = std::ranges::all_of(answers, &AnswerFigures::valid) &&
                     (searched || std::ranges::all_of(points, &PointFigures::valid));
  return valid ? exit_status::done : exit_status::invalid;
}

int exit_status_of(const ComparisonResult& result) {
  if (result.status == Status::interrupted) return exit_status::interrupted;
  if (result.baseline() == nullptr) return exit_status::run_failed;
  return result.valid() && result.status == Status::complete ? exit_status::done : exit_status::invalid;
}

}  // namespace edagen
