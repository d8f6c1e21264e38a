// One run, stage by stage, from the look at its volume to the removal of its dataset: on one host, or on several, which
// go from stage to stage together.
#pragma once

#include <exception>
#include <memory>
#include <optional>

#include "edagen/comparison_result.hpp"
#include "edagen/search.hpp"
#include "session/point_recorder.hpp"
#include "session/run_load.hpp"
#include "session/run_site.hpp"

namespace edagen {

/// What threads in ops that never return still use, so that it is left behind with them.
struct RunResources {
  RunSite site;
  std::optional<RunLoad> load;
};

class RunLifecycle {
 public:
  /// A whole run emits its plan and writes outputs. A comparison does that for all of its runs together.
  enum class Part { whole, of_comparison };

  /// At a host that is alone or leads the others. `number`: the plan's number on all hosts, or the variant's number in
  /// a comparison. `journal`: nullptr: the run has none. `session` and `journal` outlive this.
  RunLifecycle(SessionState& session, const RunPlan& plan, std::size_t number, SessionJournal* journal, Part part);
  /// At a host that follows the leader.
  RunLifecycle(SessionState& session, const RunPlan& plan);
  RunLifecycle(const RunLifecycle&) = delete;
  RunLifecycle& operator=(const RunLifecycle&) = delete;

  ~RunLifecycle();

  /// To be called once. Throws Error. The result of a follower is empty.
  Result carry_out();

  /// In place of carry_out(), for whoever requests load points one by one, while other runs are set up, too: on one
  /// host. All that comes before the load; false when a stop came first.
  bool set_up();
  struct MeasuredPoint {
    CurvePoint point;
    RunFigures figures;
  };
  /// `what`: for people. `target`: against which the load point is held. Throws Error.
  MeasuredPoint measure_point(const LoadPoint& load, const std::string& what, std::optional<Nanos> target,
                              Purpose purpose);
  /// When another run has taken the lock of the dataset, as was found during the load: that.
  std::optional<Error> loss_of_lock() const { return site().loss_of_lock(false); }
  /// All that comes after the load. `curve` has the load points that the result is to have, and its answers;
  /// `stuck_ops` is the number of ops that have not returned, in any load point.
  Result take_down(Curve curve, std::uint64_t stuck_ops);

  /// The dataset, if this run has made it and not found it there. A follower has the part on mounts of this host alone.
  const std::optional<MadeDataset>& made_dataset() const { return made_; }

 private:
  enum Role : unsigned { alone = 1, leader = 2, follower = 4, measuring = alone | leader, all = 7 };
  enum class When { always, dataset_is_there, no_op_is_stuck, ops_are_stuck, run_is_whole };
  struct Stage {
    void (RunLifecycle::*carry_out)();
    unsigned roles;
    When when = When::always;
    bool hosts_meet = false;  ///< when the stage is over
  };
  static const Stage stages[];
  bool is_due(const Stage& stage) const;
  void carry_out_until(const Stage* end);
  static const Stage* load_stage();
  void meet();
  void release_resources();

  void order_followers();
  void look_at_volume();
  void announce();
  void expect_time();
  void build_dataset();
  void write_header();
  void make_load();
  void measure_load();
  void follow_load();
  void conclude();
  void leave_dataset();
  void note_stuck_ops(std::uint64_t ops);
  void write_outputs();
  void leave_behind();
  void end_load();
  void remove_dataset();

  bool outputs_are_outside() const;
  RunSite& site() const { return resources_->site; }
  const RunPlan& plan() const { return site().plan(); }

  SessionState& session_;
  const RunPlan plan_;  ///< with a TunedExport, in whose place the plan of the site has a directory
  const std::size_t number_;
  SessionJournal* const journal_;  ///< nullptr: none, as of a follower
  const Part part_;
  const Role role_;
  std::optional<PointRecorder> recorder_;  ///< outlives the load
  std::unique_ptr<RunResources> resources_;
  std::optional<MadeDataset> made_;
  bool built_ = false, is_concluded_ = false, in_slices_ = false;
  std::uint64_t stuck_ops_ = 0;
  const Stage* next_stage_ = stages;
  Curve curve_;
  std::vector<PointFigures> points_;  ///< of the curve
  std::string preparation_note_;      ///< of commands before load points
  Result result_;
  std::exception_ptr write_failure_;
};

}  // namespace edagen
