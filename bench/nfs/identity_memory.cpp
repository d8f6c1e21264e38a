// The memory of NFS clients of edagen's own: what a thousand more of them add to a process, beside the kernel's
// sockets. Each proc has carried out ops.
//   identity_memory [PROCS]    procs of each client (1)
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <functional>

#include "statfs_clients.hpp"

namespace edagen::bench {
namespace {

/// Bytes in use by this process.
double resident() {
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// In a process of its own, which has no memory of others to use again.
double apart(const std::function<double()>& measured) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  if (const pid_t child = ::fork(); child == 0) {
    const double bytes = measured();
    const bool written = ::write(ends[1], &bytes, sizeof bytes) == sizeof bytes;
    ::_exit(written ? 0 : 1);
  }
  double bytes = 0;
  if (::read(ends[0], &bytes, sizeof bytes) != sizeof bytes) std::abort();
  ::close(ends[0]);
  ::close(ends[1]);
  ::wait(nullptr);
  return bytes;
}

/// One thread with all clients, as a shard has them, after an op of each proc.
double of_clients(std::uint16_t port, std::size_t clients, std::size_t procs) {
  Clients its(port, clients, procs);
  std::vector<QueuedProc> queued;
  for (std::uint32_t i = 0; i < its.places().size(); ++i) queued.push_back({i, 1});
  const auto queue = its.target().make_queue(queued);
  Op op;
  op.kind = OpKind::statfs;
  std::array<TargetQueue::Completion, 64> done;
  for (std::uint32_t i = 0; i < queued.size(); ++i) {
    queue->begin(i, i, op);
    while (queue->complete(done, std::chrono::seconds(1)) == 0) {
    }
  }
  return resident();
}

/// The whole engine, with histograms of two intervals.
double of_engine(std::uint16_t port, std::size_t clients, std::size_t procs) {
  Clients its(port, clients, procs);
  its.run(static_cast<double>(clients) * 10, 2);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

}  // namespace
}  // namespace edagen::bench

int main(int argc, char** argv) {
  using namespace edagen::bench;
  const std::size_t procs = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 1;
  const CannedServer server(fsstat_results());
  fmt::print("{} procs of each client, bytes of each client more than 1,000\n", procs);
  for (const auto& [what, bytes] :
       {std::pair("its NFS client", &of_clients), std::pair("with the engine", &of_engine)}) {
    const auto at = [&](std::size_t clients) { return apart([&] { return bytes(server.port(), clients, procs); }); };
    fmt::print("{:<16} {:>8.0f}\n", what, (at(2000) - at(1000)) / 1000);
  }
}
