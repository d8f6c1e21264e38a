// compare: the same load on volumes, or on one export under several mount tunings, in interleaved repeats.
#include <fmt/format.h>

#include "base/definition_file.hpp"
#include "cli/carry_out.hpp"
#include "cli/commands.hpp"
#include "cli/curve_options.hpp"
#include "cli/option_checks.hpp"
#include "cli/series_options.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

struct CompareOptions {
  LoadOptions load;
  CurveOptions curve;
  std::vector<std::string> volumes;
  std::string exported, tunings = "eda", results;
  std::size_t repeats = 3;
  bool staleness = false;
  std::string staleness_duration = "5s";

  void add_to(CLI::App& app) {
    load.add_to(app);
    for (const char* const refused : {"--mount", "--target"}) app.get_option(refused)->group("");  // not in the help
    curve.add_to(app);
    const char* const group = "Compare";
    app.add_option("--volume", volumes,
                   "NAME=DIR or NAME=sim:MODEL (repeatable): a mounted or simulated volume to compare")
        ->transform(not_empty())
        ->group(group);
    app.add_option("--export", exported, "SERVER:/PATH to mount with each tuning in turn (needs root)")
        ->transform(not_empty())
        ->group(group);
    app.add_option("--tunings", tunings, "Mount tunings for --export: a file of them, or a built-in name")
        ->transform(not_empty())
        ->capture_default_str()
        ->group(group);
    app.add_option("--repeat", repeats, "Runs of each variant, interleaved: A B C, C B A, ...")
        ->transform(whole_number(1, 1000))
        ->capture_default_str()
        ->group(group);
    app.add_flag("--staleness", staleness,
                 "With --export: also measure how often and for how long each tuning shows stale data")
        ->group(group);
    app.add_option("--staleness-duration", staleness_duration, "Time of the staleness measurement of each tuning")
        ->transform(a_duration())
        ->capture_default_str()
        ->group(group);
    app.add_option("--results", results,
                   "Keep the result of each run in this directory; runs whose results are there are not repeated")
        ->transform(not_empty())
        ->group(group);
    exclude(app, "--rate", CurveOptions::names());
    exclude(app, "--volume", {"--export", "--tunings"});
    app.get_option("--staleness-duration")->needs(app.get_option("--staleness"));
  }

  /// Throws Error (usage).
  ComparisonPlan plan(const std::vector<std::string>& command) const;

 private:
  Variant variant(const std::vector<std::string>& command, const std::string& volume) const;
  std::vector<Variant> variants(const std::vector<std::string>& command) const;
  void add_measurement(RunPlan& plan) const;
  bool by_rate() const { return load.rate.empty(); }
};

/// Of NAME=DIR or NAME=sim:MODEL.
Variant CompareOptions::variant(const std::vector<std::string>& command, const std::string& volume) const {
  const auto equals = volume.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == volume.size())
    throw usage_error("--volume", fmt::format("'{}' is not NAME=DIR or NAME=sim:MODEL", volume));
  const std::string what = volume.substr(equals + 1);
  LoadOptions of_volume = load;
  (what.starts_with("sim:") ? of_volume.targets : of_volume.mounts) = {what};
  return {volume.substr(0, equals), what, of_volume.plan(command)};
}

std::vector<Variant> CompareOptions::variants(const std::vector<std::string>& command) const {
  std::vector<Variant> all;
  if (exported.empty()) {
    for (const std::string& volume : volumes) {
      all.push_back(variant(command, volume));
      for (std::size_t i = 0; i + 1 < all.size(); ++i)
        if (all[i].name == all.back().name)
          throw usage_error("--volume", fmt::format("'{}' is there twice", all[i].name));
    }
  } else {
    if (exported.find(":/") == std::string::npos || exported.starts_with('-'))
      throw usage_error("--export", fmt::format("'{}' is not SERVER:/PATH", exported));
    for (const Tuning& tuning : load_tunings(tunings)) {
      all.push_back({tuning.name, tuning.options, load.plan(command)});
      all.back().plan.volume = TunedExport{exported, tuning};
      if (DefinitionFolder::is_path(tunings)) all.back().plan.inputs.push_back(tunings);
    }
  }
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
  if (by_rate()) {
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
  if (!load.mounts.empty() || !load.targets.empty())
    throw usage_error("--mount", "does not go with compare", "--volume NAME=DIR");
  if (staleness && exported.empty())
    throw usage_error("--staleness", "needs --export", "edagen staleness looks at two mounts that are there");
  ComparisonPlan plan;
  plan.command = command;
  plan.variants = variants(command);
  plan.labels = plan.variants.front().plan.labels;
  plan.repeats = repeats;
  if (by_rate()) plan.at_latency_target = curve.first_target();
  plan.results_directory = results;
  const Nanos duration = parse_duration(staleness_duration, "--staleness-duration");
  if (staleness) plan.staleness = duration;
  plan.stuck_after = stuck_after_time(load.stuck_after);
  plan.outputs = load.comparison_outputs();
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
  command->callback([&line, options] {
    line.on_all_hosts = true;
    line.chosen = [&line, options] {
      if (line.hosts && !options->exported.empty())
        throw usage_error("--export", "is mounted by a run on one host alone",
                          "mount it on all hosts with each tuning and compare them by --volume NAME=DIR");
      return carry_out(options->plan(line.arguments), options->load, line.hosts);
    };
  });
}

}  // namespace edagen
