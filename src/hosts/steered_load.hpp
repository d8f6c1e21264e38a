// The same load on all hosts: steered at the rank that leads, carried out at the others.
#pragma once

#include "hosts/followed_load.hpp"
#include "hosts/led_load.hpp"

namespace edagen {

/// What else is counted on a host in the window of a load point.
class HostCounters {
 public:
  virtual ~HostCounters() = default;
  virtual void window_began() = 0;
  virtual void window_ended() = 0;
  /// `window`: what the host's part of the load came to in it.
  virtual void add_to(HostStats& host, const RunStats& window) const = 0;
};

/// At the leader: all ranks run what this runs, and the figures that run() returns are of all ranks.
class SteeredLoad final : public LoadRunner {
 public:
  /// All outlive this. `here`: this rank's part, which is made with `led`. `clients`: of all ranks.
  SteeredLoad(Hosts& hosts, LedLoad& led, LoadRunner& here, HostCounters& counters, DealtClients clients)
      : hosts_(hosts), led_(led), here_(here), counters_(counters), clients_(clients) {}
  ~SteeredLoad() override;
  /// Tells the others that there is nothing more to run, once. So does the destructor.
  void dismiss();

  RunStats run(const LoadPoint& load, const EventSink& emit) override;
  std::uint64_t end_load() override;

 private:
  void command(const HostCommand& what);
  RunStats run_here(const LoadPoint& load, const EventSink& emit);

  Hosts& hosts_;
  LedLoad& led_;
  LoadRunner& here_;
  HostCounters& counters_;
  DealtClients clients_;
  std::optional<LoadPoint> before_;
  TimePoint synchronized_{};
  bool has_run_ = false, dismissed_ = false;
};

/// At the followers: runs what the leader commands until it ends the load. `emit` gets what fails here. Throws
/// Error when the run has failed elsewhere. `stuck_ops` grows by the ops that have not come back here, also when it
/// throws: their threads still use what `here` was made of.
void follow_load(Hosts& hosts, FollowedLoad& followed, LoadRunner& here, HostCounters& counters, std::size_t groups,
                 DealtClients clients, const EventSink& emit, std::uint64_t& stuck_ops);

}  // namespace edagen
