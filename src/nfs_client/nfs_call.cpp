#include "nfs_client/nfs_call.hpp"

#include <cerrno>

namespace edagen {

void NfsCall::make() {
  if (!arguments_.ok()) std::terminate();  // names of the dataset are short
  arguments = arguments_.written();
  connection_number_ = identity_.call(*this);
}

void NfsCall::completed(const RpcReply& answer) {
  was_repeated_ |= transmissions > 1;
  status_ = NfsStatus::ok;
  error_ = to_errno(answer);
  if (error_ == 0) error_ = decode_results(answer.results, status_) ? to_errno(status_) : EBADMSG;
  count();
  if (status_ == NfsStatus::jukebox) {
    loop_.counters(identity_.server_number()).delayed_rpcs.add(1);
    loop_.delay(*this);
    return;
  }
  awaiting_.resume();
}

void NfsCall::count() {
  ProcedureCounters& counters = loop_.counters(identity_.server_number()).procedures[procedure];
  counters.requests.add(1);
  counters.transmissions.add(transmissions);
  counters.timeouts.add(timeouts);
  counters.bytes_sent.add(static_cast<std::int64_t>(sent_bytes));
  counters.bytes_received.add(static_cast<std::int64_t>(received_bytes));
  counters.queue_ns.add(queue_time().count());
  counters.round_trip_ns.add(round_trip().count());
  counters.execute_ns.add((now() - queued).count());
  if (error_ != 0) counters.errors.add(1);
  identity_.publish(connection_number_);
}

}  // namespace edagen
