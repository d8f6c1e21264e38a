#include "nightly/night_places.hpp"

#include "session/outputs.hpp"

namespace edagen {
namespace {

std::vector<std::string> directories_of_all(const NightPlan& plan) {
  std::vector<std::string> all;
  const auto add = [&](const RunPlan& its) {
    for (const std::string& directory : directories_of(its.volume)) all.push_back(directory);
  };
  for (const PlannedMeasurement& planned : plan.measurements) {
    add(planned.plan);
    if (planned.reference) add(*planned.reference);
  }
  return all;
}

}  // namespace

void check_night_places(const NightPlan& plan, StuckWatch& watch, bool touching) {
  const std::vector<std::string> directories = directories_of_all(plan);
  {
    StuckWatch::Thread self(watch);
    check_not_in_dataset({"history", plan.directory}, directories, self);
  }
  check_places(places_of(plan.outputs, std::nullopt), plan.inputs, directories, watch, touching);
}

}  // namespace edagen
