#include "session/alternation.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs/mount_info.hpp"

namespace edagen {
namespace {

/// A comparison that ends with a precision and has no time of its own.
constexpr Nanos longest_time = std::chrono::hours(1);

const LoadPoint* load_of(const Variant& variant) {
  const auto* const series = std::get_if<LoadSeries>(&variant.plan.measurement);
  return series ? &series->load : nullptr;
}

bool any_variant(const ComparisonPlan& plan, auto is) { return std::ranges::any_of(plan.variants, is); }

/// Why the loads themselves cannot alternate; empty: they can.
std::string obstacle_of_load(const ComparisonPlan& plan, bool several_hosts) {
  if (plan.at_latency_target) return "without --rate each run is a search, which is not cut into slices";
  if (several_hosts) return "several hosts make each load together";
  if (!plan.results_directory.empty()) return "--results keeps whole runs";
  if (any_variant(plan,
                  [](const Variant& variant) { return std::holds_alternative<TunedExport>(variant.plan.volume); }))
    return "tunings are mounted one after the other";
  if (any_variant(plan, [](const Variant& variant) { return !variant.plan.before_point.command.empty(); }))
    return "--before-point prepares each run";
  if (any_variant(plan, [](const Variant& variant) { return load_of(variant) && load_of(variant)->drop_caches; }))
    return "--drop-caches has each run begin with cold caches, which slices would warm";
  if (any_variant(plan, [](const Variant& variant) { return load_of(variant) && load_of(variant)->sync_after; }))
    return "--fsync end counts the flush after each run";
  const auto simulated =
      std::ranges::count_if(plan.variants, [](const Variant& variant) { return variant.plan.model(); });
  if (simulated > 0 && static_cast<std::size_t>(simulated) < plan.variants.size())
    return "a simulated volume has a time of its own";
  return "";
}

/// Where a variant works.
struct VariantPlace {
  std::string name;       ///< of the variant
  std::string directory;  ///< equal for the same directory, by whatever mount
  std::string volume;     ///< equal for one file system
  std::string server;     ///< of the kernel's NFS client; empty: none
};

std::vector<VariantPlace> variant_places(const Variant& variant) {
  std::vector<VariantPlace> places;
  if (const NfsExports* const exports = variant.plan.exports())
    for (const NfsUrl& url : exports->urls) places.push_back({variant.name, "nfs " + url.source(), "", ""});
  const auto* const mounts = std::get_if<MountDirectories>(&variant.plan.volume);
  for (const MountDirectory& mount : mounts ? check_mounts(mounts->paths) : std::vector<MountDirectory>()) {
    struct stat info {};
    const bool is_known = ::stat(mount.real.c_str(), &info) == 0;
    places.push_back({variant.name, is_known ? fmt::format("{} {}", mount.volume, info.st_ino) : mount.real,
                      mount.volume, mount.info.is_nfs() ? export_server(mount.info.source) : ""});
  }
  return places;
}

/// What variants have in common.
struct Shared {
  std::string directory;            ///< sentence about two that work in one; empty: none
  std::vector<std::string> others;  ///< sentences
};

Shared shared_places(const ComparisonPlan& plan) {
  Shared shared;
  std::map<std::string, VariantPlace> directories, volumes, servers;
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
        shared.directory = fmt::format("{} and {} work in one directory", name, place.name);
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

}  // namespace

Nanos sliced_time(const ComparisonPlan& plan) {
  if (plan.max_time) return *plan.max_time;
  if (plan.until) return longest_time;
  Nanos time{0};
  for (const Variant& variant : plan.variants)
    if (const LoadPoint* const load = load_of(variant))
      time += static_cast<Nanos::rep>(plan.repeats) * (load->warmup + load->duration);
  return time;
}

SlicePlan slice_plan(const ComparisonPlan& plan) {
  const LoadPoint& load = *load_of(plan.variants.front());
  return {.variants = plan.variants.size(),
          .ops_per_sec = load.requested_ops_per_sec().value_or(0),
          .warmup = load.warmup,
          .length = plan.slices.length,
          .until = plan.until,
          .max_time = sliced_time(plan),
          .seed = plan.variants.front().plan.seed};
}

AlternationFigures alternation_of(const ComparisonPlan& plan, bool several_hosts) {
  AlternationFigures alternation{.unit = Alternation::runs, .reason = "--slices off", .until = plan.until};
  if (plan.slices.use == SliceOptions::Use::off) return alternation;
  Shared shared;
  alternation.reason = obstacle_of_load(plan, several_hosts);
  if (alternation.reason.empty()) {
    shared = shared_places(plan);
    alternation.reason = shared.directory;
  }
  const bool is_required = plan.slices.use == SliceOptions::Use::required;
  if (alternation.reason.empty() && !is_required && sliced_time(plan) < slice_plan(plan).shortest_time())
    alternation.reason = fmt::format("{} are too short for slices, which need {}", format_duration(sliced_time(plan)),
                                     format_duration(slice_plan(plan).shortest_time()));
  if (alternation.reason.empty()) {
    alternation.unit = Alternation::slices;
    alternation.reason = "all variants can be up at once";
    alternation.shared = std::move(shared.others);
  } else if (is_required) {
    throw usage_error("--slices", "is not possible: " + alternation.reason,
                      "--slices auto or off alternates whole runs");
  }
  return alternation;
}

}  // namespace edagen
