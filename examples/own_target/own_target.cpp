// A storage client of one's own under a workload of edagen: here a store in memory, whose ops take 50 microseconds.
//
//   own_target [OPS_PER_SEC]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <edagen/session.hpp>
#include <exception>
#include <iostream>
#include <thread>

namespace {

/// One thread's connection. An op says what is to be done: its kind, the name it is about, and its extent.
class Connection final : public edagen::TargetWorker {
 public:
  edagen::OpResult carry_out(std::uint32_t /*proc*/, const edagen::Op& op) override {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    edagen::OpResult result;
    switch (op.kind) {
      using enum edagen::OpKind;
      case read_file:
      case read_seq:
      case read_rand:
      case mmap_read: result.bytes_read = op.length; break;
      case write_file:
      case write_seq:
      case write_rand:
      case write_append:
      case mmap_write: result.bytes_written = op.length; break;
      default:  // names and attributes
        break;
    }
    return result;
  }
};

class Store final : public edagen::Target {
 public:
  /// A real client would make these files here.
  explicit Store(const std::vector<edagen::ProcFiles>& procs) {
    std::uint64_t files = 0;
    for (const edagen::ProcFiles& proc : procs) files += proc.files.count(edagen::NameClass::data);
    std::printf("%zu procs have %llu data files\n", procs.size(), static_cast<unsigned long long>(files));
  }
  std::unique_ptr<edagen::TargetWorker> make_worker() override { return std::make_unique<Connection>(); }
};

}  // namespace

int main(int argc, char** argv) try {
  edagen::RunPlan plan;
  plan.workload = edagen::load_workload("eda_functional");
  plan.volume = edagen::OwnTarget{"memory", [](const auto& procs) { return std::make_unique<Store>(procs); }};
  plan.clients = 2;
  edagen::LoadSeries load;
  load.load.rate = edagen::OpenLoop{argc > 1 ? std::atof(argv[1]) : 1000};
  load.load.warmup = std::chrono::milliseconds(200);
  load.load.duration = std::chrono::seconds(1);
  plan.measurement = load;

  const edagen::Result result = edagen::Session(edagen::ignore_events, {}).run(plan);
  const edagen::PointFigures& point = result.load_points.front();
  std::printf("%.0f ops/s of %.0f requested, mean response %.3f ms, p99 %.3f ms\n", point.achieved_ops_per_sec,
              point.requested_ops_per_sec.value_or(0), point.latency.response.mean.count(),
              point.latency.response.p99.count());
  return edagen::exit_status_of(result);
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return edagen::exit_status::run_failed;
}
