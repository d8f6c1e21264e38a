#include "dataset/dataset_builder.hpp"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <set>

#include "base/free_space.hpp"
#include "base/own_file.hpp"
#include "base/parallel.hpp"
#include "dataset/directory_builder.hpp"
#include "dataset/foreign_files.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

std::vector<PlaceRoom> room_of(const std::vector<DatasetRoot>& roots) {
  std::vector<PlaceRoom> all;
  for (const DatasetRoot& root : roots) {
    const std::optional<FreeSpace> free = free_space(root.place().mount);
    if (!free) throw usage_error(root.place().mount, std::strerror(errno));
    all.push_back({root.place().mount, root.place().volume, *free});
  }
  return all;
}

/// Opens the directory `name` in `parent`, making it if needed. Throws Error (run) when others may write there.
Descriptor make_directory(int parent, const std::string& name, const std::string& path, uid_t owner) {
  if (::mkdirat(parent, name.c_str(), 0755) != 0 && errno != EEXIST)
    throw run_error(path + "/" + name, std::strerror(errno));
  return open_own_directory(parent, name, owner, path, "edagen clean removes the dataset");
}

}  // namespace

DatasetBuilder::DatasetBuilder(const DatasetPlan& plan, std::vector<DatasetPlace> places, bool reuse,
                               BuildTogether* together)
    : plan_(plan), together_(together), found_(plan, reuse) {
  for (DatasetPlace& place : places) {
    const DatasetRoot& root = roots_.emplace_back(std::move(place));
    found_.add(root.path(), root.marker());
  }
  if (found_.is_new()) check_room(plan_, room_of(roots_));
}

/// Several hosts claim one after the other, the leader first. The other hosts find the leader's dataset, or claim their
/// own when each host has its own directory.
void DatasetBuilder::claim(StuckWatch::Thread& self) {
  DatasetMarker fresh = fresh_marker(plan_);
  const bool follows = together_ != nullptr && !together_->leads();
  if (follows) fresh.id = together_->leaders({});
  for (DatasetRoot& root : roots_) {
    self.call_started("opening", root.path());
    if (follows) root.claim_with_leader(fresh);
    else root.claim(fresh);
    fresh.id = root.marker()->id;
  }
  if (together_ != nullptr && !follows) together_->leaders(fresh.id);
}

void DatasetBuilder::make_proc_directories(StuckWatch::Thread& self) {
  Descriptor client;
  std::string made_last;
  for (std::size_t i = 0; i < plan_.procs.size(); ++i) {
    const PlannedProc& proc = plan_.procs[i];
    const DatasetRoot& root = roots_[proc.mount];
    if (!plan_.has_directory(i) || !has(proc)) continue;
    const std::string& name = proc.directory;
    const auto slash = name.find('/');
    self.call_started("making", root.path(), name);
    if (name.substr(0, slash) != made_last) {
      made_last = name.substr(0, slash);
      client = make_directory(root.descriptor(), made_last, root.path(), root.owner());
    }
    make_directory(client.get(), name.substr(slash + 1), root.path() + "/" + name.substr(0, slash), root.owner());
  }
}

/// When hosts share a directory, each host checks the directories of its own procs and those of no proc.
void DatasetBuilder::check_for_foreign_files(std::size_t threads, const std::stop_token& stop,
                                             StuckWatch& watch) const {
  std::set<std::string> of_others;
  int depth = 1;
  for (const PlannedProc& proc : plan_.procs) {
    if (!has(proc)) of_others.insert(proc.directory);
    depth = std::max(depth, proc.files.dataset().depth);
  }
  for (const DatasetRoot& root : roots_)
    if (root.marker())
      check_for_foreign(
          root, depth, [&](const std::string& name) { return !root.place().of_host && of_others.contains(name); },
          threads, stop, watch);
}

BuildResult DatasetBuilder::build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                                  const std::function<void(const BuildProgress&)>& progress) {
  const TimePoint start = now();
  BuildProgress state;
  BuildCounters counters;
  if (!found_.is_new()) check_for_foreign_files(threads, stop, watch);
  {
    StuckWatch::Thread self(watch);
    claim(self);
    make_proc_directories(self);
  }
  const std::vector<std::uint64_t> first =
      first_directories(plan_, [this](const PlannedProc& proc) { return has(proc); });
  state.directories = first.back();
  state.bytes = plan_.totals().bytes;
  std::atomic<std::uint64_t> next{0};
  const auto work = [&](const std::stop_token& halt) {
    StuckWatch::Thread thread(watch);
    DirectoryBuilder builder(counters, thread);
    for (std::uint64_t i = next++; i < first.back() && !halt.stop_requested(); i = next++) {
      const auto at = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end() - 1, i) - first.begin() - 1);
      const PlannedProc& proc = plan_.procs[at];
      builder.build(proc.directory, plan_.files_of(at), roots_[proc.mount], i - first[at], halt);
    }
  };
  run_in_parallel(std::max<std::size_t>(threads, 1), stop, work, [&] {
    state.directories_done = counters.directories.load();
    state.files_done = counters.files.load();
    state.bytes_done = static_cast<double>(counters.bytes.load());
    state.elapsed = now() - start;
    progress(state);
  });

  BuildResult result;
  result.reused = found_.reuses();
  result.files_made = counters.files_made;
  result.interrupted = stop.stop_requested();
  if (!result.interrupted) flush(watch);
  if (together_ != nullptr) result.interrupted = !together_->all(!result.interrupted);
  if (!result.interrupted) mark_complete(watch);
  result.complete = !result.interrupted;
  result.elapsed = now() - start;
  return result;
}

/// Flushes the files to the storage now, so that this does not happen during the measurement.
void DatasetBuilder::flush(StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (const DatasetRoot& root : roots_) {
    self.call_started("flushing", root.path());
    ::syncfs(root.descriptor());
  }
}

void DatasetBuilder::mark_complete(StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (DatasetRoot& root : roots_) {
    self.call_started("marking", root.path());
    root.mark_complete();
  }
}

bool DatasetBuilder::is_marked() const {
  return std::ranges::any_of(roots_, [](const DatasetRoot& root) { return root.is_marked(); });
}

void DatasetBuilder::remove(std::size_t threads, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (DatasetRoot& root : roots_) {
    if (root.is_shared()) continue;  // it may be gone by now, which an NFS mount shows late
    if (root.is_gone()) {
      spdlog::warn("{} was removed by somebody else during the run", root.path());
      continue;
    }
    self.call_started("looking at", root.place().mount);
    if (!root.in_place())
      spdlog::warn("{} was unmounted or replaced during the run, which went on in what was there before",
                   root.place().mount);
    self.pause();
    root.remove(threads, watch);
  }
}

bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id) {
  StuckWatch::Thread self(watch);
  self.call_started("opening", place.mount, dataset_directory);
  DatasetRoot root(place);
  self.pause();
  if (!root.exists()) return false;
  if (!id.empty() && (!root.marker() || root.marker()->id != id))
    throw run_error(root.path(), "is another dataset by now", "nothing was removed");
  root.remove(threads, watch);
  return true;
}

}  // namespace edagen
