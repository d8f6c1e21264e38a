// What is told of a session while it goes on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "edagen/parts/build_progress.hpp"
#include "edagen/search.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// A dataset that stays where it is.
struct DatasetLeft {
  enum class Why {
    asked,         ///< it is to be kept
    unfinished,    ///< its build was interrupted: the next run completes it
    stuck_ops,     ///< ops in it never returned
    hanging_call,  ///< the process ends at once, or in the middle of a call that does not return
    not_removed    ///< removing it failed, which may have left less
  };
  Why why = Why::asked;
  std::vector<std::string> mounts;  ///< directories that hold it
  std::uint64_t files = 0;
  Bytes bytes = 0;
};

/// Told of a session while it goes on; it completes nothing and must not throw. Called from the thread of
/// Session::run() unless said otherwise.
class SessionObserver : public CurveObserver {
 public:
  /// All was checked and nothing was touched yet. `plan`: what will be done, for people. Not of a comparison.
  virtual void begins(const std::string& /*plan*/) {}
  /// What is measured from here on can be read back from this file, however the process ends.
  virtual void journal_opened(const std::string& /*path*/) {}
  /// How long loads will be made, at most; not of a simulated volume.
  virtual void will_take(Nanos /*time*/) {}
  virtual void building(const BuildProgress&) {}
  /// The dataset is there, or building it has ended early.
  virtual void built() {}
  /// The load of a run begins. `header`: what is known of its result by now.
  virtual void load_begins(const Result& /*header*/) {}
  virtual void point_measured(const PointFigures&) {}
  /// What a result is to say of lines or files that this was to write and that are missing.
  virtual std::vector<std::string> lacks() const { return {}; }
  /// No load is made any more.
  virtual void load_ended() {}
  /// The outputs were written where there was something to write; the dataset is still there.
  virtual void finished(const Result&) {}
  /// Of a comparison: run `number` of `of` of a variant. `at_target`: the rate at the latency target is compared.
  virtual void variant_run(const std::string& /*variant*/, std::size_t /*number*/, std::size_t /*of*/,
                           const RunFigures&, bool /*at_target*/) {}
  /// The server or the kernel does not take a tuning: the comparison goes on with the others.
  virtual void variant_refused(const std::string& /*variant*/, const std::string& /*why*/) {}
  virtual void finished(const ComparisonResult&) {}
  /// The session goes on without them, but their threads stay.
  virtual void ops_never_returned(std::uint64_t /*count*/) {}
  /// `tell` says by dataset_left() what there is, for a process that is to end at once; from any thread, until the
  /// session's end, when this is called with an empty one.
  virtual void can_tell_what_is_left(const std::function<void()>& /*tell*/) {}
  /// From any thread, as the next two.
  virtual void dataset_left(const DatasetLeft&) {}
  /// A call outside of the measured load has not returned for `age`.
  virtual void hanging(const std::string& /*call*/, Nanos /*age*/) {}
  /// A call does not return although the session is to end: other threads are still in it, so that the process has to
  /// end here and now. Must not return.
  [[noreturn]] virtual void abandon(const std::string& call);
};

}  // namespace edagen
