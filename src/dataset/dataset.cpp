#include "dataset/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "base/parallel.hpp"
#include "base/rfc3339.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

void check_place(const PlaceRoom& place, const DatasetTotals& need) {
  const auto check = [&](double needed, std::optional<double> there, const auto& text) {
    if (there && needed > *there)
      throw usage_error(place.place,
                        fmt::format("the dataset needs {}, {} are free: {} too few", text(needed), text(*there),
                                    text(needed - *there)),
                        "use a smaller --dataset-scale or fewer --clients, or free some");
  };
  check(need.space, place.free.bytes, [](double bytes) { return format_bytes(static_cast<Bytes>(bytes)); });
  check(static_cast<double>(need.files + need.directories), place.free.inodes,
        [](double inodes) { return format_count(inodes) + " inodes"; });
}

/// A new marker of `plan`, with an id of its own.
DatasetMarker fresh_marker(const DatasetPlan& plan) {
  return {.id = random_id(),
          .fingerprint = plan.fingerprint,
          .complete = false,
          .made_at = rfc3339_now(),
          .budget_bytes = plan.budget_bytes};
}

}  // namespace

void FoundDataset::add(const std::string& path, const std::optional<DatasetMarker>& marker) {
  ++places_;
  if (!marker) return;
  const std::string mend = "edagen clean removes it";
  if (marker->fingerprint != plan_.fingerprint)
    throw usage_error(path, "holds other files than this workload, seed, scale and number of clients need", mend);
  if (marker->complete && !reuse_)
    throw usage_error(path, "holds a dataset of an earlier run", "--reuse-dataset, or " + mend);
  ++there_;
  complete_ += marker->complete ? 1 : 0;
}

void check_room(const DatasetPlan& plan, const std::vector<PlaceRoom>& places) {
  std::map<std::string, DatasetTotals> needs;
  for (std::size_t i = 0; i < places.size(); ++i) needs[places[i].volume] += plan.totals_on(i);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto of_volume = needs.extract(places[i].volume);  // once, at the first of its places
    check_place(places[i], of_volume ? of_volume.mapped() : plan.totals_on(i));
  }
}

DirectoryQueue::DirectoryQueue(const DatasetPlan& plan, const std::function<bool(const PlannedProc&)>& has) {
  for (std::size_t i = 0; i < plan.procs.size(); ++i)
    first_.push_back(first_.back() +
                     (plan.has_directory(i) && has(plan.procs[i]) ? plan.procs[i].files.dataset().directories : 0));
}

std::optional<DirectoryQueue::Directory> DirectoryQueue::take(const std::stop_token& stop) {
  if (stop.stop_requested()) return std::nullopt;
  const std::uint64_t number = next_++;
  if (number >= size()) return std::nullopt;
  const auto proc =
      static_cast<std::size_t>(std::upper_bound(first_.begin(), first_.end() - 1, number) - first_.begin() - 1);
  return Directory{proc, number - first_[proc]};
}

/// When hosts share a directory, each host checks the directories of its own procs and those of no proc.
void Dataset::check_for_foreign_files(std::size_t threads, const std::stop_token& stop, StuckWatch& watch) const {
  std::set<std::string> of_others;
  int depth = 1;
  for (const PlannedProc& proc : plan_.procs) {
    if (!has(proc)) of_others.insert(proc.directory);
    depth = std::max(depth, proc.files.dataset().depth);
  }
  check_roots_for_foreign_files(
      depth, [&](const std::string& name) { return of_others.contains(name); }, threads, stop, watch);
}

/// Several hosts claim one after the other, the leader first. The other hosts find the leader's dataset, or claim their
/// own when each host has its own directory.
void Dataset::claim(StuckWatch::Thread& self, const std::stop_token& stop) {
  DatasetMarker fresh = fresh_marker(plan_);
  const bool follows = together_ != nullptr && !together_->leads();
  if (follows) fresh.id = together_->leaders({});
  claim_roots(fresh, follows, self, stop);
  if (together_ != nullptr && !follows) together_->leaders(fresh.id);
}

BuildResult Dataset::build(std::size_t threads, const std::stop_token& stop, StuckWatch& watch,
                           const std::function<void(const BuildProgress&)>& progress) {
  const TimePoint start = now();
  if (!found_.is_new()) check_for_foreign_files(threads, stop, watch);
  {
    StuckWatch::Thread self(watch);
    claim(self, stop);
    make_proc_directories(self, stop);
  }
  DirectoryQueue queue(plan_, [this](const PlannedProc& proc) { return has(proc); });
  BuildCounters counters;
  BuildProgress state;
  state.directories = queue.size();
  for (std::size_t i = 0; i < plan_.procs.size(); ++i)
    if (plan_.has_directory(i) && has(plan_.procs[i])) state.bytes += plan_.procs[i].files.dataset().bytes();
  const auto work = [&](const std::stop_token& halt) {
    StuckWatch::Thread self(watch);
    build_directories(queue, counters, self, halt);
  };
  run_in_parallel(std::clamp<std::size_t>(queue.size(), 1, std::max<std::size_t>(threads, 1)), stop, work, [&] {
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

}  // namespace edagen
