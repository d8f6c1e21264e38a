#include "nfs_client/client_counters.hpp"

namespace edagen {
namespace {

double milliseconds(const RelaxedCounter& nanoseconds) { return static_cast<double>(nanoseconds.get()) / 1e6; }

}  // namespace

void ClientCounters::add_to(NfsMountStats& mount) const {
  mount.read_bytes += read_bytes.get();
  mount.written_bytes += written_bytes.get();
  for (std::size_t i = 0; i < procedures.size(); ++i) {
    const ProcedureCounters& from = procedures[i];
    if (from.requests.get() == 0) continue;
    mount.rpcs[std::string(to_string(static_cast<NfsProcedure>(i)))] +=
        RpcCounters{.requests = from.requests.get(),
                    .transmissions = from.transmissions.get(),
                    .timeouts = from.timeouts.get(),
                    .bytes_sent = from.bytes_sent.get(),
                    .bytes_received = from.bytes_received.get(),
                    .queue_ms = milliseconds(from.queue_ns),
                    .round_trip_ms = milliseconds(from.round_trip_ns),
                    .execute_ms = milliseconds(from.execute_ns),
                    .errors = from.errors.get()};
  }
  const auto count = [](const RelaxedCounter& counter) { return static_cast<double>(counter.get()); };
  mount.events += {.delayed_rpcs = count(delayed_rpcs),
                   .short_reads = count(short_reads),
                   .short_writes = count(short_writes),
                   .verifier_changes = count(verifier_changes),
                   .rewritten_bytes = count(rewritten_bytes),
                   .stale_handles = count(stale_handles),
                   .repeated_changes = count(repeated_changes)};
}

TransportCounters ConnectionCounters::transport() const {
  TransportCounters transport;
  transport.protocol = "tcp";
  transport.source_port = static_cast<unsigned>(source_port.get());
  transport.sends = sends.get();
  transport.receives = receives.get();
  transport.reconnects = connects.get();
  transport.backlog = backlog.get();
  transport.requests_in_use = requests_in_use.get();
  transport.sending = sending.get();
  return transport;
}

ThreadCounters& AllCounters::take() {
  std::lock_guard lock(mutex_);
  if (free_.empty()) free_.push_back(all_.emplace_back(std::make_unique<ThreadCounters>(servers_)).get());
  ThreadCounters& taken = *free_.back();
  free_.pop_back();
  return taken;
}

void AllCounters::give_back(ThreadCounters& counters) {
  std::lock_guard lock(mutex_);
  free_.push_back(&counters);
}

}  // namespace edagen
