#include "dataset/dataset_builder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "base/free_space.hpp"
#include "base/own_file.hpp"
#include "base/parallel.hpp"
#include "base/rfc3339.hpp"
#include "dataset/directory_builder.hpp"
#include "dataset/foreign_files.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

/// Throws Error (usage) when the file system of `mount` has too little room.
void check_room(const std::string& mount, const DatasetTotals& need) {
  const std::optional<FreeSpace> free = free_space(mount);
  if (!free) throw usage_error(mount, std::strerror(errno));
  const auto check = [&](double needed, double there, const auto& text) {
    if (needed > there)
      throw usage_error(
          mount,
          fmt::format("the dataset needs {}, {} are free: {} too few", text(needed), text(there), text(needed - there)),
          "use a smaller --dataset-scale or fewer --clients, or free some");
  };
  check(need.space, free->bytes, [](double bytes) { return format_bytes(static_cast<Bytes>(bytes)); });
  if (free->inodes)
    check(static_cast<double>(need.files + need.directories), *free->inodes,
          [](double inodes) { return format_count(inodes) + " inodes"; });
}

/// Checks that each volume has room for the files of all its mounts, and each mount for its own part: two volumes that
/// look alike may differ in size.
void check_space(const DatasetPlan& plan, const std::vector<DatasetRoot>& roots) {
  std::map<std::string, DatasetTotals> needs;
  for (std::size_t i = 0; i < roots.size(); ++i) needs[roots[i].place().volume] += plan.totals_on(i);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const DatasetPlace& place = roots[i].place();
    const auto of_volume = needs.extract(place.volume);  // once, at the first of its mounts
    check_room(place.mount, of_volume ? of_volume.mapped() : plan.totals_on(i));
  }
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
    : plan_(plan), together_(together) {
  std::size_t there = 0, complete = 0;
  for (DatasetPlace& place : places) {
    const DatasetRoot& root = roots_.emplace_back(std::move(place));
    if (!root.marker()) continue;
    const std::string mend = std::string("edagen clean removes it");
    if (root.marker()->fingerprint != plan.fingerprint)
      throw usage_error(root.path(), "holds other files than this workload, seed, scale and number of clients need",
                        mend);
    if (root.marker()->complete && !reuse)
      throw usage_error(root.path(), "holds a dataset of an earlier run", "--reuse-dataset, or " + mend);
    ++there;
    complete += root.marker()->complete ? 1 : 0;
  }
  reuses_ = complete == roots_.size();
  resumes_ = there > 0 && !reuses_;
  if (there == 0) check_space(plan_, roots_);
}

/// Several hosts claim one after the other, the leader first. The other hosts find the leader's dataset, or claim their
/// own when each host has its own directory.
void DatasetBuilder::claim(StuckWatch::Thread& self) {
  DatasetMarker fresh{.id = random_id(),
                      .fingerprint = plan_.fingerprint,
                      .made_at = rfc3339_now(),
                      .budget_bytes = plan_.budget_bytes};
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

/// The number of each proc's first directory in the whole build, and at the end the number of all directories.
std::vector<std::uint64_t> DatasetBuilder::first_directories() const {
  std::vector<std::uint64_t> first = {0};
  for (const PlannedProc& proc : plan_.procs)
    first.push_back(first.back() + (has(proc) ? proc.files.dataset().directories : 0));
  return first;
}

void DatasetBuilder::make_proc_directories(StuckWatch::Thread& self) {
  Descriptor client;
  for (const PlannedProc& proc : plan_.procs) {
    const DatasetRoot& root = roots_[proc.mount];
    if (!has(proc)) continue;
    const std::string name = proc_directory(proc.client, proc.proc_of_client);
    const auto slash = name.find('/');
    self.call_started("making", root.path(), name);
    if (proc.proc_of_client == 0)
      client = make_directory(root.descriptor(), name.substr(0, slash), root.path(), root.owner());
    make_directory(client.get(), name.substr(slash + 1), root.path() + "/" + name.substr(0, slash), root.owner());
  }
}

/// When hosts share a directory, each host checks the directories of its own procs and those of no proc.
void DatasetBuilder::check_for_foreign_files(std::size_t threads, const std::stop_token& stop,
                                             StuckWatch& watch) const {
  std::set<std::string> of_others;
  int depth = 1;
  for (const PlannedProc& proc : plan_.procs) {
    if (!has(proc)) of_others.insert(proc_directory(proc.client, proc.proc_of_client));
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
  if (reuses_ || resumes_) check_for_foreign_files(threads, stop, watch);
  {
    StuckWatch::Thread self(watch);
    claim(self);
    make_proc_directories(self);
  }
  const std::vector<std::uint64_t> first = first_directories();
  state.directories = first.back();
  state.bytes = plan_.totals().bytes;
  std::atomic<std::uint64_t> next{0};
  const auto work = [&](const std::stop_token& halt) {
    StuckWatch::Thread thread(watch);
    DirectoryBuilder builder(counters, thread);
    for (std::uint64_t i = next++; i < first.back() && !halt.stop_requested(); i = next++) {
      const auto at = static_cast<std::size_t>(std::upper_bound(first.begin(), first.end() - 1, i) - first.begin() - 1);
      const PlannedProc& proc = plan_.procs[at];
      builder.build(proc, roots_[proc.mount], i - first[at], halt);
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
  result.reused = reuses_;
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
