#include "session/prepared_load.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "base/user_command.hpp"
#include "edagen/units.hpp"

namespace edagen {

RunStats PreparedLoad::run(const LoadPoint& load, const EventSink& emit) {
  const bool is_due = !load.stays_up || loads_ == 0;
  ++loads_;
  if (!is_due || command_.command.empty()) return runner_.run(load, emit);
  if (const std::uint64_t stuck = runner_.end_load(); stuck > 0) {
    // Threads that hang in these ops still use the procs: no other load may begin.
    RunStats nothing;
    nothing.requested_ops_per_sec = load.requested_ops_per_sec();
    nothing.stuck_ops = stuck;
    nothing.interrupted = stop_.stop_requested();
    return nothing;
  }
  prepare(load);
  return runner_.run(load, emit);
}

void PreparedLoad::prepare(const LoadPoint& load) {
  if (stop_.stop_requested()) return;
  ++prepared_;
  const std::optional<double> rate = load.requested_ops_per_sec();
  const std::string failure = run_user_command(
      {.command = command_.command,
       .directory = command_.directory,
       .environment = {rate ? fmt::format("EDAGEN_OPS_PER_SEC={:.6g}", *rate) : "EDAGEN_OPS_PER_SEC=max"}},
      stop_);
  if (failure.empty()) return;
  ++failed_;
  spdlog::error("--before-point: {}", failure);
}

std::string PreparedLoad::note() const {
  if (failed_ == 0) return "";
  return fmt::format("the command of --before-point failed before {} of {}: these may not be what was meant", failed_,
                     counted(prepared_, "load point"));
}

}  // namespace edagen
