// What a night is to do: plain values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "edagen/run_plan.hpp"
#include "nightly/hook.hpp"
#include "nightly/volume_needs.hpp"
#include "nights/night.hpp"

namespace edagen {

struct PlannedMeasurement {
  std::string name;                  ///< of a file
  RunPlan plan;                      ///< its outputs and journal are not used
  std::optional<RunPlan> reference;  ///< the same load on an unchanged volume
  VolumeNeeds needs;                 ///< of the volume and of the reference
};

struct NightPlan {
  std::string directory;  ///< of the history
  std::vector<PlannedMeasurement> measurements;
  Gate gate;
  std::size_t max_runs = 3;                   ///< of each measurement in a night
  Nanos time_limit = std::chrono::hours(12);  ///< of the measuring: what goes on then ends, what is there is judged
  std::size_t keep_results = 30;              ///< nights
  Bytes keep_results_bytes = GiB;             ///< of all of them together
  std::size_t keep_nights = 3650;             ///< lines
  std::vector<std::string> inputs;            ///< files that no output may replace: the plan, the history
  std::vector<Output<NightJudgement>> outputs;
  Hook hook;
};

}  // namespace edagen
