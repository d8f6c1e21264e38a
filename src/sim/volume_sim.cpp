// A volume under NFS clients: an op starts at its client (cache, processor, connection, network), arrives at the volume
// (frontend, one of its parts, throughput limits), and returns. Each stage is an event, at which the op is served. A
// stage needs no event when all its ops come in order from one server (connections get theirs from one processor, parts
// from one frontend), because the state that an op finds there is already known.
#include <fmt/format.h>

#include <deque>

#include "edagen/error.hpp"
#include "load/op_slots.hpp"
#include "sim/sim_base.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t most_connections = 1'000'000;  ///< 0.7 KiB each

/// Serves one request at a time, first come first served. Requests must be passed in the order of their arrival.
struct FcfsServer {
  double free_at = 0;
  /// The end of work that arrives at `at` and takes `time`.
  double serve(double at, double time) { return free_at = std::max(at, free_at) + time; }
};

class VolumeSim final : public SimBase {
 public:
  VolumeSim(const VolumeModel& model, std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed,
            std::stop_token stop)
      : SimBase(std::move(procs), std::move(groups), seed, std::move(stop)),
        model_(model),
        op_slots_(procs_.size()),
        first_slot_(procs_.size()) {
    for (const Proc& proc : procs_) clients_ = std::max<std::uint64_t>(clients_, proc.client + 1);
    if (clients_ * static_cast<std::uint64_t>(model_.client.connections) > most_connections)
      throw usage_error("clients",
                        fmt::format("{} clients x {} connections are more than {}", clients_, model_.client.connections,
                                    most_connections),
                        "fewer clients, or ?nconnect=");
  }

 protected:
  void begin(const std::vector<std::uint32_t>& procs) override {
    starts_.clear();
    events_.clear();
    processors_.assign(clients_, {});
    egress_.assign(clients_, {});
    ingress_.assign(clients_, {});
    parts_.assign(model_.parts, {});
    if (model_.flush_every > 0)  // parts do not flush in step
      for (Part& part : parts_) part.unflushed = random_.below(model_.flush_every);
    frontend_ = reads_ = writes_ = total_ = {};
    const auto connections = static_cast<std::uint64_t>(model_.client.connections);
    connections_.assign(clients_ * connections, {});
    std::vector<std::uint64_t> slots_of_client(clients_, 0);
    ops_.clear();
    serial_.clear();
    for (const std::uint32_t i : procs) {
      OpSlots& slots = op_slots_[i];
      slots.close(procs_[i].ops);
      slots = {};
      for (unsigned n = 0; n < procs_[i].depth_now; ++n) {
        // Slots use the connections of their client in turn, as the Linux client's transport switch does for requests.
        const std::uint64_t connection =
            procs_[i].client * connections + slots_of_client[procs_[i].client]++ % connections;
        ++connections_[connection].slots;
        slots.add_slot(static_cast<std::uint32_t>(ops_.size()));
        ops_.push_back({.proc = i, .connection = connection});
      }
      first_slot_[i] = static_cast<std::uint32_t>(ops_.size() - procs_[i].depth_now);
      if (is_serial(i)) serial_.push_back(first_slot_[i]);
      list(i, 0);
    }
  }

  void reschedule(double at) override {
    starts_.change_times([&](double& when, std::uint32_t proc) {
      const InFlight& op = ops_[first_slot_[proc]];
      when = std::max(is_serial(proc) && !op.ended ? op.end : at, due(proc));
    });
  }

  void advance(double until) override {
    for (;;) {
      const double next_start = starts_.earliest().at, next_event = events_.earliest().at;
      if (std::min(next_start, next_event) >= until) break;
      if (next_start < next_event) {
        const auto [at, proc] = starts_.pop();
        start(proc, at);
        fetch_ahead();
        continue;
      }
      const auto [at, value] = events_.pop();
      const std::uint32_t slot = value >> 2;
      switch (static_cast<Event>(value & 3)) {
        case Event::step: step(slot, at); break;
        case Event::release: release(slot, at); break;
        case Event::end: end(slot, at); break;
      }
    }
    for (const std::uint32_t slot : serial_) note_end(slot, until);
  }

  void for_each_in_flight(const std::function<void(Proc&, double)>& f) override {
    for (const InFlight& op : ops_)
      if (!op.ended) f(procs_[op.proc], op.intended);
  }

 private:
  enum class Event : std::uint32_t { step, release, end };
  /// The next stage of an op.
  enum class Stage : std::uint8_t { egress, volume, read_limit, write_limit, total_limit, ingress };

  struct InFlight {
    std::uint32_t proc = 0;
    std::uint64_t connection = 0;
    OpKind kind{};
    Stage stage{};
    const Requests* requests = nullptr;
    std::uint64_t part = 0;
    double intended = 0, start = 0, end = 0;
    double delay = 0;  ///< at the delay station
    OpResult result{};
    bool ended = true;   ///< whether the end has been recorded
    bool known = false;  ///< whether `end` is known
  };
  struct Connection {
    FcfsServer server;
    std::uint64_t slots = 0, in_flight = 0;
    std::deque<std::uint32_t> waiting;
  };

