// One night: measure, judge, measure again while in doubt, keep.
#pragma once

#include <functional>
#include <stop_token>

#include "edagen/session.hpp"
#include "nightly/night_plan.hpp"

namespace edagen {

class Hosts;

struct NightOutcome {
  Night night;
  bool all_written = true;  ///< outputs and results
  bool stuck = false;       ///< ops never returned: the process can only end by _exit
};

using TellNight = std::function<void(const NightOutcome&)>;

/// A measurement that cannot be run is named and left out; the others go on. Datasets on mounts stay for the next
/// night. `stop` ends the night with what there is. Throws Error as NightStore does, before anything was measured.
/// `tell` is called once, with the night as it is kept. When a call hangs although the night is to end, that is from
/// another thread: then the process ends here, with exit_status_of().
/// `hosts` measure together: the others follow plans_of(plan). When a measurement cannot be run on one of them, those
/// after it are not run either.
NightOutcome run_night(const NightPlan& plan, const EventSink& emit, const std::stop_token& stop, const TellNight& tell,
                       Hosts* hosts = nullptr);

/// 3 for a regression; else 130 when it was stopped, 1 when something failed, 6 when there is no verdict on something,
/// 0.
int exit_status_of(const NightOutcome& outcome);

}  // namespace edagen
