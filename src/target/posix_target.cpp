#include "edagen/target/posix_target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

#include "edagen/core/error.hpp"
#include "edagen/core/parallel.hpp"
#include "memory_fault.hpp"
#include "posix_worker.hpp"
#include "thread_queue.hpp"
#include "uring_queue.hpp"

namespace edagen {
namespace {

std::size_t descriptors_of(const ProcSpec& spec) {
  using enum OpKind;
  const auto any = [&](std::initializer_list<OpKind> kinds) {
    for (const OpKind kind : kinds)
      if (spec.weight(kind) > 0) return std::size_t{1};
    return std::size_t{0};
  };
  const std::size_t queued = spec.io.depth > 1 ? std::min<std::size_t>(OpenFiles::most, spec.dataset.data_files) : 0;
  return 1 + queued + any({read_rand, write_rand, rmw, lock, fsync}) + any({read_seq}) + any({write_seq});
}

void make_room_for_descriptors(std::size_t needed) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t wanted = needed + 8192;  // workers' passing ones, libraries, logs
  if (limit.rlim_cur >= wanted) return;
  if (limit.rlim_max < wanted) {
    rlimit higher{wanted, wanted};
    if (setrlimit(RLIMIT_NOFILE, &higher) == 0) return;
    if (limit.rlim_max < needed + 256)
      throw run_error("open files", fmt::format("the procs need {} descriptors, the hard limit is {}", needed,
                                                limit.rlim_max),
                      "raise it with ulimit -Hn, or use fewer clients");
  }
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Calls f(0) to f(count - 1) in up to so many threads.
template <class F>
void for_each_in_parallel(std::size_t count, std::size_t threads, F f) {
  std::atomic<std::size_t> next{0};
  run_in_parallel(std::min(count, threads), {}, [&](std::stop_token stop) {
    for (std::size_t i = 0; !stop.stop_requested() && (i = next.fetch_add(1)) < count;) f(i);
  });
}

void prepare_thread() {
  // Due ops must start on time: the kernel's default slack is 50 microseconds.
  prctl(PR_SET_TIMERSLACK, 1);
  // Threads that share one credentials object slow each other down on every path look-up; this gives a copy.
  prctl(PR_SET_KEEPCAPS, 1);
  prctl(PR_SET_KEEPCAPS, 0);
}

}  // namespace

PosixTarget::PosixTarget(std::vector<ProcPlace> places, QueueEngine engine, std::size_t most_threads)
    : engine_(engine), most_threads_(most_threads), procs_(std::make_unique<PosixProcs>()) {
  catch_memory_faults();
  std::size_t descriptors = 0;
  for (const ProcPlace& place : places) descriptors += descriptors_of(*place.spec);
  make_room_for_descriptors(descriptors);
  procs_->places = std::move(places);
  procs_->procs.reserve(procs_->places.size());
  for (const ProcPlace& place : procs_->places) {
    Descriptor directory(::open(place.directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    if (!directory) throw run_error(place.directory, std::strerror(errno));
    procs_->procs.push_back({&place, NameWriter(place.files.dataset()), std::move(directory), {}, {}, {}});
  }
}

PosixTarget::~PosixTarget() = default;

std::unique_ptr<TargetWorker> PosixTarget::make_worker() {
  prepare_thread();
  return std::make_unique<PosixWorker>(*procs_);
}

std::unique_ptr<TargetQueue> PosixTarget::make_queue(const std::vector<QueuedProc>& procs) {
  prepare_thread();
  if (engine_ == QueueEngine::io_uring) return std::make_unique<UringQueue>(*procs_, procs);
  return std::make_unique<ThreadQueue>(*procs_, procs, most_threads_);
}

std::string PosixTarget::describe(std::uint32_t proc, const Op& op) const {
  const PosixProcs::Proc& place = procs_->procs[proc];
  return fmt::format("{}/{} (mount {})", place.place->directory, place.names.path(op.name), place.place->mount);
}

std::vector<int> PosixTarget::sync() {
  std::map<std::string, int> mounts;  // a directory on each
  for (std::size_t i = 0; i < procs_->places.size(); ++i)
    mounts.try_emplace(procs_->places[i].mount, procs_->procs[i].directory.get());
  std::vector<int> directories, failures;
  for (const auto& [mount, directory] : mounts) directories.push_back(directory);
  std::mutex mutex;
  for_each_in_parallel(directories.size(), 256, [&](std::size_t i) {
    if (::syncfs(directories[i]) == 0) return;
    std::lock_guard lock(mutex);
    failures.push_back(errno);
  });
  return failures;
}

void PosixTarget::drop_caches() {
  ::sync();
  for_each_in_parallel(procs_->places.size(), 16, [&](std::size_t i) {
    const PosixProcs::Proc& proc = procs_->procs[i];
    char path[NameWriter::longest];
    for (std::uint64_t file = 0; file < proc.place->files.dataset().data_files; ++file) {
      proc.names.write({NameClass::data, file}, path);
      const Descriptor fd(::openat(proc.directory.get(), path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
      if (fd) ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
    }
  });
  const Descriptor everything(::open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC));
  if (everything && ::write(everything.get(), "3", 1) != 1) return;  // not root: the files' pages must do
}

std::optional<Bytes> direct_io_block(const std::string& directory) {
  const std::string path = directory + "/.edagen-direct-io-probe";
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC | O_NOFOLLOW, 0600));
  struct statx info {};
  const bool told = file && ::statx(file.get(), "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) == 0 &&
                    (info.stx_mask & STATX_DIOALIGN) != 0;
  ::unlink(path.c_str());
  if (!file || (told && info.stx_dio_offset_align == 0)) return std::nullopt;
  return told ? info.stx_dio_offset_align : 4 * KiB;
}

}  // namespace edagen
