// What Session::run() does, for each kind of plan.
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "session/run_site.hpp"
#include "session/session_journal.hpp"

namespace edagen {

class SessionWork {
 public:
  SessionWork(SessionObserver& observer, std::stop_token stop, Nanos stuck_after);

  std::string describe(const RunPlan& plan);
  std::string describe(const ComparisonPlan& plan);
  Result run(const RunPlan& plan);
  ComparisonResult run(const ComparisonPlan& plan);
  StalenessFigures run(const StalenessPlan& plan);
  bool stuck() const { return stuck_; }
  bool left_undone() const { return left_undone_; }

 private:
  /// What a run is part of: nothing, or a comparison.
  struct Occasion {
    std::function<void(const std::string& plan)> begins = [](const std::string&) {
    };  ///< all is checked, nothing touched
    std::function<void(const std::string& id)> made_dataset = [](const std::string&) {};
    /// The result is there and the journal complete; the dataset still is, too.
    std::function<void(const Result&)> finished = [](const Result&) {};
  };
  /// The one lifecycle.
  Result carry_out(const RunPlan& plan, SessionJournal& journal, const Occasion& occasion);

  void abandon(const std::string& call);
  void be_at(RunSite* site);
  void check_not_stuck() const;

  void measure_variants(const ComparisonPlan& plan, SessionJournal& journal,
                        std::vector<std::vector<RunFigures>>& figures,
                        std::vector<std::optional<StalenessFigures>>& stale);
  Result variant_result(const ComparisonPlan& plan, std::size_t variant, std::size_t repeat, SessionJournal& journal);
  void note_dataset(const Variant& variant, std::size_t at, const std::string& id);
  void tell_of_datasets();
  void remove_datasets(const ComparisonPlan& plan);

  SessionObserver& observer_;
  std::stop_token stop_;
  StuckWatch watch_;
  std::mutex site_mutex_;
  RunSite* site_ = nullptr;                           ///< of the run that is going on, for the watch's thread
  std::vector<std::string> made_in_;                  ///< where runs of a comparison have made datasets, for the same
  std::map<std::size_t, std::string> made_datasets_;  ///< of a comparison: id by variant
  bool stuck_ = false, left_undone_ = false;
};

}  // namespace edagen
