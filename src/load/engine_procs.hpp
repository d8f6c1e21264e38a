// The procs of an engine, and what a load point makes of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "load/applied_load.hpp"
#include "load/shard.hpp"
#include "load/shared_load.hpp"

namespace edagen {

struct EngineProc {
  OpStream ops;
  std::size_t group;        ///< index into the group names
  double ops_per_sec;       ///< the proc's own rate; a load point scales the rates of all procs
  std::size_t job_set = 0;  ///< place in the order in which load points add job sets
  std::size_t client = 0;
  unsigned depth = 1;  ///< most ops in flight at once; above 1 only when queueable
  /// False: the proc has no rate of its own, and `ops_per_sec` is its weight when a load point has a rate.
  bool paced = true;
  bool queueable = false;  ///< ProcSpec::queueable(): a load point may set another depth
  /// The proc's number among all procs of the load, on all hosts: schedules derive from it. nullopt: the place in the
  /// list.
  std::optional<std::uint64_t> number = {};
  bool here = true;  ///< its ops are counted on this host; false only in simulations
};

class EngineProcs {
 public:
  /// `elsewhere`: the procs of the other hosts. `seed`: that of the schedules.
  EngineProcs(std::vector<EngineProc> procs, std::vector<ProcElsewhere> elsewhere, std::uint64_t seed);

  /// Applies the load point to the procs. `takes_over`: a load goes on, and the shards change the schedules of procs
  /// that are at work.
  void apply(const LoadPoint& load, bool takes_over);
  /// The rate of the procs on this host; nullopt in a closed loop.
  std::optional<double> rate_here(const LoadPoint& load) const;
  /// The procs that a load has: all of them when it stays up.
  std::vector<ShardProc*> of_load(const LoadPoint& load) const;
  std::vector<Schedule> schedules_of(const std::vector<ShardProc*>& procs, Nanos start) const;
  /// Adds the procs of the other hosts to their groups.
  void add_elsewhere(const LoadPoint& load, std::vector<GroupStats>& groups) const;

 private:
  struct Proc : ShardProc {
    std::size_t job_set;
    unsigned own_depth;
    bool queueable;
    std::uint64_t number;
  };

  AppliedLoad::Procs here(const LoadPoint& load) const;
  AppliedLoad::Procs everywhere(const LoadPoint& load) const;

  std::vector<std::unique_ptr<Proc>> procs_;
  std::vector<ProcElsewhere> elsewhere_;
  std::uint64_t seed_;
  std::uint64_t loads_ = 0;
  std::unique_ptr<AppliedLoad> applied_;  ///< the current load point
};

}  // namespace edagen
