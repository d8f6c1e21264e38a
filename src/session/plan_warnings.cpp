#include "session/plan_warnings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "base/text_file.hpp"
#include "edagen/error.hpp"

namespace edagen {

std::string cache_warning(Bytes dataset, Bytes free_memory, const IoFigures& io, const std::string& what) {
  if (dataset == 0 || dataset >= free_memory || io.direct || io.drop_caches) return "";
  return fmt::format(
      "the {} ({} per host) fits in the free memory of this host and not all I/O is direct: reads may show the "
      "speed of this host's page cache, not of the storage; with a larger --dataset-scale or --direct they do not",
      what, format_bytes(dataset));
}

Bytes free_memory_of(const std::string& meminfo) {
  constexpr std::string_view name = "MemAvailable:";
  std::size_t at = meminfo.find(name);
  if (at == std::string::npos) return 0;
  at = meminfo.find_first_not_of(' ', at + name.size());
  Bytes kib = 0;
  if (at != std::string::npos) std::from_chars(meminfo.data() + at, meminfo.data() + meminfo.size(), kib);
  return kib * KiB;
}

Bytes free_memory() {
  try {
    return free_memory_of(read_text_file("/proc/meminfo", MiB));
  } catch (const Error&) {  // no /proc
    return 0;
  }
}

std::string mix_warning(const WorkloadSpec& workload, std::uint64_t procs_per_client) {
  const auto per_set = static_cast<std::uint64_t>(workload.procs_per_job_set());
  if (procs_per_client == 0 || procs_per_client % per_set == 0) return "";
  std::vector<double> rates(workload.proc_kinds.size(), 0);
  double all = 0;
  for (std::uint64_t proc = 0; proc < procs_per_client; ++proc) {
    const std::size_t kind = proc_kind_of(workload, proc);
    rates[kind] += workload.proc_kinds[kind].ops_per_sec;
    all += workload.proc_kinds[kind].ops_per_sec;
  }
  std::string missing, off;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const ProcSpec& kind = workload.proc_kinds[i];
    const double share = rates[i] / all,
                 own = kind.ops_per_sec * kind.procs_per_job_set / workload.ops_per_sec_per_job_set();
    if (rates[i] <= 0) missing += fmt::format("{}{} has no proc", missing.empty() ? "" : ", ", kind.name);
    else if (std::abs(share - own) > 0.05)
      off += fmt::format("{}{} makes {:.0f} % of the ops, not {:.0f} %", off.empty() ? "" : ", ", kind.name,
                         100 * share, 100 * own);
  }
  const std::string& wrong = missing.empty() ? off : missing;
  if (wrong.empty()) return "";
  return fmt::format("{}: {} per client {} of {}, so that the mix is not that of {}", wrong,
                     counted(procs_per_client, "proc"),
                     procs_per_client == 1 ? "is no whole job set" : "are no whole job sets", per_set, workload.name);
}

}  // namespace edagen
