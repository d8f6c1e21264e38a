// Carries out a comparison: each run as any other, on datasets that are made once.
#pragma once

#include <functional>

#include "edagen/run_plan.hpp"
#include "session/kept_results.hpp"
#include "session/session_state.hpp"
#include "session/simulated_runs.hpp"
#include "session/stall_notes.hpp"

namespace edagen {

class ComparisonRunner {
 public:
  /// Both outlive this. Throws Error (usage) on what can be seen without touching anything.
  ComparisonRunner(SessionState& session, const ComparisonPlan& plan);

  /// As Session, of this plan; run() once.
  std::string describe();
  ComparisonResult run();

 private:
  /// A variant, and what was measured of it so far.
  struct VariantState {
    const Variant& variant;
    std::size_t number = 0;
    std::vector<RunFigures> runs = {};
    std::optional<StalenessFigures> staleness = {};
    std::optional<std::string> refused = {};  ///< why its tuning is
    std::optional<VariantRun> last_run = {};
  };

  void check_places_of_results(bool touching);
  void find_dataset_budget();
  std::optional<Result> kept_result(std::size_t variant, std::size_t repeat) const;
  std::string text();
  std::string text_of(const Variant& variant);
  ComparisonResult header() const;
  ComparisonResult with_variants(ComparisonResult comparison) const;
  RunPlan plan_of_run(std::size_t variant, std::size_t repeat) const;
  RunPlan plan_of_slices(const Variant& variant) const;
  void begin_simulated_runs(const std::vector<std::size_t>& order);
  void measure_all(SessionJournal& journal);
  bool measure_slices(SessionJournal& journal);
  bool repeats_have_ended(std::size_t repeats);
  /// Then no run is known to be the last one, which would draw a curve.
  bool ends_by_data() const { return plan_.until || plan_.max_time; }
  bool is_sliced() const { return alternation_.unit == Alternation::slices; }
  bool measure_run(VariantState& of, SessionJournal& journal);
  Result result_of_run(const VariantState& of, SessionJournal& journal);
  void measure_staleness_of(VariantState& of, SessionJournal& journal);
  bool unless_refused(VariantState& of, SessionJournal& journal, const std::function<void()>& work);
  void conclude(ComparisonResult& comparison, SessionJournal& journal);
  void emit_left(const MadeDataset& made, DatasetLeft::Why why) const;
  void remove_datasets();
  void remove_dataset_of(const Variant& variant, const MadeDataset& made);

  SessionState& session_;
  const ComparisonPlan& plan_;
  const KeptResults kept_;
  std::vector<VariantState> variants_;
  std::optional<double> dataset_budget_;  ///< bytes on each of the volumes
  std::optional<SimulatedRuns> simulated_;
  StallNotes stalls_;
  Nanos load_time_{0};              ///< of all so far
  Nanos load_time_before_runs_{0};  ///< of it: of climbs and pilots, where slices turned out not to be possible
  AlternationFigures alternation_;
  std::string failure_;  ///< of a run or a slice, after which what was measured stands; empty: none
};

}  // namespace edagen
