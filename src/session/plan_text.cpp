#include "session/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "session/run_header.hpp"

namespace edagen {
namespace {

std::string count(std::uint64_t value) { return format_count(static_cast<double>(value)); }

std::string times(const LoadPoint& load) {
  return fmt::format("{} warm-up, {} measured", format_duration(load.warmup), format_duration(load.duration));
}

std::string load_text(const LoadPoint& load) {
  const std::string rate = load.ops_per_sec
                               ? fmt::format("{} ops/s, {} arrivals", format_count(*load.ops_per_sec),
                                             load.arrivals == Arrivals::poisson ? "poisson" : "uniform")
                               : "unpaced: each proc as fast as it goes";
  return fmt::format("{}; {}", rate, times(load));
}

std::string text_of(const CurvePlan& plan) {
  const std::string what = plan.points > 0 ? fmt::format("{} load points up to {} ops/s", plan.points, format_count(plan.max_rate))
                                           : std::string("search for the rate at the latency target");
  return fmt::format("{}; {} at a full point", what, times(plan.load));
}

std::string text_of(const LoadSeries& series) {
  std::string text = load_text(series.at(series.values.front()));
  if (series.swept != Swept::nothing) {
    text += fmt::format("; {}", to_string(series.swept));
    for (const double value : series.values) text += fmt::format(" {:g}", value);
  }
  return text + (series.repeats > 1 ? fmt::format("; {} repeats", series.repeats) : "");
}

std::string dataset_text(const RunPlan& plan, const DatasetPlan& dataset) {
  const DatasetTotals totals = dataset.totals();
  std::string text = fmt::format("  dataset  {} files in {} directories, {}{}\n", count(totals.files), count(totals.directories),
                                 format_bytes(static_cast<Bytes>(totals.bytes)),
                                 dataset.scaled_down ? "; scaled down from the workload's own size" : "");
  for (std::size_t i = 0; i < dataset.kinds.size(); ++i) {
    const DatasetSpec& kind = dataset.kinds[i];
    text += fmt::format("           {}: {} x {} and {} empty files per proc\n", plan.workload.proc_kinds[i].name,
                        count(kind.data_files), format_bytes(static_cast<Bytes>(kind.file_size.mean())), count(kind.empty_files));
  }
  return text;
}

}  // namespace

std::string measurement_text(const RunPlan& plan) {
  return std::visit([](const auto& measurement) { return text_of(measurement); }, plan.measurement);
}

std::string volume_text(const Volume& volume) {
  struct Text {
    std::string operator()(const FreshDirectory&) const { return "a fresh directory"; }
    std::string operator()(const MountDirectories& mounts) const { return fmt::format("{}", fmt::join(mounts.paths, ", ")); }
    std::string operator()(const TunedExport& tuned) const { return tuned.tuning.options; }
    std::string operator()(const OwnTarget& own) const { return own.name; }
    std::string operator()(const VolumeModel& model) const { return "sim:" + model.name; }
  };
  return std::visit(Text{}, volume);
}

std::string plan_text(const RunPlan& plan, const RunSite& site) {
  const VolumeModel* const model = plan.model();
  const std::size_t mounts = site.mounts().size();
  const std::string where = model         ? "a modelled volume"
                            : mounts == 0 ? volume_text(plan.volume)
                                          : fmt::format("{} {}", mounts, mounts == 1 ? "mount" : "mounts");
  std::string text = fmt::format("{}: {} clients x {} procs on {}, seed {}\n", plan.workload.name, plan.clients,
                                 plan.procs_per_client, where, plan.seed);
  if (model) text += fmt::format("  volume   {} (simulated)  {}\n", model->name, model->description);
  for (const MountDirectory& mount : site.mounts())
    text += fmt::format("  mount    {}  {} {}{}\n", mount.path, mount.info.fstype, mount.info.source,
                        mount.info.is_nfs() ? "" : "  (not NFS)");
  text += dataset_text(plan, site.dataset());
  const IoFigures io = io_figures(plan, site);
  if (io.depth > 1 || io.direct || io.fsync != "none" || io.drop_caches)
    text += fmt::format("  I/O      {}{}{}{}\n",
                        io.depth > 1 ? fmt::format("depth {} ({})", io.depth, io.engine) : std::string("one op at a time"),
                        io.direct ? ", O_DIRECT" : ", buffered", io.fsync != "none" ? ", fsync at " + io.fsync : "",
                        io.drop_caches ? ", caches dropped before" : "");
  return text + "  load     " + measurement_text(plan) + "\n";
}

}  // namespace edagen
