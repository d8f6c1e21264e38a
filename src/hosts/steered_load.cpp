#include "hosts/steered_load.hpp"

#include <algorithm>
#include <utility>

namespace edagen {
namespace {

constexpr Nanos clocks_keep_for = std::chrono::seconds(20);

/// What of the load is on this host.
struct LocalLoad {
  std::uint64_t clients = 0, portions = 0;
};
LocalLoad here_of(const LoadPoint& load, const Hosts& hosts, const DealtClients& dealt) {
  LocalLoad here;
  const std::uint64_t clients = dealt.count;
  for (std::uint64_t client = 0; client < std::min<std::uint64_t>(clients, load.clients.value_or(clients)); ++client) {
    if (!hosts.has(client, dealt)) continue;
    // Job sets are added to one client after the other.
    const std::uint64_t sets = !load.job_sets            ? 1
                               : *load.job_sets > client ? (*load.job_sets - client - 1) / clients + 1
                                                         : 0;
    here.clients += sets > 0 ? 1 : 0;
    here.portions += sets;
  }
  return here;
}

LoadOutcome outcome_of(const Hosts& hosts, const RunStats& stats, const IntervalStats& last, LocalLoad here,
                       const HostCounters& counters) {
  const auto mean = [](const LatencyHistogram& latency) { return NanosF(latency.mean()); };
  HostStats host;
  host.name = hosts.name(hosts.rank());
  host.rank = static_cast<std::uint64_t>(hosts.rank());
  host.clients = here.clients;
  host.portions = here.portions;
  host.start_late = stats.start_late;
  host.first_op = stats.first_op;
  host.operations = stats.ops.operations();
  host.achieved_ops_per_sec = stats.length > Nanos(0) ? stats.ops_per_sec() : 0;
  host.response_mean = mean(stats.ops.response());
  host.service_mean = mean(stats.ops.service());
  host.lag_mean = mean(stats.ops.lag());
  host.generator_lag_mean = mean(stats.generator_lag);
  host.errors = error_counts(stats.ops.errors());
  host.cpu_cores_used = stats.cpu_cores_used;
  host.host_busy = stats.host_busy;
  host.longest_pause = stats.longest_pause;
  host.pause_delay = stats.pause_delay;
  host.paused_share = stats.paused_share;
  host.throttled_share = stats.throttled_share;
  host.real_time_refused = stats.real_time_refused;
  counters.add_to(host, stats);
  return {.last = last,
          .groups = stats.groups,
          .stuck_ops = stats.stuck_ops,
          .drain = stats.drain,
          .sync_time = stats.sync_time,
          .sync_errors = stats.sync_errors,
          .interrupted = stats.interrupted,
          .too_many_errors = stats.too_many_errors,
          .host = std::move(host)};
}

/// A sink for the load of this host: the window is that of its counters, and failures are emitted. Everything else is
/// emitted for all hosts together.
EventSink local_events(HostCounters& counters, const EventSink& emit) {
  return on([&counters](const WindowBegan&) { counters.window_began(); },
            [&counters](const WindowEnded&) { counters.window_ended(); }, [emit](const OpFailed& op) { emit(op); },
            [emit](const OpStuck& op) { emit(op); });
}

}  // namespace

SteeredLoad::~SteeredLoad() { dismiss(); }

void SteeredLoad::dismiss() {
  // After a failure before the first load point they may be elsewhere, and it ends them anyway.
  if (std::exchange(dismissed_, true) || (hosts_.failure() && !has_run_)) return;
  command({.what = HostCommand::What::quit, .load = {}});
}

void SteeredLoad::command(const HostCommand& what) { hosts_.send_all(About::command, to_wire(what)); }

RunStats SteeredLoad::run(const LoadPoint& load, const EventSink& emit) {
  const bool takes_over = before_ && load.takes_over(*before_);
  if (!takes_over || now() - synchronized_ > clocks_keep_for) {
    hosts_.synchronize();
    synchronized_ = now();
  }
  before_ = load;
  has_run_ = true;
  led_.begin(load, emit);
  LoadPoint steered = load;
  steered.settle = false;  // whether it has settled is decided from what all have seen
  command({.what = HostCommand::What::run, .load = steered});
  const RunStats local = run_here(steered, emit);
  const LocalLoad of_load = here_of(steered, hosts_, clients_);
  return led_.finish(outcome_of(hosts_, local, led_.last(), of_load, counters_), local);
}

RunStats SteeredLoad::run_here(const LoadPoint& load, const EventSink& emit) {
  try {
    return here_.run(load, local_events(counters_, emit));
  } catch (...) {
    led_.end_now();
    throw;
  }
}

std::uint64_t SteeredLoad::end_load() {
  before_.reset();
  command({.what = HostCommand::What::end_load, .load = {}});
  std::uint64_t stuck = here_.end_load();
  std::vector<int> hanging;
  if (stuck > 0) hanging.push_back(0);
  for (int from = 1; from < hosts_.size(); ++from) {
    std::optional<std::string> answer;
    while (!(answer = hosts_.poll(from, About::outcome)) && !hosts_.gone(from) && !hosts_.failure()) hosts_.rest();
    const auto stuck_there = answer ? from_wire<std::uint64_t>(*answer) : 0;
    if (stuck_there > 0) hanging.push_back(from);
    stuck += stuck_there;
  }
  hosts_.end_for_hanging(hanging);
  return stuck;
}

void follow_load(Hosts& hosts, FollowedLoad& followed, LoadRunner& here, HostCounters& counters, std::size_t groups,
                 DealtClients clients, const EventSink& emit, std::uint64_t& stuck_ops) {
  struct EndLoad {  // it uses `counters`
    LoadRunner& load;
    std::uint64_t& stuck_ops;
    ~EndLoad() { stuck_ops += load.end_load(); }
  } const end_load{here, stuck_ops};
  for (;;) {
    while (hosts.poll(0, About::decision) || hosts.poll(0, About::start)) {  // of a load that has ended meanwhile
    }
    const std::optional<std::string> bytes = hosts.poll(0, About::command);
    if (!bytes) {
      if (const auto failure = hosts.failure()) throw Error(*failure);
      if (hosts.leader_has_ended()) return;
      hosts.rest();
      continue;
    }
    const auto command = from_wire<HostCommand>(*bytes);
    if (command.what == HostCommand::What::quit) return;
    if (command.what == HostCommand::What::end_load) {
      const std::uint64_t stuck = here.end_load();
      stuck_ops += stuck;
      hosts.send(0, About::outcome, to_wire(stuck));
      continue;
    }
    followed.begin(groups);
    const RunStats stats = here.run(command.load, local_events(counters, emit));
    stuck_ops += stats.stuck_ops;
    const LocalLoad of_load = here_of(command.load, hosts, clients);
    hosts.send(0, About::outcome, to_wire(outcome_of(hosts, stats, followed.last(), of_load, counters)));
  }
}

}  // namespace edagen
