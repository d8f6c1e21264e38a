#include "edagen/target/posix_target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "edagen/core/error.hpp"
#include "memory_fault.hpp"
#include "posix_worker.hpp"

namespace edagen {
namespace {

std::size_t descriptors_of(const ProcSpec& spec) {
  using enum OpKind;
  const auto any = [&](std::initializer_list<OpKind> kinds) {
    for (const OpKind kind : kinds)
      if (spec.weight(kind) > 0) return std::size_t{1};
    return std::size_t{0};
  };
  return 1 + any({read_rand, write_rand, rmw, lock, fsync}) + any({read_seq}) + any({write_seq});
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

}  // namespace

PosixTarget::PosixTarget(std::vector<ProcPlace> places) : procs_(std::make_unique<PosixProcs>()) {
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
  // Due ops must start on time: the kernel's default slack is 50 microseconds.
  prctl(PR_SET_TIMERSLACK, 1);
  // Threads that share one credentials object slow each other down on every path look-up; this gives a copy.
  prctl(PR_SET_KEEPCAPS, 1);
  prctl(PR_SET_KEEPCAPS, 0);
  return std::make_unique<PosixWorker>(*procs_);
}

std::string PosixTarget::describe(std::uint32_t proc, const Op& op) const {
  const PosixProcs::Proc& place = procs_->procs[proc];
  return fmt::format("{}/{} (mount {})", place.place->directory, place.names.path(op.name), place.place->mount);
}

bool direct_io_works(const std::string& directory) {
  const std::string path = directory + "/.edagen-direct-io-probe";
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC | O_NOFOLLOW, 0600));
  ::unlink(path.c_str());
  return static_cast<bool>(file);
}

}  // namespace edagen
