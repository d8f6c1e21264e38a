#include "session/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "load/measurement.hpp"
#include "session/nfs_site.hpp"
#include "session/plan_warnings.hpp"
#include "session/run_header.hpp"

namespace edagen {
namespace {

std::string count(std::uint64_t value) { return format_count(static_cast<double>(value)); }

bool is_in_slices(const RunPlan& plan) { return plan.plans_at_once > 1; }

using TimeOfPoint = Nanos (*)(const LoadPoint&);

Nanos time_of_point(const LoadPoint& load) { return load.warmup + load.duration; }

/// The demonstration of a search is longer only within the search's time.
Nanos time_of(const CurvePlan& plan, TimeOfPoint of_point) {
  if (!plan.is_search()) return of_point(plan.load) * static_cast<Nanos::rep>(plan.rates.size());
  return (plan.search_time + time_of_point(plan.load)) * static_cast<Nanos::rep>(plan.targets.size()) +
         (plan.shape ? plan.shape->time() : Nanos(0));
}

Nanos time_of(const LoadSeries& series, TimeOfPoint of_point) {
  return of_point(series.load) * static_cast<Nanos::rep>(series.values.size() * series.repeats);
}

Nanos time_of(const RunPlan& plan, TimeOfPoint of_point) {
  return std::visit([of_point](const auto& measurement) { return time_of(measurement, of_point); }, plan.measurement);
}

/// A closed loop of several kinds of procs of which some have no rate: what they do is as fast as their ops end.
bool has_free_kinds(const RunPlan& plan) {
  const auto* const series = std::get_if<LoadSeries>(&plan.measurement);
  return series != nullptr && !series->load.open_loop() && plan.workload.closed_loop() &&
         plan.workload.proc_kinds.size() > 1;
}

/// "" where nothing reads or writes, or where it shows only in the load how much.
std::string reads_text(const RunPlan& plan) {
  if (has_free_kinds(plan)) return "";
  const WorkloadSpec& workload = plan.workload;
  using enum OpKind;
  const OpWeights shares = workload.op_shares();
  const auto sum = [&](std::initializer_list<OpKind> kinds) {
    double total = 0;
    for (const OpKind kind : kinds) total += shares[static_cast<std::size_t>(kind)];
    return total;
  };
  const double reads = sum({read_file, read_seq, read_rand, mmap_read}),
               writes = sum({write_file, write_seq, write_rand, write_append, mmap_write});
  return reads + writes > 0 ? fmt::format("; {:.0f} % of reads and writes are reads", 100 * reads / (reads + writes))
                            : "";
}

std::string times(const LoadPoint& load) {
  const std::string warmup = load.warmup > Nanos(0) ? format_duration(load.warmup) + " warm-up" : "no warm-up";
  return fmt::format("{}, {} measured", warmup, format_duration(load.duration));
}

std::string load_text(const LoadPoint& load, bool in_slices) {
  const OpenLoop* const open = load.open_loop();
  const std::string rate = open ? fmt::format("{} ops/s, {} arrivals", format_count(open->ops_per_sec),
                                              open->arrivals == Arrivals::poisson ? "poisson" : "uniform")
                                : "closed loop: each proc as fast as it goes";
  return fmt::format("{}; {}", rate, in_slices ? "in slices" : times(load));
}

/// Searches in slices share one clock, end together, and demonstrate nothing.
std::string text_of(const CurvePlan& plan, bool in_slices) {
  if (!plan.is_search())
    return fmt::format("{} load points of {} to {} ops/s; {} at each", plan.rates.size(),
                       format_count(plan.rates.front()), format_count(plan.rates.back()), times(plan.load));
  std::string targets;
  for (const Nanos target : plan.targets) targets += (targets.empty() ? "" : ", ") + format_duration(target);
  std::string search = fmt::format("search{} for the op rate at {} {} {}", in_slices ? " in slices" : "", targets,
                                   plan.load.statistic.name(), plan.load.statistic.service ? "service" : "response");
  if (in_slices) return search;
  return fmt::format("{} to {:.3g} %, for {} at most; {} in the load point that demonstrates it", search,
                     100 * plan.precision, format_duration(plan.search_time), times(plan.load));
}

std::string text_of(const LoadSeries& series, bool in_slices) {
  std::string text = load_text(series.at(series.values.front()), in_slices);
  if (series.swept != Swept::nothing) {
    text += fmt::format("; {}", to_string(series.swept));
    for (const double value : series.values) text += fmt::format(" {:g}", value);
  }
  return text + (series.repeats > 1 ? fmt::format("; {} repeats", series.repeats) : "");
}

/// How the numbers of files of a kind came from the workload's; empty where they are the workload's.
std::string scale_text(const DatasetSpec& own, const DatasetSpec& scaled, double factor) {
  if (factor == 1) return "";
  const auto is_least = [factor](std::uint64_t files, std::uint64_t own_files) {
    return static_cast<double>(files) > factor * static_cast<double>(own_files) + 0.5;
  };
  const bool data = is_least(scaled.data_files, own.data_files), empty = is_least(scaled.empty_files, own.empty_files);
  if ((data && (empty || own.empty_files == 0)) || (empty && own.data_files == 0))
    return ", the least numbers that the workload can have";
  return fmt::format(", {:.2g} times the workload's own numbers{}", factor,
                     data    ? ", and the least number of files with data"
                     : empty ? ", and the least number of empty files"
                             : "");
}

std::string dataset_text(const RunPlan& plan, const DatasetPlan& dataset) {
  const DatasetTotals totals = dataset.totals();
  std::string text = fmt::format("  dataset  {} in {}, {}\n", counted(totals.files, "file"),
                                 totals.directories == 1 ? "1 directory" : count(totals.directories) + " directories",
                                 format_bytes(static_cast<Bytes>(totals.bytes)));
  for (std::size_t i = 0; i < dataset.kinds.size(); ++i) {
    const DatasetSpec& kind = dataset.kinds[i];
    const std::string name = one_line(plan.workload.proc_kinds[i].name);
    const auto proc = std::ranges::find(dataset.procs, i, &PlannedProc::kind);
    if (proc == dataset.procs.end()) {
      text += fmt::format("           {}: no proc\n", name);
      continue;
    }
    const std::uint64_t sharers = proc->files.place().sharers;
    text +=
        fmt::format("           {}: {} x {}{} and {} empty files per proc{}\n", name, count(kind.data_files),
                    format_bytes(static_cast<Bytes>(kind.file_size.mean())),
                    sharers > 1 ? fmt::format(" that {} procs share,", count(sharers)) : "", count(kind.empty_files),
                    scale_text(plan.workload.proc_kinds[i].dataset, kind, dataset.factors[i]));
  }
  return text;
}

/// "4", or of a sweep the range: "1 to 4".
std::string depth_range(const RunPlan& plan, const ProcSpec& kind) {
  const auto* const series = std::get_if<LoadSeries>(&plan.measurement);
  const bool is_swept = series && series->swept == Swept::io_depth && series->values.size() > 1 && kind.queueable();
  return fmt::format("{}{}", is_swept ? fmt::format("{:g} to ", std::ranges::min(series->values)) : "", kind.io.depth);
}

/// What each kind of procs does, "buffered"; where kinds differ with their names: "O_DIRECT of a, b and buffered of c".
template <class Setting>
std::string of_kinds(const WorkloadSpec& workload, Setting setting) {
  std::vector<std::pair<std::string, std::vector<std::string>>> settings;  // with the kinds that have each
  for (const ProcSpec& kind : workload.proc_kinds) {
    const std::string of_kind = setting(kind);
    auto found = std::ranges::find(settings, of_kind, &decltype(settings)::value_type::first);
    if (found == settings.end()) found = settings.insert(found, {of_kind, {}});
    found->second.push_back(one_line(kind.name));
  }
  if (settings.size() == 1) return settings.front().first;
  std::string text;
  for (const auto& [of_kind, names] : settings)
    text += fmt::format("{}{} of {}", text.empty() ? "" : " and ", of_kind, fmt::join(names, ", "));
  return text;
}

std::string io_text(const RunPlan& plan, const WorkloadSpec& workload, const IoFigures& io, bool by_rpcs) {
  if (io.depth == 1 && !io.direct && io.fsync == "none" && !io.drop_caches && !by_rpcs) return "";
  const auto depth = [&](const ProcSpec& kind) { return depth_range(plan, kind); };
  const auto caches = [](const ProcSpec& kind) { return std::string(kind.io.direct ? "O_DIRECT" : "buffered"); };
  const auto flush = [](const ProcSpec& kind) {
    return kind.io.fsync == FsyncWhen::none ? "no fsync" : fmt::format("fsync at {}", to_string(kind.io.fsync));
  };
  return fmt::format(
      "  I/O      {}, {}{}{}\n",
      io.depth > 1 ? fmt::format("depth {} ({})", of_kinds(workload, depth), io.engine) : "one op at a time",
      by_rpcs ? "by RPCs of edagen's own NFS clients, which cache no data" : of_kinds(workload, caches),
      io.fsync != "none" ? ", " + of_kinds(workload, flush) : "",
      io.drop_caches && !by_rpcs ? ", caches dropped before" : "");
}

Nanos interval_of(const RunPlan& plan) {
  return std::visit([](const auto& measurement) { return measurement.load.interval; }, plan.measurement);
}

/// A search may end earlier; a demonstration that fails may make it later.
std::string time_text(const RunPlan& plan) {
  const auto* const curve = std::get_if<CurvePlan>(&plan.measurement);
  const Nanos time = expected_time(plan);
  return curve && curve->is_search() ? at_most_text(time)
                                     : format_duration(time) + longer_time_text(time, longest_load_time(plan));
}

}  // namespace

std::string beside_measurement_text(const RunPlan& plan, bool in_last_run_only) {
  std::string text;
  const auto* const curve = std::get_if<CurvePlan>(&plan.measurement);
  if (curve && curve->is_search() && curve->shape)
    text +=
        fmt::format("  shape    {} load points after the {}, to {:.3g} times the rate at the target; about {}{}\n",
                    curve->shape->points + curve->shape->points_beyond, is_in_slices(plan) ? "slices" : "answer",
                    1 + static_cast<double>(curve->shape->points_beyond) / static_cast<double>(curve->shape->points),
                    format_duration(curve->shape->time()), in_last_run_only ? ", in the last run only" : "");
  if (!plan.before_point.command.empty())
    text += fmt::format("  before   each load point: {}\n", one_line(plan.before_point.command));
  return text;
}

std::string measurement_text(const RunPlan& plan) {
  return std::visit([&](const auto& measurement) { return text_of(measurement, is_in_slices(plan)); },
                    plan.measurement);
}

Nanos expected_time(const RunPlan& plan) { return time_of(plan, time_of_point); }

Nanos longest_load_time(const RunPlan& plan) {
  return time_of(plan, [](const LoadPoint& load) { return longest_load_time(load); });
}

std::string longer_time_text(Nanos expected, Nanos longest) {
  return longest > expected ? fmt::format(" (up to {} where the latency still trends)", format_duration(longest)) : "";
}

void set_intervals(RunPlan& plan) {
  const Nanos time = expected_time(plan);
  std::visit(
      [&](auto& measurement) {
        LoadPoint& load = measurement.load;
        load.interval =
            std::clamp<Nanos>(load.duration / intervals_of_a_short_window, shortest_interval, std::chrono::seconds(1));
        load.interval *= 1 + time / max_intervals_per_result / load.interval;
      },
      plan.measurement);
}

std::string lines_that_differ(const std::string& text, const std::string& other) {
  std::string lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (("\n" + other).find("\n" + line) == std::string::npos) lines += line;
    at = end;
  }
  return lines;
}

