#include "report/stall_text.hpp"

#include <fmt/format.h>

#include "report/point_text.hpp"

namespace edagen {

bool is_stall(Millis response, Millis median, std::size_t repeats) {
  constexpr double factor = 5;
  return repeats > 2 && response > factor * median;
}

std::string stall_text(const std::string& name, const std::vector<Invalid>& reasons, Millis response, Millis others,
                       const std::string& more) {
  return fmt::format(
      "  INVALID: {} stalled ({}): mean response {} ms, against {} ms in the other repeats{}: look at what stopped the "
      "storage or this host then, or measure again\n",
      name, reason_names(reasons), ms(response), ms(others), more);
}

}  // namespace edagen
