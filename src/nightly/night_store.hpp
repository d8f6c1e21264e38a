// The directory of a history while a night writes there: its lock, its results and how long they stay.
//   nights.jsonl                      a line for each night
//   results/2026-01-31T01-00-00Z/     of one night: NAME-1.json, NAME-1.html, NAME-reference-1.json, ...
//   lock
#pragma once

#include <string>

#include "base/descriptor.hpp"
#include "nightly/night_plan.hpp"
#include "nights/history_file.hpp"

namespace edagen {

class NightStore {
 public:
  /// Makes the directory, takes its lock, notes nights that were killed and makes room. Throws Error: usage when
  /// another night has the lock, run when the disk is full or something cannot be written.
  explicit NightStore(const NightPlan& plan);

  const std::vector<Night>& nights() const { return history_.nights; }
  /// RFC 3339; after all nights that are there, also when the clock was set back.
  const std::string& tonight() const { return tonight_; }
  /// Of a run, below directory(); without an extension.
  std::string result_name(const std::string& measurement, bool reference, std::size_t run) const;
  const std::string& directory() const { return plan_.directory; }
  /// Adds the night and removes what is too old or too much. Throws Error (run).
  void keep(const Night& night);

 private:
  void lock();
  void read();
  void note_killed_nights();
  void make_room() const;
  std::string folder_of(const std::string& night) const;

  const NightPlan& plan_;
  Descriptor lock_;
  History history_;
  std::string tonight_;
};

}  // namespace edagen
