#include "hosts/mpi_launch.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <filesystem>

#include "base/number.hpp"
#include "base/version.hpp"
#include "edagen/error.hpp"
#include "hosts/mpi_communicator.hpp"

namespace edagen {
namespace {

constexpr const char* open_mpi = "openmpi";
constexpr const char* mpich = "mpich";

std::optional<int> number(const Environment& environment, const char* name) {
  const std::optional<std::string> text = environment(name);
  const std::optional<int> value = text ? whole_number_of<int>(*text) : std::nullopt;
  return value >= 0 ? value : std::nullopt;
}

std::string module_file(const std::string& directory, const std::string& library) {
  return fmt::format("{}/edagen-mpi-{}.so", directory, library);
}

bool is_there(const std::string& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error);
}

}  // namespace

std::optional<std::string> environment_variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<MpiLaunch> mpi_launch(const Environment& environment) {
  // The size of the launch, not that of a batch allocation: a user who types edagen within an allocation of many tasks
  // wants it alone.
  const auto launched = [&](std::optional<int> size, std::optional<int> rank, const char* by,
                            std::vector<std::string> libraries) -> std::optional<MpiLaunch> {
    if (size.value_or(1) <= 1) return std::nullopt;
    return MpiLaunch{rank.value_or(0), *size, by, std::move(libraries)};
  };
  if (const auto size = number(environment, "OMPI_COMM_WORLD_SIZE"))
    return launched(size, number(environment, "OMPI_COMM_WORLD_RANK"), "mpirun of Open MPI", {open_mpi});
  const auto tasks = number(environment, "SLURM_STEP_NUM_TASKS"), task = number(environment, "SLURM_PROCID");
  if (const auto rank = number(environment, "PMIX_RANK")) {
    if (tasks) return launched(tasks, rank, "srun by PMIx", {open_mpi, mpich});
    return MpiLaunch{*rank, 0, "a launcher by PMIx", {open_mpi, mpich}};
  }
  if (const auto size = number(environment, "PMI_SIZE"))
    return launched(size, number(environment, "PMI_RANK"), tasks ? "srun by PMI" : "mpiexec of MPICH",
                    {mpich, open_mpi});
  if (tasks && task) return launched(tasks, task, "srun", {});
  return std::nullopt;
}

std::vector<std::string> mpi_module_directories() {
  char program[PATH_MAX + 1] = {};
  if (::readlink("/proc/self/exe", program, PATH_MAX) <= 0) return {};
  const std::filesystem::path directory = std::filesystem::path(program).parent_path();
  return {(directory / "edagen-modules").string(),
          (directory.parent_path() / EDAGEN_LIBRARY_DIRECTORY / "edagen").string()};
}

std::unique_ptr<Hosts> join_hosts() {
  const std::optional<MpiLaunch> launch = mpi_launch(environment_variable);
  if (!launch) return nullptr;
  const std::string module = mpi_module_for(*launch, mpi_module_directories());
  // A launcher that is gone ends nobody: the kernel does, also processes that are stopped. Rank 0 has results to write.
  ::prctl(PR_SET_PDEATHSIG, launch->rank == 0 ? SIGTERM : SIGKILL);
  char name[HOST_NAME_MAX + 1] = {};
  ::gethostname(name, sizeof name - 1);
  bool alone = false;
  const auto connect = [&]() -> std::unique_ptr<Communicator> {
    auto communicator = std::make_unique<MpiCommunicator>(module);
    if (communicator->size() == 1) communicator->finish(1);
    check_world(*launch, communicator->size());
    alone = communicator->size() == 1;
    if (alone) throw run_error("MPI", "there is nobody to connect to");
    return communicator;
  };
  try {
    return std::make_unique<Hosts>(connect,
                                   HostsOptions{.name = name, .version = std::string(program_version_and_commit)});
  } catch (const Error&) {
    if (!alone) throw;
    return nullptr;
  }
}

std::string mpi_module_for(const MpiLaunch& launch, const std::vector<std::string>& directories) {
  for (const std::string& library : launch.libraries)
    for (const std::string& directory : directories)
      if (std::string file = module_file(directory, library); is_there(file)) return file;
  const std::string what = fmt::format("started as one of {} processes by {}, which could not know of each other",
                                       launch.size > 0 ? std::to_string(launch.size) : "some", launch.by);
  if (launch.libraries.empty()) throw usage_error("MPI", what, "srun --mpi=pmix, or srun -n1 for a run alone");
  throw usage_error("MPI", what,
                    fmt::format("this edagen was built without {}: install its development package and rebuild; or "
                                "start one process",
                                fmt::join(launch.libraries, " and ")));
}

void check_world(const MpiLaunch& launch, int world) {
  const bool fits = launch.size > 0 ? world == launch.size : world > 1 || launch.rank == 0;
  if (fits) return;
  const std::string many = launch.size > 0 ? std::to_string(launch.size) : "many";
  throw usage_error(
      "MPI",
      fmt::format("started as one of {} processes by {}, but the MPI library sees {}: they would be {} separate runs",
                  many, launch.by, world, many),
      "launcher and library do not fit: start it by the mpirun of the library that edagen was built with, or srun "
      "--mpi=pmix");
}

}  // namespace edagen
