#include "session/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "edagen/error.hpp"
#include "session/run_header.hpp"

namespace edagen {
namespace {

std::string count(std::uint64_t value) { return format_count(static_cast<double>(value)); }

/// "1 proc", "2,000 procs"
std::string counted(std::uint64_t value, const char* what) {
  return fmt::format("{} {}{}", count(value), what, value == 1 ? "" : "s");
}

std::string times(const LoadPoint& load) {
  const std::string warmup = load.warmup > Nanos(0) ? format_duration(load.warmup) + " warm-up" : "no warm-up";
  return fmt::format("{}, {} measured", warmup, format_duration(load.duration));
}

std::string load_text(const LoadPoint& load) {
  const std::string rate = load.ops_per_sec ? fmt::format("{} ops/s, {} arrivals", format_count(*load.ops_per_sec),
                                                          load.arrivals == Arrivals::poisson ? "poisson" : "uniform")
                                            : "closed loop: each proc as fast as it goes";
  return fmt::format("{}; {}", rate, times(load));
}

std::string text_of(const CurvePlan& plan) {
  if (plan.points > 0)
    return fmt::format("{} load points up to {} ops/s; {} at each", plan.points, format_count(plan.max_rate),
                       times(plan.load));
  std::string targets;
  for (const Nanos target : plan.targets) targets += (targets.empty() ? "" : ", ") + format_duration(target);
  return fmt::format(
      "search for the op rate at {} {} {} to {:.3g} %, for {} at most; {} in the load point that demonstrates it",
      targets, plan.load.statistic.name(), plan.load.statistic.service ? "service" : "response", 100 * plan.precision,
      format_duration(plan.search_time), times(plan.load));
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
  std::string text = fmt::format("  dataset  {} files in {} directories, {}{}\n", count(totals.files),
                                 count(totals.directories), format_bytes(static_cast<Bytes>(totals.bytes)),
                                 dataset.scaled_down ? "; scaled down from the workload's own size" : "");
  for (std::size_t i = 0; i < dataset.kinds.size(); ++i) {
    const DatasetSpec& kind = dataset.kinds[i];
    text += fmt::format("           {}: {} x {} and {} empty files per proc\n",
                        one_line(plan.workload.proc_kinds[i].name), count(kind.data_files),
                        format_bytes(static_cast<Bytes>(kind.file_size.mean())), count(kind.empty_files));
  }
  return text;
}

}  // namespace

std::string measurement_text(const RunPlan& plan) {
  return std::visit([](const auto& measurement) { return text_of(measurement); }, plan.measurement);
}

std::string procs_text(const RunPlan& plan) {
  return fmt::format("{} x {}", counted(plan.clients, "client"), counted(plan.procs_per_client, "proc"));
}

std::string volume_text(const Volume& volume) {
  struct Text {
    std::string operator()(const FreshDirectory&) const { return "a fresh directory"; }
    std::string operator()(const MountDirectories& mounts) const {
      return fmt::format("{}", fmt::join(mounts.paths, ", "));
    }
    std::string operator()(const TunedExport& tuned) const { return tuned.tuning.options; }
    std::string operator()(const OwnTarget& own) const { return own.name; }
    std::string operator()(const VolumeModel& model) const { return "sim:" + model.name; }
  };
  return std::visit(Text{}, volume);
}

std::string plan_text(const RunPlan& plan, const RunSite& site) {
  const VolumeModel* const model = plan.model();
  const std::size_t mounts = site.mounts().size();
  const std::string where = model                   ? "a simulated volume"
                            : mounts == 0           ? volume_text(plan.volume)
                            : mounts > plan.clients ? fmt::format("{} of {} mounts", plan.clients, mounts)
                                                    : counted(mounts, "mount");
  std::string text = fmt::format("{}: {} on {}, seed {}\n", one_line(plan.workload.name), procs_text(plan),
                                 one_line(where), plan.seed);
  if (model)
    text += fmt::format("  volume   {} (simulated)  {}\n", one_line(model->name), one_line(model->description, 1000));
  for (const MountDirectory& mount : site.mounts())
    text += fmt::format("  mount    {}  {}{}{}\n", one_line(mount.path), mount.info.fstype,
                        mount.info.source == mount.info.fstype ? "" : " " + one_line(mount.info.source),
                        mount.info.is_nfs() ? "" : "  (not NFS)");
  text += dataset_text(plan, site.dataset());
  const IoFigures io = io_figures(plan, site);
  if (io.depth > 1 || io.direct || io.fsync != "none" || io.drop_caches)
    text +=
        fmt::format("  I/O      {}{}{}{}\n",
                    io.depth > 1 ? fmt::format("depth {} ({})", io.depth, io.engine) : std::string("one op at a time"),
                    io.direct ? ", O_DIRECT" : ", buffered", io.fsync != "none" ? ", fsync at " + io.fsync : "",
                    io.drop_caches ? ", caches dropped before" : "");
  return text + "  load     " + measurement_text(plan) + "\n";
}

}  // namespace edagen
