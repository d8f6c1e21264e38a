// The slices of a comparison: all variants are set up, and the load goes from one to another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compare/slice_series.hpp"
#include "session/run_lifecycle.hpp"

namespace edagen {

class SlicedRuns {
 public:
  /// `plans`: of the variants, in their order; `journal` gets each slice. All outlive this.
  SlicedRuns(SessionState& session, const ComparisonPlan& plan, const std::vector<RunPlan>& plans,
             SessionJournal& journal);

  /// Sets all variants up, measures, and takes all down. Throws Error when a variant cannot be set up; after that a
  /// failure ends the slices, and what was measured stands.
  void carry_out();

  const SliceSeries& series() const { return series_; }
  /// The run that all slices of a variant make together; nullopt: there are none.
  std::optional<VariantRun> run_of(std::size_t variant) const { return runs_[variant]; }
  /// With what the slices were. Its unit is whole runs where the first loads have shown that slices are not possible,
  /// and they were not required.
  AlternationFigures alternation(AlternationFigures planned) const;
  /// What went wrong with which variant; empty: nothing.
  const std::string& failure() const { return failure_; }

 private:
  /// A variant that is set up.
  struct UpVariant {
    UpVariant(std::string its_name, SessionState& session, const RunPlan& plan, std::size_t number)
        : name(std::move(its_name)),
          load(std::visit([](const auto& measurement) { return measurement.load; }, plan.measurement)),
          search(std::get_if<CurvePlan>(&plan.measurement)),
          run(session, plan, number, nullptr, RunLifecycle::Part::of_comparison) {}
    std::string name;
    LoadPoint load;
    const CurvePlan* search;  ///< nullptr: latencies at a rate are compared
    RunLifecycle run;
    RunStats all = {};                   ///< of all slices
    std::vector<CurvePoint> shape = {};  ///< of the curve after the slices
  };

  bool set_up(const std::vector<RunPlan>& plans);
  SliceSeen measure(const Slice& slice);
  Curve curve_of(std::size_t variant);
  void take_down();

  SessionState& session_;
  const ComparisonPlan& plan_;
  const std::vector<RunPlan>& plans_;
  SessionJournal& journal_;
  SliceSeries series_;
  std::vector<std::unique_ptr<UpVariant>> up_;
  std::vector<std::optional<VariantRun>> runs_;
  std::string failure_;
};

}  // namespace edagen