  struct Part {
    FcfsServer server;
    std::uint64_t unflushed = 0;  ///< metadata modifications
  };

  void push(double at, std::uint32_t slot, Event event) {
    events_.push(at, slot << 2 | static_cast<std::uint32_t>(event));
  }
  /// 0 in a closed loop.
  double due(std::uint32_t proc) const { return static_cast<double>(procs_[proc].schedule.due().count()); }
  bool is_serial(std::uint32_t proc) const { return procs_[proc].depth_now == 1; }

  /// Prefetches the proc of the next start, which is seldom in the processor's cache, while other work goes on.
  void fetch_ahead() {
    const std::uint32_t next = starts_.earliest().value;
    __builtin_prefetch(&procs_[next]);
    __builtin_prefetch(&procs_[next].schedule);
    __builtin_prefetch(&ops_[first_slot_[next]]);
  }

  /// Lists the proc's next op, which starts when it is due, if there is room for it.
  void list(std::uint32_t proc, double at) {
    OpSlots& slots = op_slots_[proc];
    if (slots.listed || !slots.may_begin()) return;
    slots.listed = true;
    starts_.push(std::max(at, due(proc)), proc);
  }

  void note_end(std::uint32_t slot, double until) {
    InFlight& op = ops_[slot];
    if (op.ended || !op.known || op.end >= until) return;
    op.ended = true;
    record(procs_[op.proc], op.kind, op.intended, op.start, op.end, op.result);
  }

  void end(std::uint32_t slot, double at) {
    note_end(slot, at + 1);
    const std::uint32_t proc = ops_[slot].proc;
    op_slots_[proc].end(slot);
    list(proc, at);
  }

  void start(std::uint32_t index, double at) {
    Proc& proc = procs_[index];
    Op next;
    std::uint32_t slot = first_slot_[index];
    if (is_serial(index)) note_end(slot, at + 1);
    if (!may_begin(proc)) return starts_.push(at + retry_after.count(), index);
    if (is_serial(index)) {
      next = proc.ops.next();
    } else {
      OpSlots& slots = op_slots_[index];
      slots.listed = false;
      const std::optional<Op> may_begin = slots.next(proc.ops);
      if (!may_begin) return;
      next = *may_begin;
      slot = slots.begin(next);
    }
    begun(proc);
    InFlight& op = ops_[slot];
    op.kind = next.kind;
    op.requests = &requests_of(next.kind);
    op.result = success_of(next);
    op.intended = proc.schedule.open_loop() ? due(index) : at;
    proc.schedule.advance();
    op.start = at;
    op.ended = op.known = false;
    if (!is_serial(index)) list(index, at);
    if (is_cached(proc, next, *op.requests)) {
      finish(slot, at + draw_time(random_, ServiceTimes::exponential, model_.client.hit.count()));
      return;
    }
    // Files are placed on the parts in turn.
    op.part = (next.name.index + proc.first_sharer) % model_.parts;
    Connection& connection = connections_[op.connection];
    if (limited(connection)) {
      if (connection.in_flight == static_cast<std::uint64_t>(model_.client.slots_per_connection)) {
        connection.waiting.push_back(slot);
        return;
      }
      ++connection.in_flight;
    }
    send(slot, at);
  }

  bool is_cached(const Proc& proc, const Op& op, const Requests& requests) {
    const auto count = [&](RequestClass c) { return requests[static_cast<std::size_t>(c)]; };
    if (count(RequestClass::metadata_modify) + count(RequestClass::write) > 0) return false;
    if (count(RequestClass::read) == 0) return random_.chance_percent(model_.client.attribute_hit_percent);
    return proc.cacheable && !op.direct && random_.chance_percent(model_.client.data_hit_percent);
  }

  /// Sends an op through the client's processor and the connection.
  void send(std::uint32_t slot, double at) {
    const InFlight& op = ops_[slot];
    const double ready = processors_[procs_[op.proc].client].serve(at, time_of(model_.client.processor, op));
    go_to(Stage::egress, slot, connections_[op.connection].server.serve(ready, time_of(model_.client.connection, op)));
  }

  void step(std::uint32_t slot, double at) {
    const InFlight& op = ops_[slot];
    const std::size_t client = procs_[op.proc].client;
    const double read = bytes(op.result.bytes_read), written = bytes(op.result.bytes_written);
    switch (op.stage) {
      case Stage::egress:
        return go_to(Stage::volume, slot, egress_[client].serve(at, written / model_.client.egress_bytes_per_ns));
      case Stage::volume: return arrive(slot, at);
      case Stage::read_limit: return go_to(Stage::write_limit, slot, reads_.serve(at, read / model_.read_bytes_per_ns));
      case Stage::write_limit:
        return go_to(Stage::total_limit, slot, writes_.serve(at, written / model_.write_bytes_per_ns));
      case Stage::total_limit:
        return go_to(Stage::ingress, slot, total_.serve(at, (read + written) / model_.total_bytes_per_ns));
      case Stage::ingress:
        return come_back(slot, ingress_[client].serve(at, read / model_.client.ingress_bytes_per_ns));
    }
  }

