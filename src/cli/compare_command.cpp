// compare: the same load on volumes, or on one export under several mount tunings, in interleaved repeats.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "base/definition_file.hpp"
#include "cli/carry_out.hpp"
#include "cli/commands.hpp"
#include "cli/curve_options.hpp"
#include "cli/option_group.hpp"
#include "cli/series_options.hpp"
#include "compare/factor_design.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs/factor_tunings.hpp"
#include "nfs/mount_advice.hpp"
#include "nfs/mount_info.hpp"
#include "nfs/mount_options.hpp"
#include "nfs/tuning_checks.hpp"

namespace edagen {
namespace {

/// A volume to compare: --volume NAME=DIR or NAME=sim:MODEL.
struct NamedVolume {
  std::string name, what;
};

/// "vers=3,nocto; 18 sysctls; read-ahead 512 KiB"
std::string what_of(const Tuning& tuning) {
  std::string text = tuning.options;
  const bool are_recommended = tuning.sysctls == recommended_sysctls();
  if (!tuning.sysctls.empty())
    text += fmt::format("; {}{}", counted(tuning.sysctls.size(), "sysctl"),
                        are_recommended ? " of published EDA results" : "");
  if (tuning.read_ahead_kib) text += fmt::format("; read-ahead {} KiB", *tuning.read_ahead_kib);
  return text;
}

void check_export(const std::string& text) {
  const std::string server = export_server(text);
  if (is_nfs_url(text))
    throw usage_error("", fmt::format("'{}' is a URL, and mounts are of SERVER:/PATH", text),
                      "--volume NAME=nfs://HOST/EXPORT for clients of edagen's own");
  if (server.empty() || server == text || text.starts_with('-'))
    throw usage_error("", fmt::format("'{}' is not SERVER:/PATH", text));
  if (server.find(':') != std::string::npos && !(server.starts_with('[') && server.ends_with(']')))
    throw usage_error("", fmt::format("'{}' is not SERVER:/PATH", text), "an IPv6 address stands in brackets");
}

/// Where some tunings have nconnect, the others ask for one connection: without it a mount takes the connections that
/// another mount of the server has, and would be compared as if it had one.
void ask_for_one_connection(std::vector<Variant>& variants) {
  std::vector<Variant*> without;
  bool is_asked_for = false;
  for (Variant& variant : variants) {
    const auto* const tuned = std::get_if<TunedExport>(&variant.plan.volume);
    if (tuned == nullptr) continue;
    if (has_option(tuned->tuning.options, "nconnect")) is_asked_for = true;
    else without.push_back(&variant);
  }
  for (Variant* const variant : without) {
    if (!is_asked_for) return;
    Tuning& tuning = std::get<TunedExport>(variant->plan.volume).tuning;
    tuning.options += tuning.options.empty() ? "nconnect=1" : ",nconnect=1";
    variant->what = what_of(tuning);
  }
}

/// Threads and schedules begin anew with each slice.
constexpr Nanos shortest_slice = std::chrono::milliseconds(100);
/// When a comparison ends that has a precision or a time.
constexpr std::size_t most_repeats = 1000;

Nanos time_of(const std::string& text) {
  const Nanos time = parse_duration(text, "");
  if (time <= Nanos(0)) throw usage_error("", "must be above 0");
  return time;
}

SliceOptions slices_of(const std::string& text) {
  if (text == "off") return {};
  if (text == "auto") return {.use = SliceOptions::Use::where_possible};
  const Nanos length = parse_duration(text, "");
  if (length < shortest_slice) throw usage_error("", "is below " + format_duration(shortest_slice));
  return {.use = SliceOptions::Use::required, .length = length};
}

/// "2%" or "2".
double share_from(std::string text) {
  if (text.ends_with('%')) text.pop_back();
  if (const std::string error = percentage()(text); !error.empty()) throw usage_error("", error);
  const double share = std::stod(text) / 100;
  if (share <= 0) throw usage_error("", "must be above 0");
  return share;
}

/// "2ms"; "10ms p99 service" where another latency than the mean response is compared with the target.
std::string target_text(const CurveOptions& curve) {
  std::string text = curve.targets.text;
  if (curve.statistic.percentile > 0) text += " " + curve.statistic.name();
  if (curve.statistic.service) text += " service";
  return text;
}

struct CompareOptions {
  LoadOptions load;
  CurveOptions curve;
  std::vector<NamedVolume> volumes;
  std::string exported, tunings = "eda", base = "vers=3", results;
  std::vector<std::string> factors;
  std::size_t repeats = 3;
  SliceOptions slices{.use = SliceOptions::Use::where_possible};
  std::optional<double> until_share;
  std::optional<Nanos> max_time;
  bool staleness = false;
  Nanos staleness_duration = std::chrono::seconds(5);

