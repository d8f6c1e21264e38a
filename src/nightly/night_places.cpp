#include "nightly/night_places.hpp"

#include "nightly/night_runner.hpp"
#include "session/outputs.hpp"

namespace edagen {
namespace {

std::vector<std::string> directories_of_all(const NightPlan& plan) {
  std::vector<std::string> all;
  for (const RunPlan& run : plans_of(plan))
    for (const std::string& directory : directories_of(run.volume)) all.push_back(directory);
  return all;
}

/// The configuration and the history, and the workloads, models and labels that the configuration names.
std::vector<std::string> inputs_of_all(const NightPlan& plan) {
  std::vector<std::string> all = plan.inputs;
  for (const RunPlan& run : plans_of(plan)) all.insert(all.end(), run.inputs.begin(), run.inputs.end());
  return all;
}

}  // namespace

void check_night_places(const NightPlan& plan, StuckWatch& watch, bool touching) {
  const std::vector<std::string> mounts = directories_of_all(plan);
  const std::vector<Place> outputs = places_of(plan.outputs, std::nullopt);
  {
    StuckWatch::Thread self(watch);
    check_not_in_dataset({"history", plan.directory}, {}, self);
  }
  check_not_below_dataset({"history", plan.directory}, mounts);
  for (const Place& output : outputs) check_not_below_dataset(output, mounts);
  check_places(outputs, inputs_of_all(plan), {}, watch, touching);
}

}  // namespace edagen