  /// Moves an op to the next stage, from `stage` on, that takes time for it.
  void go_to(Stage stage, std::uint32_t slot, double at) {
    InFlight& op = ops_[slot];
    const bool reads = op.result.bytes_read > 0, writes = op.result.bytes_written > 0;
    const auto stop_at = [&](Stage next) {
      op.stage = next;
      push(at, slot, Event::step);
    };
    switch (stage) {
      case Stage::egress:
        if (writes && model_.client.egress_bytes_per_ns > 0) return stop_at(Stage::egress);
        [[fallthrough]];
      case Stage::volume: at += model_.client.round_trip.count() / 2; return stop_at(Stage::volume);
      case Stage::read_limit:
        if (reads && model_.read_bytes_per_ns > 0) return stop_at(Stage::read_limit);
        [[fallthrough]];
      case Stage::write_limit:
        if (writes && model_.write_bytes_per_ns > 0) return stop_at(Stage::write_limit);
        [[fallthrough]];
      case Stage::total_limit:
        if ((reads || writes) && model_.total_bytes_per_ns > 0) return stop_at(Stage::total_limit);
        [[fallthrough]];
      case Stage::ingress:
        at += op.delay + model_.client.round_trip.count() / 2;
        if (reads && model_.client.ingress_bytes_per_ns > 0) return stop_at(Stage::ingress);
        come_back(slot, at);
    }
  }

  void arrive(std::uint32_t slot, double at) {
    InFlight& op = ops_[slot];
    // The delay is drawn here, whatever comes in between, so that limits do not change the sequence of random numbers.
    op.delay = 0;
    const double service = draw_time(random_, model_.times, time_of(model_.part, op));
    for (std::size_t i = 0; i < request_class_count; ++i)
      if ((*op.requests)[i] > 0)
        op.delay += (*op.requests)[i] * draw_time(random_, model_.times, model_.delay[i].count());
    Part& part = parts_[op.part];
    const double served = part.server.serve(frontend_.serve(at, time_of(model_.frontend, op)), service);
    part.unflushed += (*op.requests)[static_cast<std::size_t>(RequestClass::metadata_modify)];
    if (model_.flush_every > 0 && part.unflushed >= model_.flush_every) {
      part.unflushed -= model_.flush_every;
      part.server.serve(served, model_.flush.count());
    }
    go_to(Stage::read_limit, slot, served);
  }

  void come_back(std::uint32_t slot, double at) {
    if (limited(connections_[ops_[slot].connection])) push(at, slot, Event::release);
    finish(slot, at);
  }

  void finish(std::uint32_t slot, double at) {
    InFlight& op = ops_[slot];
    op.end = at;
    op.known = true;
    // A serial proc needs no event for the end of an op: its next start is enough.
    if (is_serial(op.proc)) starts_.push(std::max(at, due(op.proc)), op.proc);
    else push(at, slot, Event::end);
  }

  void release(std::uint32_t slot, double at) {
    Connection& connection = connections_[ops_[slot].connection];
    --connection.in_flight;
    if (connection.waiting.empty()) return;
    const std::uint32_t next = connection.waiting.front();
    connection.waiting.pop_front();
    ++connection.in_flight;
    send(next, at);
  }

  /// Whether the connection's slots can run out, because more ops can be in flight.
  bool limited(const Connection& connection) const {
    return connection.slots > static_cast<std::uint64_t>(model_.client.slots_per_connection);
  }
  static double bytes(std::int64_t count) { return static_cast<double>(count); }
  static double time_of(const RequestCosts& costs, const InFlight& op) {
    double time =
        costs.per_byte_read * bytes(op.result.bytes_read) + costs.per_byte_written * bytes(op.result.bytes_written);
    for (std::size_t i = 0; i < request_class_count; ++i) time += (*op.requests)[i] * costs.per_request[i];
    return time;
  }

  const VolumeModel model_;
  std::uint64_t clients_ = 0;
  std::vector<OpSlots> op_slots_;          ///< by proc
  std::vector<std::uint32_t> first_slot_;  ///< by proc
  std::vector<InFlight> ops_;              ///< by slot
  std::vector<std::uint32_t> serial_;      ///< slots of procs with one slot
  TimeHeap<std::uint32_t> starts_;         ///< starts of procs: many, most of them far in the future
  TimeHeap<std::uint32_t> events_;         ///< events of slots in flight: few
  std::vector<FcfsServer> processors_, egress_, ingress_;
  std::vector<Part> parts_;
  std::vector<Connection> connections_;
  FcfsServer frontend_, reads_, writes_, total_;
};

}  // namespace

std::unique_ptr<SimBase> make_volume_sim(const VolumeModel& model, std::vector<SimProc> procs,
                                         std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop) {
  return std::make_unique<VolumeSim>(model, std::move(procs), std::move(groups), seed, std::move(stop));
}

}  // namespace edagen
