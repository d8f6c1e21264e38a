#include "nightly/night_plan.hpp"

#include <optional>

#include "session/outputs.hpp"

namespace edagen {

std::vector<RunPlan> plans_of(const NightPlan& plan) {
  std::vector<RunPlan> plans;
  for (const PlannedMeasurement& planned : plan.measurements) {
    plans.push_back(planned.plan);
    plans.insert(plans.end(), planned.references.begin(), planned.references.end());
  }
  return plans;
}

void check_night_places(const NightPlan& plan, StuckWatch& watch, bool touching) {
  std::vector<std::string> mounts, inputs = plan.inputs;
  for (const RunPlan& run : plans_of(plan)) {
    for (const std::string& directory : directories_of(run.volume)) mounts.push_back(directory);
    inputs.insert(inputs.end(), run.inputs.begin(), run.inputs.end());
  }
  const std::vector<Place> outputs = places_of(plan.outputs, std::nullopt);
  {
    StuckWatch::Thread self(watch);
    check_not_in_dataset({"history", plan.directory}, {}, self);
  }
  check_not_below_dataset({"history", plan.directory}, mounts);
  for (const Place& output : outputs) check_not_below_dataset(output, mounts);
  check_places(outputs, inputs, {}, watch, touching);
}

}  // namespace edagen
