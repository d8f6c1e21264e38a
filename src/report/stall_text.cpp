#include "report/stall_text.hpp"

#include <fmt/format.h>

#include "edagen/units.hpp"
#include "report/point_text.hpp"

namespace edagen {

std::string stall_text(const std::string& name, const std::vector<Invalid>& reasons, Millis response, Millis others,
                       const std::string& more) {
  const std::string why = reasons.empty() ? "" : fmt::format(" ({})", reason_names(reasons));
  return fmt::format("  {}{} stalled{}: mean response {} ms, against {} ms in the other repeats{}: {}\n",
                     reasons.empty() ? "" : "INVALID: ", name, why, ms(response), ms(others), more, stall_remedy);
}

std::string stalled_time_line(const PointFigures& point) {
  const std::optional<StalledTime> stall = stalled_time(point);
  if (!stall) return "";
  return fmt::format(
      "  {:.0f} % of all waiting comes from one stall: it began about {} into the window, and ops waited for up to {}: "
      "{}\n",
      100 * stall->share, format_duration(from_seconds(stall->begins.count())),
      format_duration(from_seconds(stall->length.count())), stall_remedy);
}

}  // namespace edagen
