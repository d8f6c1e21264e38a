// The flush of everything written to stable storage, and the dropping of caches, which may hang.
#pragma once

#include <stop_token>

#include "edagen/load_runner.hpp"
#include "edagen/target.hpp"

namespace edagen {

/// Returns false when the flush does not end or the run must end first: its thread is then left behind, and uses
/// `target` until the flush returns. A flush is reported after `stuck_after` and given up after ten times as long.
/// `counted`, which may be null, gets the time and the errors.
bool flush(Target& target, Nanos stuck_after, const std::stop_token& stop, const EventSink& emit, RunStats* counted);

/// The same of dropping the caches, for which everything is flushed, but it is given up only when the run must end.
bool drop_caches(Target& target, Nanos stuck_after, const std::stop_token& stop, const EventSink& emit);

}  // namespace edagen
