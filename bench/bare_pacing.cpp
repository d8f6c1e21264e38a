// The yardstick of pacing: one thread that does a stat whenever one is due, and nothing else.
//   bare_pacing FILE OPS_PER_SEC SECONDS EARLY_US
// It sleeps until EARLY_US microseconds before an op is due and spins until then. Prints the mean and the 99th
// percentile of how late ops began, in microseconds, and the processors used.
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <thread>

#include "edagen/parts/latency_histogram.hpp"
#include "load/processors.hpp"

int main(int argc, char** argv) {
  using namespace edagen;
  if (argc != 5) return 2;
  const double rate = std::atof(argv[2]), seconds = std::atof(argv[3]);
  const Nanos early = std::chrono::microseconds(std::atoi(argv[4]));
  ::prctl(PR_SET_TIMERSLACK, 1UL);
  LatencyHistogram late;
  const UsedProcessors used;
  const TimePoint start = now();
  for (double at = 0; at < seconds; at += 1 / rate) {
    const TimePoint due = start + from_seconds(at);
    if (now() < due - early) std::this_thread::sleep_until(due - early);
    while (now() < due) {
    }
    late.record(now() - due);
    struct stat info {};
    if (::stat(argv[1], &info) != 0) return 1;
  }
  fmt::print("{} {} {}\n", late.mean() / 1e3, static_cast<double>(late.percentile(99).count()) / 1e3,
             used.by_process());
}
