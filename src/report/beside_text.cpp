#include "report/beside_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/error.hpp"
#include "report/curve_points.hpp"
#include "report/curve_ratio.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"

namespace edagen {

namespace {

bool is_of_service(const Result& result) {
  return std::ranges::any_of(result.at_latency_target,
                             [](const AnswerFigures& answer) { return answer.latency == "service"; });
}

}  // namespace

std::vector<RateLatency> mean_line(const Result& result) {
  if (is_series(result)) return {};
  std::vector<VariantPoint> points = variant_points(result);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Latencies& latency = result.load_points[i].latency;
    points[i].statistic = {.value = is_of_service(result) ? latency.service.mean : latency.response.mean};
  }
  return line_of(points);
}

std::string_view mean_line_name(const Result& result) {
  return is_of_service(result) ? "mean service" : "mean response";
}

bool plots_means(const Result& result) {
  return std::ranges::all_of(result.at_latency_target,
                             [](const AnswerFigures& answer) { return answer.statistic == "mean"; });
}

TextTable beside_table(const LoadTable& table, const Result& result) {
  const std::vector<RateLatency> curve = mean_line(result);
  TextTable rows({"ops/s", "there, ms", "here, ms", "here / there"});
  for (const RateLatency& there : table.points) {
    const std::optional<RateLatency> here = latency_at(curve, there.rate);
    const char* const mark = here && !here->valid ? "INVALID " : "";
    rows.add({per_second(there.rate), ms(there.latency), here ? mark + ms(here->latency) : "-",
              here ? value_text(here->latency / there.latency) : "-"});
  }
  return rows;
}

std::string beside_text(const std::vector<LoadTable>& tables, const Result& result) {
  std::string text;
  if (mean_line(result).size() < 2) return text;
  for (const LoadTable& table : tables)
    text += fmt::format("\nBeside {} (here: {} of this curve, between load points on a straight line)\n{}",
                        one_line(table.name), mean_line_name(result), beside_table(table, result).str(2));
  return text;
}

}  // namespace edagen
