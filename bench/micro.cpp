// What the parts of the hot path cost: op sampling, path building, histogram recording, schedule, merging.
#include <benchmark/benchmark.h>

#include "edagen/dataset/dataset_layout.hpp"
#include "edagen/dataset/payload.hpp"
#include "edagen/pacing/schedule.hpp"
#include "edagen/stats/op_stats.hpp"
#include "edagen/workload/op_stream.hpp"
#include "edagen/workload/workload_file.hpp"

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

void payload_8k(benchmark::State& state) {
  Payload payload(8 * KiB, 50, 50, 1);
  for (auto _ : state) benchmark::DoNotOptimize(payload.stretch(8 * KiB));
}
BENCHMARK(payload_8k);

}  // namespace
}  // namespace edagen
