#include "edagen/dataset/dataset_builder.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <random>
#include <set>

#include "directory_builder.hpp"
#include "edagen/core/error.hpp"
#include "edagen/core/parallel.hpp"
#include "edagen/dataset/dataset_marker.hpp"

namespace edagen {
namespace {

std::string dataset_path(const DatasetPlace& place) { return place.mount + "/" + dataset_directory; }

Descriptor open_directory(const std::string& path) {
  return Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", device(), device(), device(), device());
}

void check_space(const DatasetPlan& plan, const std::vector<DatasetPlace>& places) {
  std::map<std::string, DatasetTotals> needs;
  for (std::size_t i = 0; i < places.size(); ++i) needs[places[i].volume] += plan.totals_on(i);
  for (const auto& [volume, need] : needs) {
    const auto place = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.volume == volume; });
    struct statvfs info {};
    if (::statvfs(place->mount.c_str(), &info) != 0) throw usage_error(place->mount, std::strerror(errno));
    const double free = static_cast<double>(info.f_bavail) * static_cast<double>(info.f_frsize);
    const auto refuse = [&](const std::string& what) {
      throw usage_error(place->mount, what, "use a smaller --dataset-scale or fewer clients, or free some");
    };
    if (need.space > free)
      refuse(fmt::format("the dataset needs {}, {} are free: {} too few", format_bytes(static_cast<Bytes>(need.space)),
                         format_bytes(static_cast<Bytes>(free)), format_bytes(static_cast<Bytes>(need.space - free))));
    const auto inodes = static_cast<double>(need.files + need.directories);
    if (info.f_files > 0 && inodes > static_cast<double>(info.f_favail))
      refuse(fmt::format("the dataset needs {} inodes, {} are free: {} too few", format_count(inodes),
                         format_count(static_cast<double>(info.f_favail)),
                         format_count(inodes - static_cast<double>(info.f_favail))));
  }
}

bool is_empty(int directory_fd) {
  bool empty = true;
  for_each_name(directory_fd, [&](const char*, unsigned char) { empty = false; });
  return empty;
}

void make_directory(int parent, const std::string& name, const std::string& shown) {
  if (::mkdirat(parent, name.c_str(), 0755) != 0 && errno != EEXIST) throw run_error(shown, std::strerror(errno));
}

}  // namespace

DatasetBuilder::DatasetBuilder(const DatasetPlan& plan, std::vector<DatasetPlace> places, bool reuse)
    : plan_(plan), places_(std::move(places)) {
  std::size_t there = 0, complete = 0;
  for (const DatasetPlace& place : places_) {
    const std::string path = dataset_path(place);
    const Descriptor directory = open_directory(path);
    if (!directory && errno == ENOENT) continue;
    if (!directory) throw usage_error(path, std::strerror(errno));
    const auto marker = read_marker(directory.get());
    if (!marker) {
      if (is_empty(directory.get())) continue;
      throw usage_error(path, "is not empty and has no marker of edagen's", "move it away");
    }
    const std::string mend = fmt::format("edagen clean --mount {} removes it", place.mount);
    if (marker->fingerprint != plan.fingerprint)
      throw usage_error(path, "holds other files than this workload, seed, scale and number of clients need", mend);
    if (marker->complete && !reuse)
      throw usage_error(path, "holds a dataset of an earlier run", "--reuse-dataset uses it; " + mend);
    ++there;
    complete += marker->complete ? 1 : 0;
  }
  reuses_ = complete == places_.size();
  resumes_ = there > 0 && !reuses_;
  if (there == 0) check_space(plan_, places_);
}

BuildResult DatasetBuilder::build(std::size_t threads, std::stop_token stop,
                                  const std::function<void(const BuildProgress&)>& progress) {
  const TimePoint start = now();
  DatasetMarker marker{random_id(), plan_.fingerprint, false,
                       fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
  std::vector<Descriptor> roots;
  for (const DatasetPlace& place : places_) {
    const Descriptor mount = open_directory(place.mount);
    if (!mount) throw run_error(place.mount, std::strerror(errno));
    make_directory(mount.get(), dataset_directory, dataset_path(place));
    roots.push_back(open_directory(dataset_path(place)));
    if (!roots.back()) throw run_error(dataset_path(place), std::strerror(errno));
    if (const auto known = read_marker(roots.back().get())) marker.id = known->id;
    write_marker(roots.back().get(), marker);
  }

  std::vector<std::uint64_t> first_directory;  // the number of each proc's first directory in the whole build
  BuildProgress state;
  for (const PlannedProc& proc : plan_.procs) {
    const int root = roots[proc.mount].get();
    const std::string name = proc_directory(proc.client, proc.proc_of_client);
    if (proc.proc_of_client == 0)
      make_directory(root, name.substr(0, name.find('/')), dataset_path(places_[proc.mount]));
    make_directory(root, name, dataset_path(places_[proc.mount]) + "/" + name);
    first_directory.push_back(state.directories);
    state.directories += proc.files.dataset().directories;
  }
  state.bytes = plan_.totals().bytes;

  std::atomic<std::uint64_t> next{0};
  BuildCounters counters;
  const auto work = [&](std::stop_token halt) {
    DirectoryBuilder builder(counters);
    for (std::uint64_t i = next++; i < state.directories && !halt.stop_requested(); i = next++) {
      const auto at = std::upper_bound(first_directory.begin(), first_directory.end(), i) - first_directory.begin() - 1;
      const PlannedProc& proc = plan_.procs[static_cast<std::size_t>(at)];
      const std::string path = dataset_path(places_[proc.mount]) + "/" + proc_directory(proc.client, proc.proc_of_client);
      builder.build(proc, roots[proc.mount].get(), path, i - first_directory[static_cast<std::size_t>(at)], halt);
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
  if (!result.interrupted) {
    // What was written goes to the storage now, not during the measurement.
    for (const Descriptor& root : roots) ::syncfs(root.get());
    marker.complete = true;
    for (const Descriptor& root : roots) write_marker(root.get(), marker);
  }
  result.elapsed = now() - start;
  return result;
}

}  // namespace edagen
