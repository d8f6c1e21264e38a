// What Session::run() does, for each kind of plan.
#pragma once

#include <exception>
#include <functional>
#include <map>

#include "edagen/run_plan.hpp"
#include "nfs/host_changes.hpp"
#include "session/run_site.hpp"
#include "session/session_journal.hpp"
#include "session/session_state.hpp"

namespace edagen {

/// Calls a function at its end.
class AtEnd {
 public:
  explicit AtEnd(std::function<void()> at_end) : at_end_(std::move(at_end)) {}
  ~AtEnd() { at_end_(); }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;

 private:
  std::function<void()> at_end_;
};

/// What the leader of several hosts has the others do.
struct PlanOrder {
  enum class What : std::uint8_t { carry_out, remove, quit } what = What::carry_out;
  std::uint64_t number = 0;  ///< of the plan, among those that all hosts know
  bool reuse_dataset = false;
  std::uint64_t seed = 1;
};
void parts(auto& visit, auto& order) requires
    std::is_same_v<std::remove_const_t<std::remove_reference_t<decltype(order)>>, PlanOrder> {
  visit(order.what, order.number, order.reuse_dataset, order.seed);
}

class SessionWork {
 public:
  /// As Session.
  SessionWork(EventSink emit, std::stop_token stop, Nanos stuck_after, Hosts* hosts, WriteFailures write_failures);
  ~SessionWork();

  std::string describe(const RunPlan& plan);
  std::string describe(const ComparisonPlan& plan);
  Result run(const RunPlan& plan, std::size_t number);
  ComparisonResult run(const ComparisonPlan& plan);
  StalenessFigures run(const StalenessPlan& plan);
  /// At a host that does not lead: carries out what the leader says, of these plans.
  void follow(const std::vector<RunPlan>& plans);
  bool stuck() const { return stuck_; }
  bool cleanup_incomplete() const { return cleanup_incomplete_; }

 private:
  /// What a run is part of: nothing, or a comparison.
  struct Occasion {
    std::size_t number = 0;  ///< of the plan, for other hosts
    std::function<void(const std::string& plan)> begins = [](const std::string&) {
    };  ///< all is checked, nothing touched
    std::function<void(const MadeDataset&)> made_dataset = [](const MadeDataset&) {};
    /// The dataset is there, built or checked; the load begins next.
    std::function<void()> dataset_ready = [] {};
    /// The result is there and the journal complete; the dataset still is, too.
    std::function<void(const Result&)> finished = [](const Result&) {};
  };
  /// The one lifecycle.
  Result carry_out(const RunPlan& plan, SessionJournal& journal, const Occasion& occasion);
  HostChanges& host_changes();
  void emit_result(const Event& finished);
  bool outputs_are_outside(const RunPlan& plan, const RunSite& site);
  std::vector<std::string> write_failures(const SessionJournal& journal);

  void order(const PlanOrder& what);
  void follow_plan(const RunPlan& plan, std::size_t number);
  void note_made_here(RunSite& site, std::size_t number);
  void remove_made_here(std::size_t number);

  void check_can_run() const;

  void measure_variants(const ComparisonPlan& plan, SessionJournal& journal,
                        std::vector<std::vector<RunFigures>>& figures,
                        std::vector<std::optional<StalenessFigures>>& stale,
                        std::vector<std::optional<std::string>>& refused,
                        std::vector<std::optional<VariantRun>>& last_runs);
  void measure_staleness_of(const ComparisonPlan& plan, SessionJournal& journal,
                            std::vector<std::optional<StalenessFigures>>& stale,
                            std::vector<std::optional<std::string>>& refused);
  /// False when a tuning is refused, which is noted.
  bool unless_refused(const ComparisonPlan& plan, std::size_t variant, SessionJournal& journal,
                      std::optional<std::string>& refused, const std::function<void()>& work);
  std::string text_of(const ComparisonPlan& plan);
  void find_dataset_budget(const ComparisonPlan& plan);
  Result variant_result(const ComparisonPlan& plan, std::size_t variant, std::size_t repeat, SessionJournal& journal);
  std::optional<Result> kept_result(const std::string& file);
  /// Throws Error (usage) when a result that is kept is of another plan than the run that it would stand for.
  void check_kept_results(const ComparisonPlan& plan);
  void make_results_directory(const ComparisonPlan& plan);
  void emit_left(const MadeDataset& made, DatasetLeft::Why why);
  void remove_datasets(const ComparisonPlan& plan);
  void remove_dataset_of(const ComparisonPlan& plan, const Variant& variant, const MadeDataset& made);

  SessionState state_;
  const WriteFailures write_failures_;
  std::stop_source asked_;  ///< of several hosts: here or by others
  std::optional<std::stop_callback<std::function<void()>>> on_stop_;
  std::map<std::size_t, std::pair<std::string, std::vector<std::string>>> made_here_;  ///< by plan: id, mounts
  std::optional<HostChanges> host_changes_;                                            ///< by tunings
  std::optional<double> dataset_budget_;  ///< of a comparison: of each of its volumes
  bool stuck_ = false, cleanup_incomplete_ = false;
  bool others_ended_ = false;  ///< other hosts, with a plan that could not be carried out
  const int exceptions_ = std::uncaught_exceptions();
};

}  // namespace edagen
