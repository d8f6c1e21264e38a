// A volume under NFS clients: an op starts at its client (cache, processor, connection, network), arrives at the volume (front, one
// of its parts, throughput limits), and returns.
#include <deque>

#include "sim_base.hpp"

namespace edagen {
namespace {

/// Does one thing at a time, first come first served.
struct Server {
  double free_at = 0;
  /// When work that arrives at `at` and takes `time` is done.
  double serve(double at, double time) { return free_at = std::max(at, free_at) + time; }
};

class VolumeSim final : public SimBase {
 public:
  VolumeSim(const VolumeModel& model, std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed,
            std::stop_token stop)
      : SimBase(std::move(procs), std::move(groups), seed, std::move(stop)), model_(model), ops_(procs_.size()) {
    for (const Proc& proc : procs_) clients_ = std::max(clients_, proc.client + 1);
  }

 protected:
  void begin(const std::vector<std::uint32_t>& active, bool paced) override {
    paced_ = paced;
    events_.clear();
    processors_.assign(clients_, {});
    egress_.assign(clients_, {});
    ingress_.assign(clients_, {});
    parts_.assign(model_.parts, {});
    front_ = reads_ = writes_ = total_ = {};
    connections_.assign(clients_ * static_cast<std::uint64_t>(model_.client.connections), {});
    std::vector<std::uint64_t> procs_of_client(clients_, 0);
    active_ = active;
    for (const std::uint32_t i : active) {
      Underway& op = ops_[i];
      op = {};
      // Procs take the connections of their client in turn, as the Linux client's transport switch does for requests.
      const std::uint64_t nth = procs_of_client[procs_[i].client]++;
      op.connection = procs_[i].client * static_cast<std::uint64_t>(model_.client.connections) +
                      nth % static_cast<std::uint64_t>(model_.client.connections);
      ++connections_[op.connection].procs;
      push(due(i), i, Event::start);
    }
  }

  void advance(double until) override {
    while (!events_.empty() && events_.top().at < until) {
      const double at = events_.top().at;
      const std::uint32_t index = events_.top().value >> 2;
      const auto event = static_cast<Event>(events_.top().value & 3);
      events_.pop();
      if (event == Event::start) start(index, at);
      else if (event == Event::arrive) arrive(index, at);
      else release(index, at);
    }
    for (const std::uint32_t i : active_) note_end(i, until);
  }

 private:
  enum class Event : std::uint32_t { start, arrive, release };

  /// The op a proc is in.
  struct Underway {
    OpKind kind{};
    const Requests* requests = nullptr;
    std::uint64_t connection = 0;
    std::uint64_t part = 0;
    double intended = 0, start = 0, end = 0;
    OpResult result;
    bool ended = true;   ///< its end has been recorded
    bool known = false;  ///< `end` is known
  };
  struct Connection {
    Server server;
    std::uint64_t procs = 0, in_flight = 0;
    std::deque<std::uint32_t> waiting;
  };

  void push(double at, std::uint32_t proc, Event event) { events_.push(at, proc << 2 | static_cast<std::uint32_t>(event)); }
  double due(std::uint32_t index) const { return static_cast<double>(procs_[index].schedule.due().count()); }

  void note_end(std::uint32_t index, double until) {
    Underway& op = ops_[index];
    if (op.ended || !op.known || op.end >= until) return;
    op.ended = true;
    record(procs_[index], op.kind, op.intended, op.start, op.end, op.result);
  }

  void start(std::uint32_t index, double at) {
    note_end(index, at + 1);
    Proc& proc = procs_[index];
    Underway& op = ops_[index];
    const Op next = proc.ops.next();
    op.kind = next.kind;
    op.requests = &requests_of(next.kind);
    op.result = result_of(next);
    op.intended = paced_ ? due(index) : at;
    proc.schedule.advance();
    op.start = at;
    op.ended = op.known = false;
    if (is_cached(proc, next, *op.requests)) {
      finish(index, at + draw_time(random_, ServiceTimes::exponential, model_.client.hit_ns));
      return;
    }
    op.part = model_.parts == 1 ? 0 : mix_bits(next.name.index * 0x9e3779b97f4a7c15u + index) % model_.parts;
    Connection& connection = connections_[op.connection];
    if (limited(connection)) {
      if (connection.in_flight == static_cast<std::uint64_t>(model_.client.slots_per_connection)) {
        connection.waiting.push_back(index);
        return;
      }
      ++connection.in_flight;
    }
    send(index, at);
  }

