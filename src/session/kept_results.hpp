// Results of a comparison's runs that are kept in a directory: a later comparison takes them instead of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

class KeptResults {
 public:
  /// Both outlive this.
  KeptResults(const ComparisonPlan& plan, StuckWatch& watch) : plan_(plan), watch_(watch) {}

  /// Where a run's result is kept; empty: nowhere.
  std::string file(std::size_t variant, std::size_t repeat) const;
  /// Files that are or will be kept, and files that an earlier comparison of other variants has kept there.
  std::vector<std::string> files() const;
  /// Throws Error (usage) when results cannot be kept in the directory, as in a dataset of `mounts`.
  void check_directory(const std::vector<std::string>& mounts) const;
  /// Throws Error (usage). Only the last part of the path is made: a name that was mistyped is to make no tree.
  void make_directory() const;
  /// The result that is there, perhaps of a run that was not measured to its end; nullopt: there is none.
  std::optional<Result> read(std::size_t variant, std::size_t repeat) const;
  /// Logs that it cannot be written, and returns false.
  bool write(std::size_t variant, std::size_t repeat, const Result& result) const;

 private:
  const ComparisonPlan& plan_;
  StuckWatch& watch_;
};

}  // namespace edagen
