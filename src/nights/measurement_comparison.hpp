// The comparison of one measurement of tonight with the nights before, figure by figure.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "nights/figure_comparison.hpp"
#include "nights/figure_history.hpp"

namespace edagen {

/// `measurement` and `gate` must outlive it, and so must `history`.
class MeasurementComparison {
 public:
  MeasurementComparison(std::span<const Night> history, const Night& tonight, const NightMeasurement& measurement,
                        const Gate& gate);

  std::vector<FigureComparison> figures() const;
  /// Which nights are left out, how they differ and what accepts them; empty: none.
  std::string incomparable() const;
  /// Remarks about nights that differ and are used, and about a reference that deviates from the others.
  std::vector<std::string> notes() const;
  /// Whether it was measured and has no figure.
  bool has_no_figure() const;

 private:
  std::vector<NightFigure> expected_figures() const;
  FigureHistory history_of(const NightFigure& figure, const LogSample& own, FigureVerdict& verdict) const;
  FigureComparison compare(const NightFigure& figure) const;
  bool references_miss_target(const std::string& figure, bool any) const;
  void compare_with_target(const NightFigure& figure, FigureComparison& made) const;
  void compare_bound(const std::string& figure, FigureComparison& made) const;
  std::vector<std::string> load_notes() const;
  std::string deviation_note() const;
  std::string prefix() const { return measurement_.name.empty() ? "" : measurement_.name + ": "; }

  const Gate& gate_;
  const NightMeasurement& measurement_;
  std::vector<NightBefore> nights_;
  std::size_t left_out_ = 0, allowed_ = 0;
  std::set<std::string> left_out_keys_;  ///< that would allow the nights that are left out
  std::string last_difference_, last_allowed_;
};

}  // namespace edagen
