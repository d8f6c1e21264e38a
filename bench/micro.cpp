// What the parts of the hot path cost: op sampling, path building, histogram recording, schedule, merging.
#include <benchmark/benchmark.h>

#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_plan.hpp"
#include "dataset/payload.hpp"
#include "edagen/parts/op_stats.hpp"
#include "edagen/parts/random.hpp"
#include "hosts/load_messages.hpp"
#include "load/schedule.hpp"
#include "sim/sim_runner.hpp"
#include "workload/op_stream.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

void op_sampling(benchmark::State& state, const char* workload) {
  const ProcSpec kind = load_workload(workload).proc_kinds[0];
  const OpMix mix(kind.weights);
  OpStream ops(kind, mix, FilePopulation(kind, kind.dataset, 1), 1);
  for (auto _ : state) benchmark::DoNotOptimize(ops.next());
}
BENCHMARK_CAPTURE(op_sampling, functional, "eda_functional");
BENCHMARK_CAPTURE(op_sampling, physical, "eda_physical");

void path_building(benchmark::State& state) {
  DatasetSpec dataset;
  dataset.data_files = 1'000'000;
  dataset.directories = 240;
  const NameWriter names(dataset);
  char buffer[NameWriter::longest];
  std::uint64_t index = 0;
  for (auto _ : state) benchmark::DoNotOptimize(names.write({NameClass::data, ++index % 1'000'000}, buffer));
}
BENCHMARK(path_building);

void histogram_recording(benchmark::State& state) {
  LatencyHistogram histogram;
  Random random(1);
  std::int64_t value = 1000;
  for (auto _ : state) {
    histogram.record(Nanos(value));
    value = (value * 5 + 77) & 0xfffff;
  }
  benchmark::DoNotOptimize(histogram.count());
}
BENCHMARK(histogram_recording);

void op_recording(benchmark::State& state) {
  OpStats stats;
  for (auto _ : state) stats.record(OpKind::stat, {Nanos(1500), Nanos(1000), Nanos(500)}, {});
  benchmark::DoNotOptimize(stats.operations());
}
BENCHMARK(op_recording);

void schedule(benchmark::State& state, Arrivals arrivals) {
  Schedule its(arrivals, 1000, 1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(its.due());
    its.advance();
  }
}
BENCHMARK_CAPTURE(schedule, uniform, Arrivals::uniform);
BENCHMARK_CAPTURE(schedule, poisson, Arrivals::poisson);

void merging(benchmark::State& state) {
  OpStats one, all;
  for (const OpKind kind : all_op_kinds()) one.record(kind, {Nanos(2000), Nanos(1000), Nanos(1000)}, {});
  for (auto _ : state) all.merge(one);
}
BENCHMARK(merging);

/// What one of so many ranks has seen in a second: its own ops, and its own clients of as many as there are ranks.
IntervalStats seen_by(std::uint64_t rank, std::size_t ranks) {
  constexpr std::size_t groups = 2;
  IntervalStats its(groups);
  its.clients.resize(ranks);
  Random random(1 + rank);
  for (std::size_t i = 0; i < 5000; ++i) {
    const OpKind kind = all_op_kinds()[i % op_kind_count];
    const Nanos service(std::int64_t(200e3 / (1.001 - random.uniform()))), lag(std::int64_t(50e3 * random.uniform()));
    its.ops.record(kind, {service + lag, service, lag}, {});
    its.generator_lag.record(lag);
    ++its.group_operations[i % groups];
    its.clients[rank].counts.count({});
    its.clients[rank].time(kind, service + lag, service);
  }
  return its;
}

/// What each rank does with its own interval.
void encoding_an_interval(benchmark::State& state) {
  const IntervalStats its = seen_by(0, static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(to_wire(its));
}
BENCHMARK(encoding_an_interval)->Arg(10)->Arg(64)->Arg(1000)->Unit(benchmark::kMillisecond);

/// What rank 0 does with an interval of so many ranks: reads their messages and puts them together.
void merging_ranks(benchmark::State& state) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  std::vector<std::string> messages;
  std::size_t bytes = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) bytes += messages.emplace_back(to_wire(seen_by(rank, ranks))).size();
  for (auto _ : state) {
    IntervalStats all(2);
    for (const std::string& message : messages) {
      IntervalStats one(2);
      WireReader(message).read(one);
      all.merge(one);
      all.hosts.push_back(HostInterval::of("host", std::chrono::seconds(1), one));
    }
    benchmark::DoNotOptimize(all.ops.operations());
  }
  state.counters["message_bytes"] = static_cast<double>(bytes / ranks);
}
BENCHMARK(merging_ranks)->Arg(10)->Arg(64)->Arg(1000)->Unit(benchmark::kMillisecond);

void payload_8k(benchmark::State& state) {
  Payload payload(8 * KiB, 50, 50, 1);
  for (auto _ : state) benchmark::DoNotOptimize(payload.stretch(8 * KiB));
}
BENCHMARK(payload_8k);

/// A second of virtual time on a modelled volume; items are simulated ops.
void simulation(benchmark::State& state, const char* volume, double rate, std::uint64_t clients, std::uint64_t procs) {
  const VolumeModel model = load_volume(volume);
  const WorkloadSpec workload = load_workload(model.station ? "eda_functional" : "eda_mixed");
  std::vector<std::unique_ptr<OpMix>> mixes;
  std::vector<std::string> names;
  for (const ProcSpec& kind : workload.proc_kinds) {
    mixes.push_back(std::make_unique<OpMix>(kind.weights));
    names.push_back(kind.name);
  }
  DatasetScale scale;
  scale.factor = 1;
  const DatasetPlan plan = plan_dataset(workload, clients, procs, {0}, 1, scale);
  std::vector<SimProc> sims;
  for (const PlannedProc& proc : plan.procs)
    sims.push_back({{OpStream(workload.proc_kinds[proc.kind], *mixes[proc.kind], proc.files, proc.seed), proc.kind,
                     workload.proc_kinds[proc.kind].ops_per_sec, 0, proc.client},
                    proc.kind == 0});
  const auto runner = make_sim_runner(model, std::move(sims), names, 1, {});
  LoadPoint load;
  load.rate = OpenLoop{rate, Arrivals::poisson};
  load.duration = std::chrono::seconds(1);
  std::int64_t ops = 0;
  for (auto _ : state) ops += static_cast<std::int64_t>(runner->run(load, ignore_events).ops.operations());
  state.SetItemsProcessed(ops);
}
BENCHMARK_CAPTURE(simulation, station_mm8, "mm8", 7000, 1, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulation, volume_regular, "regular", 35'000, 10, 500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulation, volume_large, "large", 600'000, 10, 500)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulation, thousand_clients_x_100_procs, "breakthrough", 1'500'000, 1000, 100)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace edagen
