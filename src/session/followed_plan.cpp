// How a host that does not lead carries out plans: as SessionWork::carry_out() does, step by step with the leader, but
// that it measures what it is told to.
#include <spdlog/spdlog.h>

#include "edagen/error.hpp"
#include "hosts/wire.hpp"
#include "session/plan_identity.hpp"
#include "session/run_work.hpp"
#include "session/session_work.hpp"

namespace edagen {

void SessionWork::follow(const std::vector<RunPlan>& plans) {
  for (;;) {
    const auto order = from_wire<PlanOrder>(state_.hosts->receive(0, About::command));
    if (order.what == PlanOrder::What::quit) return;
    if (order.what == PlanOrder::What::remove) {
      remove_made_here(order.number);
      continue;
    }
    RunPlan plan = plans.at(order.number);
    plan.reuse_dataset = order.reuse_dataset;
    plan.seed = order.seed;
    follow_plan(plan, order.number);
    if (stuck_) return;
  }
}

void SessionWork::follow_plan(const RunPlan& plan, std::size_t number) {
  const AtEnd nowhere_after([this] { state_.leftovers.set_current({}); });
  auto work = std::make_unique<RunWork>(plan, state_);
  RunSite& site = work->site;
  site.probe();
  state_.hosts->meet();
  std::uint64_t stuck_ops = 0;
  const AtEnd left_behind([&] {
    stuck_ |= stuck_ops > 0;
    if (stuck_) static_cast<void>(work.release());
  });
  try {
    if (site.build(state_.stop)) {
      note_made_here(site, number);
      RunLoad& load = work->load.emplace(plan, site, state_.stop);
      state_.hosts->meet();
      load.follow(state_.emit, stuck_ops);
    }
    if (stuck_ops > 0) return state_.emit(OpsNeverReturned{stuck_ops});
    work->load.reset();
    state_.hosts->meet();
    cleanup_incomplete_ |= !site.clean_up();
  } catch (...) {
    site.leave();
    throw;
  }
  work.reset();
  state_.hosts->meet();
}

/// What is this host's alone is removed by it when the leader says so.
void SessionWork::note_made_here(RunSite& site, std::size_t number) {
  if (site.mounts().empty()) return;
  const std::string id = site.made_dataset();
  std::vector<std::string> own;
  for (const DatasetRoot& root : site.roots())
    if (root.place().of_host) own.push_back(root.place().mount);
  if (!id.empty() && !own.empty()) made_here_[number] = {id, own};
}

void SessionWork::remove_made_here(std::size_t number) {
  const auto made = made_here_.find(number);
  if (made == made_here_.end()) return;
  const auto [id, mounts] = made->second;
  made_here_.erase(made);
  for (const std::string& mount : mounts) try {
      remove_dataset(dataset_place(check_mounts({mount}).front()), 4, state_.watch, id);
    } catch (const Error& error) {
      cleanup_incomplete_ = true;
      spdlog::error("the dataset was not removed: {}", error.what());
    }
}

}  // namespace edagen