  bool is_cached(const Proc& proc, const Op& op, const Requests& requests) {
    const auto count = [&](RequestClass c) { return requests[static_cast<std::size_t>(c)]; };
    if (count(RequestClass::metadata_modify) + count(RequestClass::write) > 0) return false;
    if (count(RequestClass::read) == 0) return random_.chance_percent(model_.client.attribute_hit_percent);
    return proc.cacheable && !op.direct && random_.chance_percent(model_.client.data_hit_percent);
  }

  /// Through the connection and the client's network to the volume.
  void send(std::uint32_t index, double at) {
    const Underway& op = ops_[index];
    double sent = processors_[procs_[index].client].serve(at, time_of(model_.client.processor, op));
    sent = connections_[op.connection].server.serve(sent, time_of(model_.client.connection, op));
    if (model_.client.egress_bytes_per_ns > 0 && op.result.bytes_written > 0)
      sent = egress_[procs_[index].client].serve(sent, bytes(op.result.bytes_written) / model_.client.egress_bytes_per_ns);
    push(sent + model_.client.round_trip_ns / 2, index, Event::arrive);
  }

  void arrive(std::uint32_t index, double at) {
    const Underway& op = ops_[index];
    double done = front_.serve(at, time_of(model_.front, op));
    done = parts_[op.part].serve(done, draw_time(random_, model_.times, time_of(model_.part, op)));
    const double read = bytes(op.result.bytes_read), written = bytes(op.result.bytes_written);
    if (read > 0 && model_.read_bytes_per_ns > 0) done = reads_.serve(done, read / model_.read_bytes_per_ns);
    if (written > 0 && model_.write_bytes_per_ns > 0) done = writes_.serve(done, written / model_.write_bytes_per_ns);
    if (read + written > 0 && model_.total_bytes_per_ns > 0)
      done = total_.serve(done, (read + written) / model_.total_bytes_per_ns);
    for (std::size_t i = 0; i < request_class_count; ++i)
      if ((*op.requests)[i] > 0) done += (*op.requests)[i] * draw_time(random_, model_.times, model_.base_ns[i]);
    done += model_.client.round_trip_ns / 2;
    if (read > 0 && model_.client.ingress_bytes_per_ns > 0)
      done = ingress_[procs_[index].client].serve(done, read / model_.client.ingress_bytes_per_ns);
    if (limited(connections_[op.connection])) push(done, index, Event::release);
    finish(index, done);
  }

  /// The proc's next op starts when it is due and this one is over.
  void finish(std::uint32_t index, double end) {
    ops_[index].end = end;
    ops_[index].known = true;
    push(paced_ ? std::max(end, due(index)) : end, index, Event::start);
  }

  void release(std::uint32_t index, double at) {
    Connection& connection = connections_[ops_[index].connection];
    --connection.in_flight;
    if (connection.waiting.empty()) return;
    const std::uint32_t next = connection.waiting.front();
    connection.waiting.pop_front();
    ++connection.in_flight;
    send(next, at);
  }

  /// Slots can only run out where there are more procs than slots.
  bool limited(const Connection& connection) const {
    return connection.procs > static_cast<std::uint64_t>(model_.client.slots_per_connection);
  }
  static double bytes(std::int64_t count) { return static_cast<double>(count); }
  static double time_of(const RequestCosts& costs, const Underway& op) {
    double time = costs.per_byte_read * bytes(op.result.bytes_read) + costs.per_byte_written * bytes(op.result.bytes_written);
    for (std::size_t i = 0; i < request_class_count; ++i) time += (*op.requests)[i] * costs.per_request[i];
    return time;
  }

  const VolumeModel model_;
  std::uint64_t clients_ = 0;
  bool paced_ = true;
  std::vector<std::uint32_t> active_;
  std::vector<Underway> ops_;  ///< by proc
  TimeHeap<std::uint32_t> events_;
  std::vector<Server> processors_, egress_, ingress_, parts_;
  std::vector<Connection> connections_;
  Server front_, reads_, writes_, total_;
};

}  // namespace

std::unique_ptr<LoadRunner> make_volume_sim(const VolumeModel& model, std::vector<SimProc> procs,
                                            std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop) {
  return std::make_unique<VolumeSim>(model, std::move(procs), std::move(groups), seed, std::move(stop));
}

}  // namespace edagen