std::string at_most_text(Nanos time) {
  namespace chrono = std::chrono;  // a room compiled as one file has a function seconds()
  const Nanos rounded = time <= chrono::minutes(2) ? Nanos(chrono::ceil<chrono::seconds>(time))
                        : time <= chrono::hours(2) ? Nanos(chrono::ceil<chrono::minutes>(time))
                                                   : time;
  return "up to about " + format_duration(rounded);
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
    std::string operator()(const NfsExports& exports) const {
      std::vector<std::string> urls;
      for (const NfsUrl& url : exports.urls) urls.push_back(url.text);
      return fmt::format("{}", fmt::join(urls, ", "));
    }
    std::string operator()(const TunedExport& tuned) const { return tuned.tuning.options; }
    std::string operator()(const OwnTarget& own) const { return own.name; }
    std::string operator()(const VolumeModel& model) const { return "sim:" + model.name; }
  };
  return std::visit(Text{}, volume);
}

/// Names the kinds of procs that keep their rates beside kinds without a rate; empty when there are none.
std::string kept_rates_text(const RunPlan& plan) {
  if (!has_free_kinds(plan)) return "";
  std::vector<std::string> names;
  for (const ProcSpec& kind : plan.workload.proc_kinds)
    if (!kind.closed_loop) names.push_back(one_line(kind.name));
  return names.empty() ? "" : fmt::format("; procs of {} keep their rates", fmt::join(names, ", "));
}

