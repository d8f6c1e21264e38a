#include "target/descriptor_budget.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include "edagen/error.hpp"
#include "target/open_files.hpp"

namespace edagen {
namespace {

constexpr std::size_t per_worker = 3;  ///< two files and a directory of a copy
constexpr std::size_t fewest_workers = 8;
/// Kept directories are inodes that the kernel cannot free.
constexpr std::size_t most_directories_kept = 65'536;

std::size_t serial_files_of(const ProcSpec& spec) {
  using enum OpKind;
  const auto any = [&](std::initializer_list<OpKind> kinds) -> std::size_t {
    return std::any_of(kinds.begin(), kinds.end(), [&](OpKind kind) { return spec.weight(kind) > 0; }) ? 1 : 0;
  };
  return any({read_rand, write_rand, rmw, lock, fsync}) + any({read_seq}) + any({write_seq});
}

}  // namespace

DescriptorNeeds DescriptorNeeds::of(const std::vector<ProcPlace>& places, std::size_t most_workers) {
  DescriptorNeeds needs;
  for (const ProcPlace& place : places) needs.add(*place.spec, place.files.dataset(), most_workers);
  return needs;
}

void DescriptorNeeds::add(const ProcSpec& spec, const DatasetSpec& files, std::size_t most_workers) {
  workers = std::min(most_workers, ++procs);
  const std::size_t own_directories = files.directories + 1;
  directories = std::min(directories + own_directories, most_directories_kept);
  most_directories = std::max(most_directories, own_directories);
  serial_files += serial_files_of(spec);
  if (spec.io.depth == 1) return;
  ++queues;
  queued_ops += std::min<std::size_t>(spec.io.depth, files.data_files);
}

std::size_t DescriptorNeeds::total() const {
  return spare_descriptors + per_worker * workers + serial_files + directories + queued_ops + OpenFiles::most * queues;
}

DescriptorBudget DescriptorBudget::share(std::size_t available, const DescriptorNeeds& needs) {
  const std::size_t least = spare_descriptors + per_worker * std::min(needs.workers, fewest_workers) + needs.queued_ops;
  if (available < least)
    throw usage_error(
        "open files",
        fmt::format("the ops of {} procs need {} descriptors, {} are left", needs.procs, least, available),
        "raise the limit with ulimit -n, or use fewer clients or a lower I/O depth");
  std::size_t left = available - least;
  const auto take = [&](std::size_t wanted) {
    const std::size_t taken = std::min(wanted, left);
    left -= taken;
    return taken;
  };
  DescriptorBudget budget;
  const std::size_t workers = std::min(needs.workers, fewest_workers);
  budget.most_workers = workers + take(std::min(per_worker * (needs.workers - workers), left / 4)) / per_worker;
  budget.keeps_files = needs.serial_files <= left;
  if (budget.keeps_files) take(needs.serial_files);
  if (needs.queues > 0) budget.files_per_queue = take(OpenFiles::most * needs.queues) / needs.queues;
  const std::size_t directories = std::min(needs.directories, left);
  budget.directories_per_proc = std::min(needs.most_directories, directories / std::max<std::size_t>(1, needs.procs));
  return budget;
}

std::size_t make_room_for_descriptors(std::size_t needed, std::size_t targets) {
  const auto open = static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = open + targets * needed;
  if (limit.rlim_cur < wanted) {
    rlimit higher{wanted, std::max(wanted, limit.rlim_max)};
    if (setrlimit(RLIMIT_NOFILE, &higher) != 0) {
      higher = {std::min(wanted, limit.rlim_max), limit.rlim_max};
      setrlimit(RLIMIT_NOFILE, &higher);
    }
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur > open ? (limit.rlim_cur - open) / targets : 0;
}

}  // namespace edagen
