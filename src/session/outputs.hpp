// Where results go.
#pragma once

#include <spdlog/spdlog.h>

#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// Those that the user has named as mounts.
std::vector<std::string> directories_of(const Volume& volume);
std::vector<std::string> directories_of(const ComparisonPlan& plan);

/// Throws Error (usage) when an output lies in a dataset now, by whatever path: one of `mounts`, there or not yet, or
/// any that is there.
void check_not_in_dataset(const Place& place, const std::vector<std::string>& mounts, StuckWatch::Thread& self);

/// The same by names alone, without a look at the mounts, which may hang.
void check_not_below_dataset(const Place& place, const std::vector<std::string>& mounts);

/// Throws Error (usage) when a file that is to be written cannot be, when two are one, or when one is one of `inputs`,
/// kept in a history of nights or in a dataset. Leaves nothing behind. `watch` names a call that hangs. Without
/// `touching`, nothing is made, not even for a moment: permissions are looked at.
void check_places(const std::vector<Place>& places, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& mounts, StuckWatch& watch, bool touching = true);

template <class What>
std::vector<Place> places_of(const std::vector<Output<What>>& outputs, const std::optional<Place>& journal) {
  std::vector<Place> places;
  for (const Output<What>& output : outputs) places.push_back(output.place);
  if (journal) places.push_back(*journal);
  return places;
}
/// All places that a RunPlan or a ComparisonPlan names.
std::vector<Place> places_of(const auto& plan) {
  std::vector<Place> places = places_of(plan.outputs, plan.journal);
  places.insert(places.end(), plan.written_meanwhile.begin(), plan.written_meanwhile.end());
  return places;
}

/// Writes text to a file or, for -, to stdout: a regular file has all of it or what it had before. Throws Error (run);
/// where nobody reads stdout, std::cout is bad then. `durably`: a regular file is on the storage before it takes the
/// place of the one before it.
void write_text(const Place& place, const std::string& text, bool durably = true);

/// Writes each output, also after one that cannot be written, which is logged. Returns whether all were written.
template <class What>
bool write_outputs(const std::vector<Output<What>>& outputs, const What& what, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  bool all = true;
  for (const Output<What>& output : outputs) {
    self.call_started("writing " + output.place.name, output.place.path);
    try {
      write_text(output.place, output.text(what));
    } catch (const std::exception& error) {
      spdlog::error("{}", error.what());
      all = false;
    }
  }
  return all;
}

}  // namespace edagen
