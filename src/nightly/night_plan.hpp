// The plan of a night: plain values; and where the night may write.
#pragma once

#include <string>
#include <vector>

#include "base/user_command.hpp"
#include "edagen/run_plan.hpp"
#include "nightly/volume_needs.hpp"
#include "nights/night.hpp"

namespace edagen {

struct PlannedMeasurement {
  std::string name;                 ///< fit for a file name
  RunPlan plan;                     ///< its outputs and journal are not used
  std::vector<RunPlan> references;  ///< the same load on unchanged volumes
  VolumeNeeds needs;                ///< needs of the volume and of the references
};

struct NightPlan {
  std::string directory;  ///< the history's
  std::vector<PlannedMeasurement> measurements;
  Gate gate;
  std::size_t max_runs = 3;                   ///< runs of each measurement in a night, at most
  Nanos time_limit = std::chrono::hours(12);  ///< the measuring ends after this time; what is there is judged
  std::size_t keep_results = 30;              ///< nights whose results are kept
  Bytes keep_results_bytes = GiB;             ///< size of all kept results together, at most
  std::size_t keep_nights = 3650;             ///< lines of the history that are kept
  std::vector<std::string> inputs;            ///< files that no output may replace: the plan, the history
  std::vector<Output<NightJudgement>> outputs;
  UserCommand hook;  ///< that gets the verdict; without a command: none
};

/// All plans that may be run: of each measurement its own, followed by those of its references.
std::vector<RunPlan> plans_of(const NightPlan& plan);

/// Throws Error (usage) when an output cannot be written or would replace what is kept, and when it or the history lies
/// in a dataset of a volume of the night, there or not yet. Leaves nothing behind; without `touching` nothing is made.
void check_night_places(const NightPlan& plan, StuckWatch& watch, bool touching = true);

}  // namespace edagen
