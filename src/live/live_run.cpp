#include "live/live_run.hpp"

#include <algorithm>

#include "session/measured.hpp"

namespace edagen {
namespace {

constexpr Nanos kept_history = std::chrono::seconds(60);

std::vector<Nanos> bounds_with(const std::vector<Nanos>& targets) {
  using std::chrono::microseconds, std::chrono::milliseconds, std::chrono::seconds;
  std::vector<Nanos> bounds = {microseconds(100), microseconds(250), microseconds(500), milliseconds(1),
                               milliseconds(2),   milliseconds(5),   milliseconds(10),  milliseconds(50),
                               milliseconds(250), seconds(1),        seconds(10)};
  bounds.insert(bounds.end(), targets.begin(), targets.end());
  std::ranges::sort(bounds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  return bounds;
}

}  // namespace

void BoundedHistogram::add(const LatencyHistogram& latency, const std::vector<Nanos>& bounds) {
  counts.resize(bounds.size() + 1);
  std::size_t at = 0;
  latency.for_each_bucket([&](std::int64_t, std::int64_t highest, std::uint64_t many) {
    while (at < bounds.size() && bounds[at].count() < highest) ++at;
    counts[at] += many;
  });
  count += latency.count();
  seconds += latency.total() / 1e9;
}

void ClientTotal::add(const ClientStats& client) {
  merge({client.counts, client.response().count(), client.service.count(), client.response().total().count() / 1e9,
         client.service.total().count() / 1e9});
}

void ClientTotal::merge(const ClientTotal& other) {
  counts.merge(other.counts);
  timed_responses += other.timed_responses;
  timed_services += other.timed_services;
  response_seconds += other.response_seconds;
  service_seconds += other.service_seconds;
}

LiveRun::LiveRun(const std::vector<Nanos>& targets) {
  state_.bounds = bounds_with(targets);
  for (KindTotals& kind : state_.totals)
    for (BoundedHistogram* const histogram : {&kind.response, &kind.service})
      histogram->counts.resize(state_.bounds.size() + 1);
}

LiveState LiveRun::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

std::uint64_t LiveRun::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

void LiveRun::observe(const Event& event) {
  const auto set_stage = [this](Stage stage) { change([stage](LiveState& state) { state.stage = stage; }); };
  handle(
      event,
      [&](const DatasetProgressed& dataset) {
        change([&](LiveState& state) { state.stage = Stage::builds_dataset, state.build = dataset.progress; });
      },
      [&](const DatasetBuilt&) { set_stage(Stage::between_loads); },
      [&](const LoadTimeExpected& load) {
        // A load that failed has no LoadEnded.
        change([&](LiveState& state) { state.will_take = load.time, state.load_began.reset(); });
      },
      [&](const LoadBegan& load) { begin_load(load.header); },
      [&](const PointBegan& point) {
        change([&](LiveState& state) {
          state.phase.observe(event);
          ++state.point;
          state.requested_ops_per_sec = point.ops_per_sec;
          if (!point.purpose.empty()) state.purpose = point.purpose;
        });
      },
      [&](const WarmupExtended&) { change([&](LiveState& state) { state.phase.observe(event); }); },
      [&](const WindowBegan&) {
        change([&](LiveState& state) {
          state.phase.observe(event);
          state.stage = Stage::measures, state.phase_began = now();
        });
      },
      [&](const IntervalEnded& ended) { add(ended); },
      [&](const PointMeasured&) {
        change([](LiveState& state) { state.stage = Stage::between_loads, ++state.load_points; });
      },
      [&](const AnswerEstimated& estimate) {
        change([&](LiveState& state) { state.estimates[estimate.answer.target] = estimate.answer; });
      },
      [&](const LoadEnded&) {
        change([](LiveState& state) {
          state.stage = Stage::between_loads, state.will_take = Nanos(0);
          state.load_began.reset();
        });
      },
      [&](const RunFinished&) { set_stage(Stage::is_over); },
      [&](const ComparisonFinished&) { set_stage(Stage::is_over); });
}

void LiveRun::begin_load(const Result& header) {
  change([&](LiveState& state) {
    state.stage = Stage::between_loads;
    state.workload = header.workload.name;
    state.mounts.clear();
    for (const MountFigures& mount : header.target.mounts) state.mounts.push_back(mount.path);
    if (header.target.model) state.mounts = {"sim:" + *header.target.model};
    if (state.mounts.empty()) state.mounts = {std::string(to_string(header.target.kind))};
    mounts_ = state.mounts.size();
    const auto same = std::ranges::find(state.clients_totals, state.mounts, &ClientTotals::mounts);
    state.totals_now = static_cast<std::size_t>(same - state.clients_totals.begin());
    if (same == state.clients_totals.end()) state.clients_totals.push_back({state.mounts, {}});
    state.clients = header.clients;
    // Each slice of a comparison is a load, and the time that is expected is that of all slices.
    if (!state.load_began || state.will_take == Nanos(0)) state.load_began = now();
    ++state.runs;
    static_cast<LoadState&>(state) = LoadState();
    state.purpose = to_string(Purpose::load_point);
  });
}

void LiveRun::add(const IntervalEnded& ended) {
  const Stage stage = ended.in_window ? Stage::measures : Stage::warms_up;
  const Interval& interval = ended.interval;
  const IntervalStats& stats = ended.stats;
  // Not under the lock: the load is not to wait for whoever reads.
  const std::map<OpKind, OpFigures> kinds = op_figures(stats.ops);
  const LatencyHistogram response = stats.ops.response(), service = stats.ops.service();
  const Latencies latency{latency_figures(response), latency_figures(service), latency_figures(stats.ops.lag())};
  const LatencyFigures generator_lag = latency_figures(stats.generator_lag);
  std::vector<ClientFigures> clients, mounts;
  for (const ClientStats& client : stats.clients) clients.push_back(client_figures(client));
  for (const ClientStats& mount : by_mount(stats.clients, mounts_)) mounts.push_back(client_figures(mount));
  change([&](LiveState& state) {
    if (stage == Stage::warms_up && state.stage != stage) state.phase_began = now() - interval.length;
    state.stage = stage;
    state.interval = interval;
    state.latency = latency;
    state.kinds = kinds;
    state.interval_clients = std::move(clients);
    state.interval_mounts = std::move(mounts);
    state.interval_hosts = stats.hosts;
    state.generator_lag = generator_lag;
    state.last_minute.push_back({interval.length, interval.ops_per_sec(), interval.response_mean});
    Nanos past{0};
    for (const PastInterval& each : state.last_minute) past += each.length;
    while (state.last_minute.size() > 1 && past - state.last_minute.front().length >= kept_history) {
      past -= state.last_minute.front().length;
      state.last_minute.pop_front();
    }
    for (const OpKind kind : all_op_kinds()) {
      const OpKindStats& seen = stats.ops.of(kind);
      KindTotals& total = state.totals[static_cast<std::size_t>(kind)];
      total.operations += seen.operations;
      total.errors += seen.error_count();
      total.bytes_read += seen.bytes_read;
      total.bytes_written += seen.bytes_written;
      total.response.add(seen.response(), state.bounds);
      total.service.add(seen.service, state.bounds);
    }
    if (state.clients_totals.empty()) state.clients_totals.emplace_back();
    std::vector<ClientTotal>& totals = state.clients_totals[state.totals_now].clients;
    if (totals.size() < stats.clients.size()) totals.resize(stats.clients.size());
    for (std::size_t i = 0; i < stats.clients.size(); ++i) totals[i].add(stats.clients[i]);
    state.outstanding += stats.ops.outstanding();
  });
}

}  // namespace edagen