std::string plan_head(const RunPlan& plan, const std::string& where) {
  const std::string warning = mix_warning(plan.workload, plan.procs_per_client);
  return fmt::format("{}: {} on {}, seed {}\n{}", one_line(plan.workload.name), procs_text(plan), one_line(where),
                     plan.seed, warning.empty() ? "" : "  warning  " + one_line(warning, 1000) + "\n");
}

std::string variant_plan_text(const RunPlan& plan, const RunSite& site, const RunPlan* last_run) {
  const VolumeModel* const model = plan.model();
  const NfsSite* const exports = site.exports();
  const std::size_t mounts = exports ? exports->exports().size() : site.mounts().size();
  const std::string_view what = exports ? "export" : "mount";
  const std::string where = model                   ? "a simulated volume"
                            : mounts == 0           ? volume_text(plan.volume)
                            : mounts > plan.clients ? fmt::format("{} of {} {}s", plan.clients, mounts, what)
                                                    : counted(mounts, what);
  std::string text = plan_head(plan, where);
  if (model)
    text += fmt::format("  volume   {} (simulated)  {}\n", one_line(model->name), one_line(model->description, 1000));
  for (const MountDirectory& mount : site.mounts())
    text += fmt::format("  mount    {}  {}{}{}\n", one_line(mount.path), one_line(mount.info.fstype),
                        mount.info.source == mount.info.fstype ? "" : " " + one_line(mount.info.source),
                        mount.info.is_nfs() ? "" : "  (not NFS)");
  if (exports) text += exports->plan_text();
  text += dataset_text(plan, site.dataset());
  text += io_text(plan, site.workload(), io_figures(plan, site), exports != nullptr);
  text += "  load     " + measurement_text(plan) + reads_text(plan) + kept_rates_text(plan) + "\n" +
          beside_measurement_text(last_run ? *last_run : plan, last_run != nullptr);
  if (const Nanos interval = interval_of(plan); interval > std::chrono::seconds(1))
    text += fmt::format("  interval {} instead of 1 s: a result holds {} intervals at most\n",
                        format_duration(interval), format_count(max_intervals_per_result));
  if (const std::string warning = cache_warning(plan, site); !warning.empty()) text += "  memory   " + warning + "\n";
  return text;
}

std::string plan_text(const RunPlan& plan, const RunSite& site) {
  return variant_plan_text(plan, site, nullptr) + "  time     " + time_text(plan) +
         (plan.model() ? of_virtual_time : ", and what the dataset takes\n");
}

}  // namespace edagen
