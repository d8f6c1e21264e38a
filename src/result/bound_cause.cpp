#include "result/bound_cause.hpp"

#include <algorithm>
#include <cmath>

#include "result/flaw.hpp"

namespace edagen {
namespace {

/// Whether the load was added as job sets and all of them worked; else more job sets are no higher rate.
bool all_job_sets_worked(const Result& result) {
  return std::ranges::any_of(result.load_points, [&](const PointFigures& point) {
    return point.active_job_sets && static_cast<double>(*point.active_job_sets) >= std::floor(result.job_sets);
  });
}

}  // namespace

BoundCause bound_cause(const Result& result, const AnswerFigures& answer) {
  const bool are_points = std::ranges::all_of(
      result.load_points, [](const PointFigures& point) { return point.purpose == Purpose::load_point; });
  switch (*answer.limit) {
    case RateLimit::highest_rate:
      return all_job_sets_worked(result) ? BoundCause::job_sets
             : are_points                ? BoundCause::points
                                         : BoundCause::max_rate;
    case RateLimit::search_time:
      return result.status != Status::complete || are_points || has_flaw(answer.invalid, {Flaw::cut_short})
                 ? BoundCause::early_end
                 : BoundCause::search_time;
    case RateLimit::procs: return BoundCause::procs;
    case RateLimit::host: break;
  }
  return BoundCause::host;
}

std::vector<BoundCause> bound_causes(const Result& result) {
  std::vector<BoundCause> causes;
  for (const AnswerFigures& answer : result.at_latency_target) {
    if (!answer.limit || *answer.limit == RateLimit::host) continue;
    const BoundCause cause = bound_cause(result, answer);
    if (std::ranges::find(causes, cause) == causes.end()) causes.push_back(cause);
  }
  return causes;
}

}  // namespace edagen
