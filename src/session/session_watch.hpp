// Emits the calls of a session that hang, and ends the process for those that do not return.
#pragma once

#include <cstdlib>

#include "base/stuck_watch.hpp"
#include "edagen/event.hpp"
#include "edagen/exit_status.hpp"
#include "nfs/host_changes.hpp"

namespace edagen {

class SessionWatch : public StuckWatch {
 public:
  explicit SessionWatch(const EventSink& emit, Nanos stuck_after = std::chrono::seconds(30))
      : StuckWatch(stuck_after,
                   [emit](const std::string& call, Nanos age) {
                     emit(CallHangs{call, age});
                   }),
        emit_(emit) {}

  /// A call that goes on although `stop` was requested is abandoned: the process ends after CallAbandoned.
  void end_with(std::stop_token stop) {
    StuckWatch::end_with(std::move(stop), [emit = emit_](const std::string& call) {
      HostChanges::set_back_before_exit();
      emit(CallAbandoned{call});
      std::_Exit(exit_status::interrupted);
    });
  }

 private:
  EventSink emit_;
};

}  // namespace edagen
