#include "result/answer_contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "edagen/result.hpp"
#include "result/rounding.hpp"

namespace edagen {
namespace {

constexpr double demonstrated_within = 0.05;  ///< below the rate of a valid answer (SearchPolicy)
constexpr double bucket = 1.02;               ///< of a latency histogram: a percentile is told as its middle
constexpr double other_mib = 3;               ///< times: load points differ in their MiB per op, by chance

double number(const Document& of, const char* key) { return of[key].get<double>(); }

bool is_above(double one, double other) { return one > other && !are_near(one, other); }

bool is_of(const Document& point, Purpose purpose) { return point["purpose"] == std::string(to_string(purpose)); }

std::string wrong_interval_in(const Document& answer) {
  if (answer["confidence_95"].is_null()) return "";
  const double rate = number(answer, "ops_per_sec"), low = answer["confidence_95"][0].get<double>(),
               high = answer["confidence_95"][1].get<double>();
  if (low <= high && !is_above(rate, high) && !is_above(low, rate)) return "";
  return fmt::format("ops_per_sec is {:.7g}, and its confidence_95 is {:.7g} to {:.7g}", rate, low, high);
}

/// `point`: the one that demonstrates it.
std::string wrong_point_in(const Document& demonstrated, const Document& point) {
  const std::string which = fmt::format("demonstrated.load_point {}", demonstrated["load_point"].get<std::uint64_t>());
  if (!is_of(point, Purpose::demonstration) && !is_of(point, Purpose::load_point))
    return which + " is a block of the search";
  for (const Document& reason : point["invalid_reasons"])  // of several targets the generator's delay may meet one
    if (reason != std::string(to_string(Invalid::generator_limited))) return which + " is not valid";
  if (!point.contains("requested_ops_per_sec")) return "";  // of a variant's last run
  const double told = number(demonstrated, "ops_per_sec");
  for (const char* const rate : {"requested_ops_per_sec", "achieved_ops_per_sec"})
    if (point[rate].is_number() && std::abs(told - number(point, rate)) <= 0.05 * told) return "";
  return fmt::format("demonstrated.ops_per_sec is {:.7g}, which is not the rate of load point {}", told,
                     demonstrated["load_point"].get<std::uint64_t>());
}

/// A search goes in steps of job sets where the load does.
double step_of(const Document& point) {
  for (const char* const key : {"active_job_sets", "requested_ops_per_sec"})
    if (!point.contains(key) || !point[key].is_number()) return 0;
  return number(point, "requested_ops_per_sec") / std::max(1.0, number(point, "active_job_sets"));
}

std::string wrong_demonstration_in(const Document& answer, const Document& points) {
  const Document& demonstrated = answer["demonstrated"];
  const bool valid = answer["valid"].get<bool>();
  if (demonstrated.is_null()) return valid ? "is valid, and nothing demonstrates it" : "";
  const double rate = number(answer, "ops_per_sec"), shown = number(demonstrated, "ops_per_sec");
  if (number(demonstrated, "latency_ms") > bucket * number(answer, "target_ms"))
    return "demonstrated.latency_ms is above target_ms";
  if (is_above(shown, rate)) return "demonstrated.ops_per_sec is above ops_per_sec";
  const auto at = demonstrated["load_point"].get<std::uint64_t>();
  if (at >= points.size()) return "";  // said elsewhere
  if (std::string wrong = wrong_point_in(demonstrated, points[at]); !wrong.empty()) return wrong;
  const double least = (1 - demonstrated_within) * rate - step_of(points[at]);
  if (valid && is_of(points[at], Purpose::demonstration) && is_above(least, shown))
    return "is valid, and demonstrated.ops_per_sec is more than 5 % below ops_per_sec";
  return "";
}

/// It is that of load points near the rate.
std::string wrong_mib_in(const Document& answer, const Document& points) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const Document& point : points) {
    if (!point.contains("mib_per_sec")) return "";
    const bool known = point["mib_per_sec"].is_number() && point["achieved_ops_per_sec"].is_number();
    const double ops = known ? number(point, "achieved_ops_per_sec") : 0,
                 per_op = ops > 0 ? number(point, "mib_per_sec") / ops : 0;
    least = std::min(least, per_op);
    most = std::max(most, per_op);
  }
  const double rate = number(answer, "ops_per_sec"), mib = number(answer, "mib_per_sec");
  if (points.empty() || (mib <= other_mib * most * rate && other_mib * mib >= least * rate)) return "";
  return fmt::format("mib_per_sec is {:.7g}, and its load points at {:.7g} ops/s give {:.7g} to {:.7g}", mib, rate,
                     least * rate, most * rate);
}

}  // namespace

std::string contradiction_in_answer(const Document& answer, const Document& result) {
  if (!answer["met"].get<bool>() && (number(answer, "ops_per_sec") > 0 || !answer["demonstrated"].is_null()))
    return "is not met, and has a rate or a demonstration";
  static const Document none = Document::array();
  const Document& points = result.contains("load_points") ? result["load_points"] : none;
  for (const std::string& wrong :
       {wrong_interval_in(answer), wrong_demonstration_in(answer, points), wrong_mib_in(answer, points)})
    if (!wrong.empty()) return wrong;
  return "";
}

}  // namespace edagen
