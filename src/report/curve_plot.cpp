#include "report/curve_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/curve_points.hpp"
#include "report/point_text.hpp"

namespace edagen {
namespace {

/// A field of characters that is drawn from the far to the near: line, targets, points, answers.
class CurvePlot {
 public:
  CurvePlot(const Result& result, const std::vector<LoadTable>& beside) : result_(result), beside_(beside) {
    for (const PointFigures& point : result.load_points)
      if (point.has_figures() && point.statistic.value > Millis(0) && is_of_line(point.purpose))
        points_.push_back(&point);
    has_line_ = points_.size() > 1;
    if (!has_line_) {
      points_.clear();
      for (const PointFigures& point : result.load_points)
        if (point.has_figures() && point.statistic.value > Millis(0)) points_.push_back(&point);
    }
    std::ranges::stable_sort(points_, {}, &PointFigures::achieved_ops_per_sec);
    double most = 0;
    for (const PointFigures* const point : points_) {
      most = std::max(most, point->statistic.value.count());
      highest_ = std::max(highest_, point->achieved_ops_per_sec);
    }
    ceiling_ = std::min(most, plot_ceiling(result.at_latency_target).count());
  }

  std::string text() {
    if (points_.empty() || highest_ <= 0 || ceiling_ <= 0) return "";
    if (has_line_) draw_line();
    draw_targets();
    for (const PointFigures* const point : points_) {
      const double latency = point->statistic.value.count();
      if (latency > ceiling_) (point->valid() ? has_above_ : has_invalid_above_) = true;
      put(point->achieved_ops_per_sec, latency, mark_of(*point, latency > ceiling_));
    }
    for (const LoadTable& table : beside_)
      for (const RateLatency& point : table.points)
        if (point.rate <= highest_ && point.latency.count() <= ceiling_) put(point.rate, point.latency.count(), 'o');
    draw_answers();
    return with_axes();
  }

 private:
  static constexpr int width = 64, height = 14;

  static char mark_of(const PointFigures& point, bool is_above) {
    if (is_above) return point.valid() ? '^' : 'X';
    return point.valid() ? '*' : 'x';
  }
  static int row_of(double share) {
    return height - 1 - static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (height - 1)));
  }
  int column_of(double rate) const { return static_cast<int>(std::lround(rate / highest_ * (width - 1))); }
  char& cell(int row, int column) { return rows_[std::size_t(row)][std::size_t(std::clamp(column, 0, width - 1))]; }
  void put(double rate, double latency, char mark) { cell(row_of(latency / ceiling_), column_of(rate)) = mark; }

  void draw_line() {
    for (std::size_t i = 1; i < points_.size(); ++i) {
      const PointFigures &from = *points_[i - 1], &to = *points_[i];
      const double span = to.achieved_ops_per_sec - from.achieved_ops_per_sec;
      for (int column = column_of(from.achieved_ops_per_sec) + 1; column < column_of(to.achieved_ops_per_sec);
           ++column) {
        const double rate = highest_ * column / (width - 1), share = (rate - from.achieved_ops_per_sec) / span;
        const double latency = (1 - share) * from.statistic.value.count() + share * to.statistic.value.count();
        if (latency <= ceiling_) put(rate, latency, '.');
      }
    }
  }

  void draw_targets() {
    for (const AnswerFigures& answer : result_.at_latency_target) {
      const double target = answer.target.count();
      if (target > ceiling_) continue;
      const int row = row_of(target / ceiling_);
      for (char& each : rows_[std::size_t(row)])
        if (each == ' ') each = '-';
      labels_[row] = format_millis(target) + " ms";
      has_target_ = true;
    }
  }

  void draw_answers() {
    for (const AnswerFigures& answer : result_.at_latency_target) {
      const bool is_shown =
          answer.met && !answer.limit && answer.target.count() <= ceiling_ && answer.ops_per_sec <= highest_;
      if (!is_shown || !has_line_) continue;
      put(answer.ops_per_sec, answer.target.count(), answer.valid() ? '+' : '?');
      (answer.valid() ? has_answer_ : has_invalid_answer_) = true;
    }
  }

  std::string with_axes() const {
    std::string text = "\n";
    for (int row = 0; row < height; ++row) {
      const double latency = ceiling_ * (height - 1 - row) / (height - 1);
      const bool is_near_label =
          (row > 0 && !labels_[row - 1].empty()) || (row + 1 < height && !labels_[row + 1].empty());
      const bool is_named = row % 4 == 0;
      const std::string label = !labels_[row].empty()        ? labels_[row]
                                : row == height - 1          ? "0 ms"
                                : is_named && !is_near_label ? format_millis(latency) + " ms"
                                                             : "";
      text += fmt::format("{:>12} |{}\n", label, rows_[std::size_t(row)]);
    }
    std::string legend = has_line_ ? "* load point, x invalid" : "* block or load point, x invalid";
    if (has_above_) legend += ", ^ above the plot";
    if (has_invalid_above_) legend += ", X INVALID above the plot";
    if (has_target_) legend += ", --- latency target";
    if (has_answer_) legend += ", + rate at it";
    if (has_invalid_answer_) legend += ", ? INVALID rate at it";
    if (beside_.size() == 1) legend += ", o " + one_line(beside_.front().name);
    else if (!beside_.empty()) legend += ", o beside it";
    const std::string middle = per_second(highest_ / 2), end = per_second(highest_);
    return text + fmt::format("{:12} +{}\n{:14}0{:>{}}{:>{}} ops/s\n{:14}{}\n", "", std::string(width, '-'), "", middle,
                              width / 2 - 1, end, width - 6 - width / 2, "", legend);
  }

  const Result& result_;
  const std::vector<LoadTable>& beside_;
  std::vector<const PointFigures*> points_;  ///< ascending by achieved rate
  bool has_line_ = false, has_above_ = false, has_invalid_above_ = false;
  bool has_target_ = false, has_answer_ = false, has_invalid_answer_ = false;
  double highest_ = 0, ceiling_ = 0;
  std::vector<std::string> rows_ = std::vector<std::string>(height, std::string(width, ' '));
  std::string labels_[height];
};

}  // namespace

std::string curve_plot(const Result& result, const std::vector<LoadTable>& beside) {
  return CurvePlot(result, beside).text();
}

}  // namespace edagen
