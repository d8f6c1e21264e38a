#include "dataset/dataset_builder.hpp"

#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/free_space.hpp"
#include "base/own_file.hpp"
#include "dataset/dataset_removal.hpp"
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
    : Dataset(plan, reuse, together) {
  for (DatasetPlace& place : places) {
    const DatasetRoot& root = roots_.emplace_back(std::move(place));
    found_.add(root.path(), root.marker());
  }
  if (found_.is_new()) check_room(plan_, room_of(roots_));
}

void DatasetBuilder::claim_roots(DatasetMarker& fresh, bool follows, StuckWatch::Thread& self, const std::stop_token&) {
  for (DatasetRoot& root : roots_) {
    self.call_started("opening", root.path());
    if (follows) root.claim_with_leader(fresh);
    else root.claim(fresh);
    fresh.id = root.marker()->id;
  }
}

void DatasetBuilder::make_proc_directories(StuckWatch::Thread& self, const std::stop_token&) {
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

void DatasetBuilder::check_roots_for_foreign_files(int depth, const Skips& of_others, std::size_t threads,
                                                   const std::stop_token& stop, StuckWatch& watch) const {
  for (const DatasetRoot& root : roots_)
    if (root.marker())
      check_for_foreign(
          root, depth, [&](const std::string& name) { return !root.place().of_host && of_others(name); }, threads, stop,
          watch);
}

void DatasetBuilder::build_directories(DirectoryQueue& queue, BuildCounters& counters, StuckWatch::Thread& self,
                                       const std::stop_token& stop) {
  DirectoryBuilder builder(counters, self);
  while (const auto next = queue.take(stop)) {
    const PlannedProc& proc = plan_.procs[next->proc];
    builder.build(proc.directory, plan_.files_of(next->proc), roots_[proc.mount], next->index, stop);
  }
}

void DatasetBuilder::flush(StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (const DatasetRoot& root : roots_) {
    self.call_started("flushing", root.path());
    // Writes that failed behind the page cache (EIO, a thin volume that is full) have no other sign.
    if (::syncfs(root.descriptor()) != 0) throw run_error(root.path(), std::strerror(errno));
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

std::optional<Error> DatasetBuilder::loss_of_lock(const std::stop_token& /*stop*/) const {
  for (const DatasetRoot& root : roots_)
    if (auto loss = root.loss_of_lock()) return loss;
  return std::nullopt;
}

void DatasetBuilder::remove(std::size_t threads, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  ForeignLeft left;
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
    root.remove(threads, watch, left);
  }
  left.check();
}

bool remove_dataset(const DatasetPlace& place, std::size_t threads, StuckWatch& watch, const std::string& id) {
  StuckWatch::Thread self(watch);
  self.call_started("opening", place.mount, dataset_directory);
  DatasetRoot root(place);
  self.pause();
  if (!root.exists()) return false;
  if (!id.empty() && (!root.marker() || root.marker()->id != id))
    throw run_error(root.path(), "is another dataset by now", "nothing was removed");
  ForeignLeft left;
  root.remove(threads, watch, left);
  left.check();
  return true;
}

}  // namespace edagen
