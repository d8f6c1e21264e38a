// What is said while something goes on: a line that is drawn over on a terminal, a log line now and then elsewhere.
#pragma once

#include <deque>
#include <string>

#include "dataset/dataset_builder.hpp"
#include "edagen/clock.hpp"

namespace edagen {

class Progress {
 public:
  explicit Progress(bool live) : live_(live) {}
  ~Progress() { clear(); }

  /// Draws over the live line; off a terminal, logs `text` if the last time is 5 s ago.
  void show(const std::string& text);
  /// Takes the live line away, so that something else can be printed.
  void clear();

 private:
  bool live_;
  bool drawn_ = false;
  TimePoint logged_ = now();
};

/// "3 s of 4 s", then "5 s, 4 s were expected": a run whose volume is behind ends later.
std::string time_text(Nanos elapsed, Nanos expected);

/// "[#####     ] 48 %  dataset 1.2 GiB of 2.5 GiB, 310 MiB/s, 4.2 s left", by the rate of the last seconds: caches that
/// fill up make it slower on the way.
class BuildText {
 public:
  std::string text(const BuildProgress& progress);

 private:
  std::deque<BuildProgress> last_;
};

}  // namespace edagen
