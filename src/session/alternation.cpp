#include "session/alternation.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs/mount_info.hpp"
#include "nfs/mount_options.hpp"
#include "nfs_dataset/open_export.hpp"
#include "session/host_agreement.hpp"
#include "session/plan_text.hpp"
#include "session/repeats_end.hpp"

namespace edagen {
namespace {

/// A comparison that ends with a precision and has no time of its own.
constexpr Nanos longest_time = std::chrono::hours(1);

const LoadPoint& load_of(const Variant& variant) {
  return std::visit([](const auto& measurement) -> const LoadPoint& { return measurement.load; },
                    variant.plan.measurement);
}

const CurvePlan* curve_of(const Variant& variant) { return std::get_if<CurvePlan>(&variant.plan.measurement); }

bool any_variant(const ComparisonPlan& plan, auto is) { return std::ranges::any_of(plan.variants, is); }

/// Why the loads themselves cannot alternate; empty: they can.
std::string obstacle_of_load(const ComparisonPlan& plan, bool several_hosts) {
  if (any_variant(plan, [](const Variant& each) { return curve_of(each) && !curve_of(each)->is_search(); }))
    return "--points has fixed load points";
  if (any_variant(plan, [](const Variant& each) { return curve_of(each) && curve_of(each)->job_sets > 0; }))
    return "--scale-by job-sets adds whole job sets, between which no rate is measured";
  if (several_hosts) return "several hosts make each load together";
  if (!plan.results_directory.empty()) return "--results keeps whole runs";
  if (any_variant(plan,
                  [](const Variant& variant) { return std::holds_alternative<TunedExport>(variant.plan.volume); }))
    return "tunings are mounted one after the other";
  if (any_variant(plan, [](const Variant& variant) { return !variant.plan.before_point.command.empty(); }))
    return "--before-point prepares each run";
  if (any_variant(plan, [](const Variant& variant) { return load_of(variant).drop_caches; }))
    return "--drop-caches has each run begin with cold caches, which slices would warm";
  if (any_variant(plan, [](const Variant& variant) { return load_of(variant).sync_after; }))
    return "--fsync end counts the flush after each run";
  const auto simulated =
      std::ranges::count_if(plan.variants, [](const Variant& variant) { return variant.plan.model(); });
  if (simulated > 0 && static_cast<std::size_t>(simulated) < plan.variants.size())
    return "a simulated volume has a time of its own";
  return "";
}

/// Simulated volumes without a clock in common: their searches go on at once.
bool searches_without_common_disturbance(const ComparisonPlan& plan) {
  return plan.at_latency_target && !any_variant(plan, [](const Variant& variant) {
           return !variant.plan.model() || variant.plan.model()->clock;
         });
}

/// Where a variant works.
struct VariantPlace {
  std::string name;                          ///< of the variant
  std::string directory;                     ///< equal for the same directory, by whatever mount
  std::string volume;                        ///< equal for one file system
  std::string server;                        ///< of the kernel's NFS client; empty: none
  std::optional<std::uint64_t> number = {};  ///< of the directory on its NFS server
  std::string fsid = {};                     ///< of its file system by NFSv3; empty: not known
};

bool is_version_3(const MountInfo& mount) {
  return mount.is_nfs() && option_value(mount.options, "vers").value_or("").starts_with("3");
}

std::vector<VariantPlace> variant_places(const Variant& variant) {
  std::vector<VariantPlace> places;
  if (const NfsExports* const exports = variant.plan.exports())
    for (const NfsUrl& url : exports->urls) {
      const NfsExport opened = open_export(url);
      places.push_back({variant.name, "nfs " + url.source(), "", "", opened.mounted.attributes.file_id,
                        fmt::format("NFS file system {}:0", opened.volume())});
    }
  const auto* const mounts = std::get_if<MountDirectories>(&variant.plan.volume);
  for (const MountDirectory& mount : mounts ? mounts_on_host(*mounts, nullptr) : std::vector<MountDirectory>()) {
    struct stat info {};
    const bool is_known = ::stat(mount.real.c_str(), &info) == 0;
    places.push_back({variant.name, is_known ? fmt::format("{} {}", mount.volume, info.st_ino) : mount.real,
                      mount.volume, mount.info.is_nfs() ? export_server(mount.info.source) : ""});
    if (is_known && mount.info.is_nfs()) places.back().number = info.st_ino;
    if (is_version_3(mount.info) && mount.volume.starts_with("NFS file system ")) places.back().fsid = mount.volume;
  }
  return places;
}

/// Whether two places on NFS, of which one is nfs:// or both are, are one directory: a mount and a URL, or URLs by two
/// addresses of a server, have no name in common. Directories of two servers may have one number, and whole runs
/// alternate then, too, where their file systems cannot be distinguished.
bool may_be_one_directory(const VariantPlace& one, const VariantPlace& other) {
  const bool are_two_volumes = !one.fsid.empty() && !other.fsid.empty() && one.fsid != other.fsid;
  const bool is_one_url = one.server.empty() || other.server.empty();
  return one.name != other.name && one.number && one.number == other.number && is_one_url && !are_two_volumes;
}

/// What variants have in common.
struct Shared {
  std::string directory;            ///< sentence about two that work in one; empty: none
  std::vector<std::string> others;  ///< sentences
};

Shared shared_places(const ComparisonPlan& plan) {
  Shared shared;
  std::map<std::string, VariantPlace> directories, volumes, servers;
  std::vector<VariantPlace> earlier;
  const auto other = [](std::map<std::string, VariantPlace>& known, const std::string& key, const VariantPlace& place) {
    const auto [found, is_new] = known.emplace(key, place);
    return !key.empty() && !is_new && found->second.name != place.name ? found->second.name : "";
  };
  const auto add = [&](std::string sentence) {
    if (std::ranges::find(shared.others, sentence) == shared.others.end()) shared.others.push_back(std::move(sentence));
  };
  for (const Variant& variant : plan.variants)
    for (const VariantPlace& place : variant_places(variant)) {
      if (const std::string name = other(directories, place.directory, place); !name.empty())
        shared.directory = fmt::format("{} and {} {} in one directory", name, place.name,
                                       is_volume_by_path(place.volume) ? "seem to work" : "work");
      for (const VariantPlace& one : earlier)
        if (may_be_one_directory(one, place))
          shared.directory = fmt::format("{} and {} seem to work in one directory", one.name, place.name);
      earlier.push_back(place);
      const std::string on_volume = other(volumes, place.volume, place),
                        on_server = other(servers, place.server, place);
      if (!on_volume.empty())
        add(
            fmt::format("{} and {} are on one file system, which may still write what one has left while the other is "
                        "measured",
                        on_volume, place.name));
      if (!on_server.empty())
        add(fmt::format("{} and {} may share the connections to {}, unless they are mounted by different addresses",
                        on_server, place.name, place.server));
    }
  return shared;
}

/// What the curves after the slices take; 0: they would take more than a quarter of --max-time, and are left out.
Nanos shape_time(const ComparisonPlan& plan) {
  constexpr Nanos::rep least_times_longer = 4;
  Nanos time{0};
  for (const Variant& variant : plan.variants)
    if (const CurvePlan* const search = curve_of(variant)) time += search->shape ? search->shape->time() : Nanos(0);
  return plan.max_time && least_times_longer * time > *plan.max_time ? Nanos(0) : time;
}

Nanos time_of_slices(const ComparisonPlan& plan) {
  if (plan.max_time) return *plan.max_time - shape_time(plan);
  return plan.until ? longest_time : static_cast<Nanos::rep>(plan.repeats) * time_of_first_repeat(plan);
}

/// Throws Error (usage) when the first run of each variant is known to take longer than all may.
void check_time_of_runs(const ComparisonPlan& plan, const std::string& why_no_slices) {
  if (!has_time_for_runs(plan, Nanos(0)))
    throw usage_error("--max-time", fmt::format("is shorter than one whole run of each variant, which take {} ({})",
                                                format_duration(time_of_first_repeat(plan)), why_no_slices));
}

}  // namespace

Nanos sliced_time(const ComparisonPlan& plan) { return time_of_slices(plan) + shape_time(plan); }

SlicePlan slice_plan(const ComparisonPlan& plan) {
  const LoadPoint& load = load_of(plan.variants.front());
  std::vector<const CurvePlan*> searches;
  for (const Variant& variant : plan.variants)
    if (const CurvePlan* const search = curve_of(variant)) searches.push_back(search);
  return {.variants = plan.variants.size(),
          .ops_per_sec = searches.empty() ? load.requested_ops_per_sec().value_or(0) : 0,
          .searches = std::move(searches),
          .warmup = load.warmup,
          .length = plan.slices.length,
          .until = plan.until,
          .max_time = time_of_slices(plan),
          .shape = shape_time(plan) > Nanos(0),
          .seed = plan.variants.front().plan.seed};
}

std::string comparison_head(const ComparisonPlan& plan, const AlternationFigures& alternation) {
  const bool is_sliced = alternation.unit == Alternation::slices, ends_by_data = plan.until || plan.max_time;
  const bool is_simulated = !any_variant(plan, [](const Variant& each) { return !each.plan.model(); });
  const std::string by = plan.at_latency_target ? "the rate at " + *plan.at_latency_target : "latency";
  const std::string slices = plan.slices.length ? "slices of " + format_duration(*plan.slices.length) : "slices";
  std::string text =
      fmt::format("comparison: {} x {}, interleaved, by {}{}\n", counted(plan.variants.size(), "variant"),
                  is_sliced ? slices : (ends_by_data ? "up to " : "") + counted(plan.repeats, "repeat"), by,
                  is_simulated ? "; simulated" : "");
  if (plan.slices.use != SliceOptions::Use::off)
    text += fmt::format("  {} alternate: {}\n", is_sliced ? "slices" : "whole runs", alternation.reason);
  for (const std::string& shared : alternation.shared) text += fmt::format("  shared   {}\n", one_line(shared, 1000));
  const Nanos load = is_sliced ? sliced_time(plan) : time_of_runs(plan);
  const Nanos staleness = plan.staleness.value_or(Nanos(0)) * static_cast<Nanos::rep>(plan.variants.size());
  const Nanos longest = is_sliced ? load : longest_time_of_runs(plan);
  return text + "  time     in all " + at_most_text(load + staleness) +
         longer_time_text(load + staleness, longest + staleness) +
         (is_simulated ? of_virtual_time : ", and what the datasets take\n");
}

AlternationFigures alternation_of(const ComparisonPlan& plan, bool several_hosts) {
  AlternationFigures alternation{.unit = Alternation::runs, .reason = "--slices off", .until = plan.until};
  Shared shared;
  if (plan.slices.use != SliceOptions::Use::off) alternation.reason = obstacle_of_load(plan, several_hosts);
  if (alternation.reason.empty()) {
    shared = shared_places(plan);
    alternation.reason = shared.directory;
  }
  const bool is_required = plan.slices.use == SliceOptions::Use::required;
  if (alternation.reason.empty() && !is_required && searches_without_common_disturbance(plan))
    alternation.reason = "searches on simulated volumes have no disturbance in common";
  if (alternation.reason.empty() && !is_required && time_of_slices(plan) < slice_plan(plan).shortest_time())
    alternation.reason =
        fmt::format("{} are too short for slices, which need {}", format_duration(time_of_slices(plan)),
                    format_duration(slice_plan(plan).shortest_time()));
  if (alternation.reason.empty() && is_required && time_of_slices(plan) < slice_plan(plan).least_time())
    alternation.reason =
        fmt::format("one block of slices and the loads before it take {}, and the time is {}",
                    format_duration(slice_plan(plan).least_time()), format_duration(time_of_slices(plan)));
  if (alternation.reason.empty()) {
    alternation.unit = Alternation::slices;
    alternation.reason = "all variants can be up at once";
    alternation.shared = std::move(shared.others);
  } else if (is_required) {
    throw usage_error("--slices", "is not possible: " + alternation.reason,
                      "--slices auto or off alternates whole runs");
  }
  if (alternation.unit == Alternation::runs) check_time_of_runs(plan, alternation.reason);
  return alternation;
}

}  // namespace edagen