  void add_to(CLI::App& app);
  /// Throws Error (usage).
  ComparisonPlan plan(const std::vector<std::string>& command) const;

 private:
  void add_volume(const std::string& text);
  void add_factor(const std::string& text);
  std::vector<Variant> combinations(const std::vector<std::string>& command) const;
  Variant variant(const std::vector<std::string>& command, const NamedVolume& volume) const;
  std::vector<Variant> variants(const std::vector<std::string>& command) const;
  void add_measurement(RunPlan& plan) const;
  /// Whether the rate at a latency target is compared, and not the latency at a rate.
  bool rate_is_searched() const { return !load.rate; }
};

void CompareOptions::add_to(CLI::App& app) {
  load.add_to(app);
  for (const char* const refused : {"--mount", "--target"}) app.get_option(refused)->group("");  // not in the help
  curve.add_to(app);
  OptionGroup group(app, "Compare");
  group.parsed_each(
      "--volume NAME=DIR", [this](const std::string& text) { add_volume(text); },
      "A volume to compare: a mounted one, an NFS export, NAME=nfs://HOST/EXPORT, or a simulated one, NAME=sim:MODEL "
      "(twice or more)");
  group.parsed(
      "--export SERVER:/PATH",
      [this](const std::string& text) {
        if (text.empty()) throw usage_error("", "is empty");
        check_export(text);
        exported = text;
      },
      "Export to mount with each tuning in turn (needs root)");
  group.text("--tunings NAME|FILE", tunings, "Mount tunings for --export: a file of them, or a built-in name");
  group.parsed_each(
      "--factor OPTIONS", [this](const std::string& text) { add_factor(text); },
      "With --export, in place of --tunings: mount options (nocto,actimeo=600), sysctls (those of published EDA "
      "results), or read_ahead_kib=N (repeatable). Their combinations are compared, which shows the effect of each "
      "factor and whether it depends on the others");
  auto* const base_option = group.text("--base OPTIONS", base, "With --factor: the mount options of all combinations");
  group.number("--repeat", repeats, whole_number(1, 1000),
               "Runs of each variant, interleaved: A B C, C B A; slices take the time of this many runs");
  group
      .parsed(
          "--slices auto|off|TIME", [this](const std::string& text) { slices = slices_of(text); },
          "auto: where all variants can be up at once, the load alternates between them in slices of seconds, whose "
          "length follows from the data; off: whole runs alternate; TIME: the length of a slice")
      ->default_str("auto");
  auto* const until = group.parsed(
      "--until PERCENT", [this](const std::string& text) { until_share = share_from(text); },
      "End when the half-width of the intervals of all ratios is at most this, as 2%");
  auto* const longest = group.parsed(
      "--max-time TIME", [this](const std::string& text) { max_time = time_of(text); },
      "End after this time of load at most; default: the time of --repeat, with --until an hour of slices");
  until->excludes(app.get_option("--repeat"));
  longest->excludes(app.get_option("--repeat"));
  auto* const with_staleness = group.flag(
      "--staleness", staleness, "With --export: also measure how often and for how long each tuning shows stale data");
  group
      .duration("--staleness-duration", staleness_duration, Nanos(0),
                "Time of the staleness measurement of each tuning")
      ->needs(with_staleness);
  group.text("--results DIR", results,
             "Keep the result of each run in this directory; runs whose results are there are not repeated");
  exclude(app, "--rate", CurveOptions::names());
  exclude(app, "--volume", {"--export", "--tunings"});
  exclude(app, "--factor", {"--volume", "--tunings"});
  base_option->needs(app.get_option("--factor"));
}

void CompareOptions::add_volume(const std::string& text) {
  if (text.empty()) throw usage_error("", "is empty");
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    throw usage_error("", fmt::format("'{}' is not NAME=DIR, NAME=nfs://HOST/EXPORT or NAME=sim:MODEL", text));
  volumes.push_back({text.substr(0, equals), text.substr(equals + 1)});
  if (is_nfs_url(volumes.back().what)) parse_nfs_url(volumes.back().what, "");
  if (std::ranges::count(volumes, volumes.back().name, &NamedVolume::name) > 1)
    throw usage_error("", fmt::format("'{}' is there twice", volumes.back().name));
}

void CompareOptions::add_factor(const std::string& text) {
  if (text.empty()) throw usage_error("", "is empty");
  if (std::ranges::find(factors, text) != factors.end())
    throw usage_error("", fmt::format("'{}' is there twice", text));
  if (factors.size() == most_factors) throw usage_error("", fmt::format("at most {} can be combined", most_factors));
  factors.push_back(text);
}

/// A variant for each combination of the factors that is measured.
std::vector<Variant> CompareOptions::combinations(const std::vector<std::string>& command) const {
  const std::vector<FactorLevels> all = factor_combinations(factors.size());
  const std::vector<Tuning> tuned = factor_tunings(base, factors, all);
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < all.size(); ++i) {
    variants.push_back({tuned[i].name, what_of(tuned[i]), load.plan(command)});
    variants.back().plan.volume = TunedExport{exported, tuned[i]};
    for (std::size_t factor = 0; factor < factors.size(); ++factor)
      if (is_in_force(all[i], factor)) variants.back().factors.push_back(factors[factor]);
  }
  return variants;
}

Variant CompareOptions::variant(const std::vector<std::string>& command, const NamedVolume& volume) const {
  LoadOptions of_volume = load;
  const bool is_target = volume.what.starts_with("sim:") || is_nfs_url(volume.what);
  if (!is_target || !of_volume.take_target(volume.what)) of_volume.mounts = {volume.what};
  return {volume.name, volume.what, of_volume.plan(command)};
}

std::vector<Variant> CompareOptions::variants(const std::vector<std::string>& command) const {
  std::vector<Variant> all;
  for (const NamedVolume& volume : volumes) all.push_back(variant(command, volume));
  std::vector<Tuning> tuned;
  if (!factors.empty()) all = combinations(command);
  else if (!exported.empty())
    for (const Tuning& tuning : load_tunings(tunings)) {
      if (const std::string same = same_tuning(tuning, tuned); !same.empty())
        spdlog::warn("'{}' and '{}' mount the same: their ratio shows how much the storage varies", same, tuning.name);
      tuned.push_back(tuning);
      all.push_back({tuning.name, what_of(tuning), load.plan(command)});
      all.back().plan.volume = TunedExport{exported, tuning};
      if (DefinitionFolder::is_path(tunings)) all.back().plan.inputs.push_back(tunings);
    }
  ask_for_one_connection(all);
  for (Variant& each : all) {
    add_measurement(each.plan);
    if (each.plan.procs_per_client != all.front().plan.procs_per_client)
      throw usage_error("--job-sets", "is needed to compare a simulated volume with a real one",
                        "without it, a client has 200 on the one and 1 on the other");
  }
  return all;
}

void CompareOptions::add_measurement(RunPlan& plan) const {
  curve.give_procs(load, plan);
  if (rate_is_searched()) {
    CurvePlan at_target = curve.curve(load, plan);
    if (at_target.targets.size() > 1)
      throw usage_error("--latency-target", "has several: a comparison is of the rates at one");
    plan.measurement = std::move(at_target);
  } else {
    plan.measurement = SeriesOptions().series(load, plan);
  }
}

ComparisonPlan CompareOptions::plan(const std::vector<std::string>& command) const {
  if (volumes.empty() == exported.empty())
    throw usage_error("compare", "needs either --volume (twice or more) or --export");
  if (load.names_volume())
    throw usage_error(load.mounts.empty() ? "--target" : "--mount", "does not go with compare", "--volume NAME=DIR");
  if (!factors.empty() && exported.empty()) throw usage_error("--factor", "needs --export SERVER:/PATH");
  if (staleness && exported.empty())
    throw usage_error("--staleness", "needs --export", "edagen staleness looks at two mounts that are there");
  ComparisonPlan plan;
  plan.command = command;
  plan.variants = variants(command);
  if (std::ranges::all_of(plan.variants, [](const Variant& each) { return each.plan.model() != nullptr; }))
    load.check_simulated();
  plan.factors = factors;
  plan.labels = plan.variants.front().plan.labels;
  plan.repeats = until_share || max_time ? most_repeats : repeats;
  plan.slices = slices;
  plan.until = until_share;
  plan.max_time = max_time;
  if (rate_is_searched()) plan.at_latency_target = target_text(curve);
  plan.results_directory = results;
  if (staleness) plan.staleness = staleness_duration;
  plan.stuck_after = load.base.stuck_after;
  plan.outputs = load.outputs<ComparisonResult>();
  plan.journal = load.journal_place();
  plan.written_meanwhile = load.live.places();
  return plan;
}

}  // namespace

void add_compare_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("compare", "Compare volumes, or mount tunings of one export, in interleaved runs");
  const auto options = std::make_shared<CompareOptions>();
  options->add_to(*command);
  const auto measure = [&line, options] {
    if (line.hosts && !options->exported.empty())
      throw usage_error("--export", "is mounted by a run on one host alone",
                        "mount it on all hosts with each tuning and compare them by --volume NAME=DIR");
    return carry_out(options->plan(line.arguments), options->load, line.hosts);
  };
  line.does(*command, measure, true);
}

}  // namespace edagen
