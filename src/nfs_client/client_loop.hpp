// What the clients of one thread have in common: the event loop, the counters, and the RPCs that a server has put off.
#pragma once

#include <map>
#include <vector>

#include "edagen/workload.hpp"
#include "nfs_client/client_counters.hpp"
#include "nfs_client/nfs_settings.hpp"
#include "nfs_client/payload_ring.hpp"
#include "rpc/rpc_loop.hpp"

namespace edagen {

/// A call that a server has put off.
class RepeatableCall {
 public:
  virtual void make() = 0;

 protected:
  ~RepeatableCall() = default;
};

class ClientLoop {
 public:
  ClientLoop(AllCounters& all, const NfsTargetOptions& options)
      : options_(options),
        all_(all),
        counters_(all.take()),
        began_(all.began()),
        verifier_(mix_bits(static_cast<std::uint64_t>(now().time_since_epoch().count()))) {}
  ~ClientLoop() { all_.give_back(counters_); }
  ClientLoop(const ClientLoop&) = delete;
  ClientLoop& operator=(const ClientLoop&) = delete;

  RpcLoop& rpc() { return rpc_; }
  const NfsTargetOptions& options() const { return options_; }
  ClientCounters& counters(std::size_t server) { return counters_[server]; }
  /// The data that procs of this kind write.
  PayloadRing& payload(const ProcSpec& spec, Bytes largest);

  /// Handles what is ready.
  void poll();
  /// Waits for something to handle, at most until then, and handles it.
  void run_until(TimePoint until);
  /// Makes the call again after the time that a server is to be left alone.
  void delay(RepeatableCall& call);

  /// The verifier of an exclusive CREATE: never twice the same.
  NfsVerifier next_verifier() { return ++verifier_; }
  /// For attributes that are trusted for a time, in all loops of the target: since its beginning, and never 0.
  std::uint32_t milliseconds() const {
    return static_cast<std::uint32_t>((now() - began_) / std::chrono::milliseconds(1)) + 1;
  }

 private:
  struct Delayed {
    TimePoint until;
    RepeatableCall* call;
  };
  void repeat_delayed();

  const NfsTargetOptions& options_;
  AllCounters& all_;
  ThreadCounters& counters_;
  RpcLoop rpc_;
  std::vector<Delayed> delayed_;  ///< in the order of their times, since all wait equally long
  std::map<const ProcSpec*, PayloadRing> payloads_;
  const TimePoint began_;
  NfsVerifier verifier_;
};

}  // namespace edagen
