// Why something is invalid, in sentences with what mends it; docs/troubleshooting.md has more on each.
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "result/flaw.hpp"

namespace edagen {

/// "the intervals trend: a longer warm-up", without figures. `remedy`: in place of the general one; "": that one.
/// `seen`: what stands behind what happened, after a semicolon; "": nothing.
std::string reason_text(Invalid reason, const std::string& remedy = "", const std::string& seen = "");

/// The same for a rate at a target that is `imprecise` although nothing beside it explains that. `narrow`: not the
/// width of its interval is why. `of_mean`: the target is a mean, and no percentile.
std::string imprecise_text(bool narrow, bool of_mean, bool simulated);

/// What mends a reason in simulated volumes, which have no other load on them; "": its general remedy.
std::string remedy_of_model(Invalid reason);

/// What is likely to be behind a reason that stands beside `others` in one load point, run or answer, so that its own
/// remedy does not help: "edagen's pause may be why". "": nothing of that kind.
std::string cause_beside(Invalid reason, const std::vector<Invalid>& others);

/// Whether an overload beside a reason explains it.
constexpr bool follows_from_overload(Invalid reason) {
  return is_one_of(flaw_of(reason), {Flaw::overload, Flaw::uneven, Flaw::unsteady});
}
/// In place of the remedy of such a reason.
constexpr const char* overload_may_be_why = "more ops were due than ended, which may be why";

/// "  INVALID: REASON: what happened: what mends it", a line for each reason. `point`: the load point that is judged,
/// or on which the answer rests; nullptr: none. `answer`: that is judged.
std::string reason_lines(const std::vector<Invalid>& reasons, const Result& result, const PointFigures* point,
                         const AnswerFigures* answer = nullptr);

/// The same of a load point without what mends it, where that stands beside them.
std::string bare_reason_lines(const std::vector<Invalid>& reasons, const Result& result, const PointFigures& point);

/// The same for an answer whose search was kept from its end by `limit` (limit_line(), or the line of a lower bound):
/// the limit comes first, and reasons that it explains have no remedy of their own. `limit` may be empty.
std::string reason_lines_behind(const std::string& limit, const std::vector<Invalid>& reasons, const Result& result,
                                const PointFigures& point, const AnswerFigures& answer);

/// The same for each reason of several load points: how many of `all` have it, once where that is the same, and the
/// line of the first of them.
std::string reason_lines(const std::vector<const PointFigures*>& points, std::size_t all, const Result& result);

/// "  2 of 3 repeats, the first of them repeat 1:\n", or "  1 of 3 load points (at 3,000 ops/s):\n".
std::string which_points(std::size_t count, std::size_t all, const Result& result, const PointFigures& first);
/// "io-depth 8, repeat 2", "repeat 2"; "" of a load point of no series.
std::string series_name(const Result& result, const PointFigures& point);

/// What mends that answers are lower bounds: "more procs (--job-sets)"; "" without causes.
std::string remedy_of_bounds(const std::vector<BoundCause>& causes);

}  // namespace edagen
