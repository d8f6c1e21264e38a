#include "queueing_station.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "nfs3/mount3.hpp"

namespace edagen::bench {
namespace {

using testing::ByteVector;
using testing::LyingServer;
using testing::WireCall;

/// LOOKUP and ACCESS are those of names that a client has not met yet: they would make the first ops slower than the
/// others.
bool takes_time(const WireCall& call) {
  constexpr std::string_view prefix = "edagen-";
  const std::string_view name = call.machine;
  const auto is = [&](NfsProcedure procedure) { return call.procedure == static_cast<std::uint32_t>(procedure); };
  return !is(NfsProcedure::lookup) && !is(NfsProcedure::access) && name.size() > prefix.size() &&
         name.starts_with(prefix) &&
         std::ranges::all_of(name.substr(prefix.size()), [](unsigned char c) { return std::isdigit(c) != 0; });
}

ByteVector mount_results(const WireCall& call, const NfsHandle& root) {
  constexpr std::uint32_t auth_sys = 1;
  XdrReader arguments(call.arguments);
  return testing::xdr_bytes([&](XdrWriter& reply) {
    switch (static_cast<MountProcedure>(call.procedure)) {
      case MountProcedure::mnt:
        if (arguments.string(max_mount_path_bytes) != QueueingStation::export_path)
          return reply.u32(static_cast<std::uint32_t>(MountStatus::noent));
        reply.u32(static_cast<std::uint32_t>(MountStatus::ok));
        reply.opaque(root.span());
        reply.u32(1);
        return reply.u32(auth_sys);
      case MountProcedure::export_list:
        reply.boolean(true);
        reply.string(QueueingStation::export_path);
        reply.boolean(false);  // no groups: for everybody
        return reply.boolean(false);
      default: return;
    }
  });
}

std::uint32_t nanoseconds(Nanos time) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(time.count(), 0, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

StationQueue::StationQueue(std::size_t servers, Nanos mean, std::uint64_t seed) : mean_(mean), random_(seed) {
  for (std::size_t i = 0; i < servers; ++i) free_from_.push(TimePoint::min());
}

StationQueue::Visit StationQueue::arrive(TimePoint arrival) {
  const TimePoint start = std::max(arrival, free_from_.top());
  const Nanos service(static_cast<Nanos::rep>(random_.exponential() * static_cast<double>(mean_.count())));
  free_from_.pop();
  free_from_.push(start + service);
  return {start - arrival, service};
}

QueueingStation::QueueingStation(const Options& options)
    : queue_(options.servers, options.mean, options.seed),
      keeps_visits_(options.keeps_visits),
      epoch_(std::chrono::system_clock::now().time_since_epoch() - now().time_since_epoch()),
      server_([this](LyingServer::Wire& wire, const WireCall& call) { serve(wire, call); }, options.port) {}

void QueueingStation::serve(LyingServer::Wire& wire, const WireCall& call) {
  constexpr std::uint32_t program_unavailable = 1;
  if (call.program == mount3_program.number) return wire.answer(call, mount_results(call, files_.root()));
  if (call.program != nfs3_program.number)
    return wire.send(call.connection, testing::framed(testing::unaccepted_reply(call.xid, program_unavailable)));
  const ByteSpan results =
      files_.results_of(static_cast<NfsProcedure>(call.procedure), call.arguments, {call.uid, call.gid});
  if (!takes_time(call)) return wire.answer(call, results);
  // After all calls that are here: a busy machine lets the server read late, and connections in another order.
  if (arrivals_.empty()) wire.at(TimePoint::min(), [this](LyingServer::Wire& later) { queue_arrivals(later); });
  arrivals_.push_back(
      {call.received, call.connection, call.procedure, testing::framed(testing::accepted_reply(call.xid, results))});
}

void QueueingStation::queue_arrivals(LyingServer::Wire& wire) {
  std::ranges::stable_sort(arrivals_, {}, &Arrival::time);
  for (Arrival& arrival : arrivals_) queue_arrival(wire, std::move(arrival));
  arrivals_.clear();
}

/// The call has been carried out, and its reply leaves when its time is over.
void QueueingStation::queue_arrival(LyingServer::Wire& wire, Arrival arrival) {
  const StationQueue::Visit visit = queue_.arrive(arrival.time);
  const TimePoint departure = arrival.time + visit.wait + visit.service;
  wire.at(departure, [this, visit, departure, arrival = std::move(arrival)](LyingServer::Wire& later) {
    const Nanos late = now() - departure;
    later.send(arrival.connection, arrival.reply);
    if (keeps_visits_)
      visits_.push_back({.arrival_ns = (arrival.time.time_since_epoch() + epoch_).count(),
                         .wait_ns = nanoseconds(visit.wait),
                         .service_ns = nanoseconds(visit.service),
                         .late_ns = nanoseconds(late),
                         .procedure = arrival.procedure});
  });
}

}  // namespace edagen::bench
