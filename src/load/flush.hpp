// Waiting until all that was written is on stable storage, and no longer than that may take.
#pragma once

#include <stop_token>

#include "edagen/load_runner.hpp"
#include "edagen/target.hpp"

namespace edagen {

/// False when it does not end, or the run is to: then its thread is left behind, and uses `target` for as long as it
/// takes. `stuck_after`: reported then, given up at ten times that. `counted`, which may be null: takes the time and
/// the errors.
bool flush(Target& target, Nanos stuck_after, const std::stop_token& stop, const EventSink& emit, RunStats* counted);

}  // namespace edagen
