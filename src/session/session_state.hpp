// What the runs of a session share.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edagen/run_plan.hpp"
#include "hosts/hosts.hpp"
#include "hosts/wire.hpp"
#include "nfs/host_changes.hpp"
#include "nfs/tuned_mount.hpp"
#include "session/leftovers.hpp"
#include "session/outputs.hpp"
#include "session/session_journal.hpp"
#include "session/session_watch.hpp"

namespace edagen {

/// What the leader of several hosts has the others do.
struct PlanOrder {
  enum class What : std::uint8_t { carry_out, remove, quit } what = What::carry_out;
  std::uint64_t number = 0;  ///< of the plan, in the list that all hosts have
  bool reuse_dataset = false;
  std::uint64_t seed = 1;
};
void fields(auto&& visit, Is<PlanOrder> auto& order) {
  visit("what", order.what);
  visit("number", order.number);
  visit("reuse_dataset", order.reuse_dataset);
  visit("seed", order.seed);
}

struct SessionState {
  /// As Session.
  SessionState(EventSink sink, std::stop_token stop_token, Nanos stuck_time, Hosts* all_hosts, WriteFailures failures);
  /// The others end, too, unless they have for a failure.
  ~SessionState();

  /// At the leader of several hosts.
  void order(const PlanOrder& what) const { hosts->send_all(About::command, to_wire(what)); }
  /// At the leader, after an order to remove what `variant` has made. Returns when all hosts have done so.
  void await_removal_elsewhere(const std::string& variant);
  /// The first failure of another host; nullopt: there is none.
  std::optional<Error> failure_elsewhere() const { return hosts ? hosts->failure() : std::nullopt; }
  /// The record of what tunings change on this host. The first call undoes what a killed comparison has left.
  HostChanges& changes_of_host() { return host_changes ? *host_changes : host_changes.emplace(); }
  /// Mounts a tuning, until the returned object is destroyed. Gives up when `until` is requested. Throws TuningRefused.
  std::unique_ptr<TunedMount> mount(const TunedExport& site, const std::stop_token& until) {
    return std::make_unique<TunedMount>(site.exported, site.tuning, watch, stuck_after, until, changes_of_host());
  }
  /// What a result notes of the journal and of the files that are written beside it.
  std::vector<std::string> notes_of(const SessionJournal& journal);
  /// Writes the outputs, if there is something to `write`, emits the end, whose table goes to stdout, and removes the
  /// journal if outputs or table hold all of it. `needs_document`: only an output that is a document holds all of it.
  template <class What>
  void write_result(const std::vector<Output<What>>& outputs, const What& result, SessionJournal& journal, bool write,
                    bool needs_document, const Event& end) {
    const bool written = !write || write_outputs(outputs, result, watch);
    {
      StuckWatch::Thread self(watch);
      self.call_started("writing", "the table of the result");  // to stdout, which may be a pipe that nobody reads
      emit(end);
    }
    cleanup_incomplete |= journal.is_incomplete() || !written;
    const bool has_document = std::ranges::any_of(outputs, &Output<What>::is_document);
    journal.finish(written && (has_document || (!needs_document && std::cout.good())));
  }

  EventSink emit;
  std::stop_token stop;
  Nanos stuck_after;  ///< calls outside of the measured load that last longer are emitted as hanging
  Hosts* hosts;       ///< the hosts that carry out all plans together; nullptr: this host is alone
  WriteFailures write_failures;
  SessionWatch watch{emit, stuck_after};
  Leftovers leftovers{emit};
  std::optional<HostChanges> host_changes;
  std::stop_source stop_anywhere;  ///< of several hosts: requested here or on another one
  std::optional<std::stop_callback<std::function<void()>>> on_stop;
  const int exceptions = std::uncaught_exceptions();
  bool stuck = false;               ///< ops never returned
  bool others_ended = false;        ///< other hosts, with a plan that could not be carried out
  bool cleanup_incomplete = false;  ///< an output was not written, or a dataset not removed
};

}  // namespace edagen
