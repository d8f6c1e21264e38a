// Where results go.
#pragma once

#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// Throws Error (usage) when a file that is to be written cannot be, when two are one, or when one lies in a dataset below
/// `mounts`. `watch` names one that hangs, as below.
void check_places(const std::vector<Place>& places, const std::vector<std::string>& mounts, StuckWatch& watch);

template <class What>
std::vector<Place> places_of(const std::vector<Output<What>>& outputs, const std::optional<Place>& journal) {
  std::vector<Place> places;
  for (const Output<What>& output : outputs) places.push_back(output.place);
  if (journal) places.push_back(*journal);
  return places;
}

/// Writes text to a file or, for -, to stdout. Throws Error (run).
void write_text(const Place& place, const std::string& text);

template <class What>
void write_outputs(const std::vector<Output<What>>& outputs, const What& what, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (const Output<What>& output : outputs) {
    self.begins("writing " + output.place.name, output.place.path);
    write_text(output.place, output.text(what));
  }
}

}  // namespace edagen
