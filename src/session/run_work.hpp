// A run's site and load: what threads in ops that never return still use, so that it is left behind with them.
#pragma once

#include <optional>

#include "session/plan_identity.hpp"
#include "session/run_load.hpp"
#include "session/run_site.hpp"

namespace edagen {

struct RunWork {
  /// All outlive this.
  RunWork(const RunPlan& plan, SessionState& session)
      : site(plan, session, session.hosts, session.hosts ? plan_identity(plan, {}) : PlanIdentity()) {}

  RunSite site;
  std::optional<RunLoad> load;
};

}  // namespace edagen
