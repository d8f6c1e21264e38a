#include "report/terminal.hpp"

#include <algorithm>

#include "report/curve_text.hpp"
#include "report/run_text.hpp"
#include "result/inert.hpp"

namespace edagen {

std::string result_text(const Result& raw, bool search_steps) {
  const Result result = inert(raw);
  if (result.load_points.empty())
    return "Nothing was measured" + (result.failure ? ": " + *result.failure : std::string(".")) + "\n";
  if (result.series) return series_text(result);
  const bool is_curve =
      !result.at_latency_target.empty() || std::ranges::any_of(result.load_points, [](const PointFigures& point) {
        return point.purpose != Purpose::load_point && point.purpose != Purpose::incomplete;
      });
  return is_curve ? curve_text(result, search_steps) : run_text(result);
}

}  // namespace edagen
