#include "nightly/night_places.hpp"

#include "session/outputs.hpp"

namespace edagen {
namespace {

/// What `of` gives for each measurement and each reference.
std::vector<std::string> of_all(const NightPlan& plan, const auto& of) {
  std::vector<std::string> all;
  const auto add = [&](const RunPlan& run) {
    for (const std::string& path : of(run)) all.push_back(path);
  };
  for (const PlannedMeasurement& planned : plan.measurements) {
    add(planned.plan);
    for (const RunPlan& reference : planned.references) add(reference);
  }
  return all;
}

}  // namespace

void check_night_places(const NightPlan& plan, StuckWatch& watch, bool touching) {
  const std::vector<std::string> mounts = of_all(plan, [](const RunPlan& run) { return directories_of(run.volume); });
  std::vector<std::string> inputs = of_all(plan, [](const RunPlan& run) { return run.inputs; });
  inputs.insert(inputs.end(), plan.inputs.begin(), plan.inputs.end());
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
