#include "report/beside_text.hpp"

#include <fmt/format.h>

#include "edagen/error.hpp"
#include "report/curve_ratio.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"

namespace edagen {

TextTable beside_table(const LoadTable& table, const Result& result) {
  const std::vector<RateLatency> curve = line_of(variant_points(result));
  TextTable rows({"ops/s", "there, ms", "here, ms", "here / there"});
  for (const RateLatency& there : table.points) {
    const std::optional<RateLatency> here = latency_at(curve, there.rate);
    rows.add({per_second(there.rate), ms(there.latency), here ? ms(here->latency) : "-",
              here ? value_text(here->latency / there.latency) : "-"});
  }
  return rows;
}

std::string beside_text(const std::vector<LoadTable>& tables, const Result& result) {
  std::string text;
  if (line_of(variant_points(result)).size() < 2) return text;
  for (const LoadTable& table : tables)
    text += fmt::format("\nBeside {} (here: this curve, between load points on a straight line)\n{}",
                        one_line(table.name), beside_table(table, result).str(2));
  return text;
}

}  // namespace edagen
