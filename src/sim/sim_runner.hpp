// The load in virtual time on a simulated volume: the same op streams, schedules, statistics and measurement as in real
// time.
#pragma once

#include <memory>
#include <optional>

#include "edagen/volume_model.hpp"
#include "load/engine.hpp"

namespace edagen {

struct SimProc {
  EngineProc proc;
  bool cacheable = false;                        ///< the client's files of this kind fit into the client's cache
  std::optional<std::size_t> first_sharer = {};  ///< the number of the proc whose files it works on; nullopt: its own
};

/// Makes a runner for one thread. `stop` ends a run early. With `shared` each host simulates the same volume with all
/// procs, and counts the ops of procs that are EngineProc::here.
std::unique_ptr<LoadRunner> make_sim_runner(const VolumeModel& model, std::vector<SimProc> procs,
                                            std::vector<std::string> group_names, std::uint64_t seed,
                                            std::stop_token stop, SharedLoad* shared = nullptr);

}  // namespace edagen
