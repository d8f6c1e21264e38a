#include "target/posix_target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <map>
#include <mutex>
#include <set>

#include "base/beneath.hpp"
#include "base/parallel.hpp"
#include "base/temporary_file.hpp"
#include "target/memory_fault.hpp"
#include "target/posix_worker.hpp"
#include "target/thread_queue.hpp"
#include "target/uring_queue.hpp"

namespace edagen {
namespace {

/// Calls f(0) to f(count - 1) in up to `threads` threads.
template <class F>
void for_each_in_parallel(std::size_t count, std::size_t threads, F f) {
  std::atomic<std::size_t> next{0};
  run_in_parallel(std::min(count, threads), {}, [&](const std::stop_token& stop) {
    for (std::size_t i = 0; !stop.stop_requested() && (i = next.fetch_add(1)) < count;) f(i);
  });
}

void prepare_thread() {
  // Due ops must start on time, and the kernel's default slack is 50 microseconds.
  prctl(PR_SET_TIMERSLACK, 1);
  // Threads that share one credentials object slow each other down on every path look-up; this call makes a copy.
  prctl(PR_SET_KEEPCAPS, 1);
  prctl(PR_SET_KEEPCAPS, 0);
}

}  // namespace

PosixTarget::PosixTarget(std::vector<ProcPlace> places, QueueEngine engine, std::size_t max_workers,
                         std::size_t most_threads, std::size_t targets)
    : engine_(engine), most_threads_(most_threads), procs_(std::make_unique<PosixProcs>()) {
  catch_memory_faults();
  const DescriptorNeeds needs = DescriptorNeeds::of(places, max_workers);
  descriptors_wanted_ = needs.total();
  procs_->budget = DescriptorBudget::share(make_room_for_descriptors(needs.total(), targets), needs);
  procs_->places = std::move(places);
  procs_->procs.reserve(procs_->places.size());
  for (const ProcPlace& place : procs_->places)
    procs_->procs.push_back(
        {&place, NameWriter(place.files.dataset()), KeptDirectories(procs_->budget.directories_per_proc), {}, {}, {}});
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
  return fmt::format("{}/{}/{} (mount {})", place.place->root_path, place.place->directory, place.names.path(op.name),
                     place.place->mount);
}

std::vector<int> PosixTarget::sync() {
  std::map<std::string, int> mounts;
  for (const ProcPlace& place : procs_->places) mounts.try_emplace(place.mount, place.root);
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
  std::vector<std::size_t> procs;  // shared files once for each mount
  std::set<std::pair<int, std::string>> known;
  for (std::size_t i = 0; i < procs_->places.size(); ++i)
    if (known.emplace(procs_->places[i].root, procs_->places[i].directory).second) procs.push_back(i);
  for_each_in_parallel(procs.size(), 16, [&](std::size_t i) {
    const PosixProcs::Proc& proc = procs_->procs[procs[i]];
    char path[longest_path];
    for (std::uint64_t file = 0; file < proc.place->files.dataset().data_files; ++file) {
      const Descriptor fd = open_beneath(proc.place->root, proc.write_path({NameClass::data, file}, path), O_RDONLY);
      if (fd) ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_DONTNEED);
    }
  });
  const Descriptor everything(::open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC));
  if (everything && ::write(everything.get(), "3", 1) != 1) return;  // without root only the files' pages are dropped
}

std::size_t PosixTarget::most_workers() const { return procs_->budget.most_workers; }
bool PosixTarget::keeps_files() const { return procs_->budget.keeps_files; }

std::size_t threads_of_queue(std::size_t max_workers, std::size_t procs, std::size_t processors) {
  const std::size_t queues = std::max<std::size_t>(1, std::min(procs, processors));
  return std::max<std::size_t>(1, max_workers / queues);
}

std::optional<Bytes> direct_io_block(int directory) {
  const Descriptor file = temporary_file(directory, O_DIRECT);
  struct statx info {};
  const bool told = file && ::statx(file.get(), "", AT_EMPTY_PATH, STATX_DIOALIGN, &info) == 0 &&
                    (info.stx_mask & STATX_DIOALIGN) != 0;
  if (!file || (told && info.stx_dio_offset_align == 0)) return std::nullopt;
  return told ? info.stx_dio_offset_align : 4 * KiB;
}

std::optional<Bytes> direct_io_block(const std::string& directory) {
  const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return opened ? direct_io_block(opened.get()) : std::nullopt;
}

std::string io_uring_refusal() { return UringQueue::refusal(); }

}  // namespace edagen
