#include "nightly/night_places.hpp"

#include "session/outputs.hpp"

namespace edagen {
namespace {

std::vector<std::string> directories_of_all(const NightPlan& plan) {
  std::vector<std::string> all;
  const auto add = [&](const RunPlan& run) {
    for (const std::string& directory : directories_of(run.volume)) all.push_back(directory);
  };
  for (const PlannedMeasurement& planned : plan.measurements) {
    add(planned.plan);
    for (const RunPlan& reference : planned.references) add(reference);
  }
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
  check_places(outputs, plan.inputs, {}, watch, touching);
}

}  // namespace edagen
