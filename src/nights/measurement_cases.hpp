// The figures of one measurement of tonight, each with what the nights before say of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "nights/figure_case.hpp"
#include "nights/figure_history.hpp"

namespace edagen {

/// `tonight`, `measurement` and `gate` live longer.
class MeasurementCases {
 public:
  MeasurementCases(std::span<const Night> history, const Night& tonight, const NightMeasurement& measurement,
                   const Gate& gate);

  std::vector<FigureCase> cases() const;
  /// Of nights that are left out, or compared although they differ.
  std::vector<std::string> notes() const;
  /// It was measured, and there is no figure.
  bool is_silent() const;

 private:
  /// "projects: "; of files nothing.
  std::string prefix() const;
  std::vector<NightFigure> all_figures() const;
  FigureHistory chosen(const NightFigure& figure, const LogSample& own, const std::optional<LogSample>& reference,
                       FigureVerdict& verdict) const;
  FigureCase case_of(const NightFigure& figure) const;
  void look_at_target(const NightFigure& figure, FigureCase& made) const;
  void look_long_before(const FigureHistory& its, FigureCase& made) const;

  const Gate& gate_;
  const NightMeasurement& measurement_;
  std::vector<NightBefore> nights_;
  std::size_t left_out_ = 0, allowed_ = 0;
  std::string last_difference_, last_allowed_;
};

}  // namespace edagen
