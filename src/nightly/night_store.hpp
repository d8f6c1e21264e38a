// The directory of a history while a night writes there: its lock, its results and how long they stay.
//   nights.jsonl                      a line for each night
//   results/2026-01-31T01-00-00Z/     of one night: NAME-1.json, NAME-1.html, NAME-reference-1.json,
//                                     NAME-reference2-1.json, ...;
//                                     edagen.night has a line for each run: NAME-1, ...
//   lock
// All of it is opened beneath the directory, which stays open, belongs to this user and can be written by nobody else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/own_file.hpp"
#include "nightly/night_plan.hpp"
#include "nights/history_file.hpp"

namespace edagen {

class NightStore {
 public:
  /// Makes the directory, takes its lock, notes nights that were killed and makes room. Throws Error: usage when
  /// another night has the lock or somebody else may write there, run when the disk is full or something cannot be
  /// written.
  explicit NightStore(const NightPlan& plan);

  const std::vector<Night>& nights() const { return history_.nights; }
  /// RFC 3339; after all nights that are there, also when the clock was set back.
  const std::string& tonight() const { return tonight_; }
  /// Where a run of tonight writes: its result, report and journal are `path` with an extension, in `folder`.
  struct RunFiles {
    std::string path;  ///< for messages
    std::string name;  ///< below the history's directory
    std::string stem;  ///< in the night's folder
    int folder = -1;   ///< open as long as this is there
  };
  /// Notes in the night's folder that these files are the night's. `reference`: its number; 0: the volume itself.
  /// Throws Error (run).
  RunFiles begin_run(const std::string& measurement, std::size_t reference, std::size_t run);
  /// When the result is there, which holds all that the journal does.
  void remove_journal(const RunFiles& run) const;
  /// Adds the night and removes what is too old or too much. Throws Error (run).
  void keep(const Night& night);

 private:
  /// A folder of results.
  struct KeptNight {
    std::string folder, night;
    std::vector<std::string> files;  ///< that the night wrote
    Bytes bytes = 0;                 ///< of these files
  };
  static OwnDirectory made(const std::string& path);
  void lock();
  void read();
  void note_killed_nights();
  void make_room() const;
  std::vector<KeptNight> kept_nights() const;
  std::vector<std::string> written_files(int folder, const KeptNight& kept) const;
  void remove_results(const KeptNight& kept) const;

  const NightPlan& plan_;
  OwnDirectory directory_, results_;
  std::optional<OwnDirectory> folder_;  ///< of tonight
  Descriptor lock_, marker_;
  History history_;
  std::string tonight_;
};

}  // namespace edagen
