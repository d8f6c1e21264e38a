// Whether this process was started as one of many, by what, and the module of the MPI library that fits.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hosts/hosts.hpp"

namespace edagen {

/// The value of a variable of the environment; nullopt: not set.
using Environment = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> environment_variable(const char* name);

struct MpiLaunch {
  int rank = 0;
  int size = 1;                        ///< 0: the launcher does not say; the library does
  std::string by;                      ///< for messages
  std::vector<std::string> libraries;  ///< names of modules, the best first; empty: none fits
};

/// nullopt: started alone, which a process is, too, that was started within an allocation of many tasks, but not as one
/// of its tasks.
std::optional<MpiLaunch> mpi_launch(const Environment& environment);

/// Where modules may be: beside the program that runs, as built and as installed.
std::vector<std::string> mpi_module_directories();

/// With all processes that were started together; nullptr: started alone. Throws Error (usage) when the library or its
/// launcher do not fit.
std::unique_ptr<Hosts> join_hosts();

/// The module for a launch, by its path. Throws Error (usage) when there is none.
std::string mpi_module_for(const MpiLaunch& launch, const std::vector<std::string>& directories);

/// Throws Error (usage) when `world` is not what was launched: then there are as many separate runs as processes. When
/// the size is not known, only a world of one with a rank above 0 is a sign of that.
void check_world(const MpiLaunch& launch, int world);

}  // namespace edagen
