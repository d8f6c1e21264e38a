#include "cli/nightly_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/json_schema.hpp"
#include "base/words.hpp"
#include "cli/load_plan.hpp"
#include "cli/words_error.hpp"
#include "edagen/error.hpp"
#include "result/history_directory.hpp"

namespace edagen {
namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

std::string directory_of(const std::string& file) {
  return std::filesystem::absolute(file).parent_path().lexically_normal().string();
}

/// Relative paths are to the file's directory, so that it does not matter where a timer starts it.
std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(directory_of(file)) / path).lexically_normal().string();
}

LoadCommand parsed(const Words& words, LoadCommand::Kind kind, const std::string& file, const std::string& where) {
  CLI::App app;
  app.set_help_flag();
  LoadCommand command(kind);
  command.add_to(app);
  try {
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    throw usage_error(where, words_error(app, error));
  }
  const LoadOptions& load = command.load;
  if (load.has_outputs()) throw usage_error(where, "has an output option: results are kept in the history");
  if (load.dry_run) throw usage_error(where, "has --dry-run", "edagen nightly --dry-run");
  command.load.resolve_relative_to(directory_of(file));
  return command;
}

/// A volume, and nothing else: the load is that of the measurement.
LoadOptions volume_options(const Words& words, const std::string& file, const std::string& where) {
  CLI::App app;
  app.set_help_flag();
  LoadOptions volume;
  volume.add_volume_to(app);
  try {
    app.parse(Words(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    throw usage_error(where, words_error(app, error), "a reference has --mount or --target alone");
  }
  if (!volume.names_volume())
    throw usage_error(where, "names no volume", "--mount DIR, or --target with nfs://HOST/EXPORT or sim:NAME");
  volume.resolve_relative_to(directory_of(file));
  return volume;
}

VolumeNeeds needs_of(const json& body, const RunPlan& plan, const std::string& file, const std::string& where) {
  VolumeNeeds needs;
  for (const std::string& point : body.value("mount_points", Words()))
    needs.mount_points.push_back(beside(file, point));
  needs.fs = body.value("fs", "");
  if (!std::holds_alternative<MountDirectories>(plan.volume))
    throw usage_error(where, "is for volumes of --mount", "--mount DIR in run");
  return needs;
}

/// A share that is given in percent, if it is given.
template <class Share>
void take_percent(const json& body, const char* name, Share& share) {
  if (body.contains(name)) share = body[name].get<double>() / 100;
}

template <class Limits>
void take_limits(const json& body, Limits& limits) {
  take_percent(body, "max_regression_percent", limits.max_regression);
  take_percent(body, "max_tail_regression_percent", limits.max_tail_regression);
}

RunPlan plan_of(const LoadCommand& command, const Words& line, const std::string& where) {
  try {
    return command.plan(line);
  } catch (const Error& error) {
    throw usage_error(where, error.what());
  }
}

/// The load of `command` on each reference. `body`: the words of a volume, or a list of such words.
std::vector<RunPlan> references_of(const json& body, LoadCommand command, const Words& line, const std::string& file,
                                   const std::string& where) {
  const bool is_list = body.front().is_array();
  if (std::ranges::any_of(body, [&](const json& each) { return each.is_array() != is_list; }))
    throw usage_error(where, "mixes words and lists of words", R"([["--mount", "DIR"], ["--mount", "DIR"]])");
  std::vector<RunPlan> plans;
  std::vector<LoadOptions> volumes = {command.load};
  for (std::size_t i = 0; i < (is_list ? body.size() : 1); ++i) {
    const std::string at = is_list ? fmt::format("{}/{}", where, i) : where;
    const LoadOptions volume = volume_options(is_list ? body[i] : body, file, at);
    command.load.set_volume_of(volume);
    plans.push_back(plan_of(command, line, at));
    for (std::size_t other = 0; other < volumes.size() && !plans.back().model(); ++other)
      if (volumes[other].has_volume_of(volume))
        throw usage_error(at, other == 0 ? "is the volume that is measured" : "is there twice");
    volumes.push_back(volume);
  }
  return plans;
}

PlannedMeasurement measurement_of(const json& body, const Words& line, const std::string& file,
                                  const std::string& where) {
  PlannedMeasurement measurement;
  measurement.name = body.at("name");
  Words words = body.at("run");
  if (words.front() != "run" && words.front() != "curve")
    throw usage_error(where + "/run", fmt::format("begins with '{}', not 'run' or 'curve'", words.front()),
                      did_you_mean(words.front(), Words{"run", "curve"}));
  const auto kind = words.front() == "run" ? LoadCommand::Kind::run : LoadCommand::Kind::curve;
  words.erase(words.begin());
  LoadCommand command = parsed(words, kind, file, where + "/run");
  measurement.plan = plan_of(command, line, where + "/run");
  if (body.contains("require"))
    measurement.needs = needs_of(body["require"], measurement.plan, file, where + "/require");
  if (body.contains("reference"))
    measurement.references = references_of(body["reference"], command, line, file, where + "/reference");
  return measurement;
}

/// Whether the files of `other` may have the names of those of a reference of `one`: NAME-reference2-1.json.
bool has_reference_named(const PlannedMeasurement& one, const std::string& other) {
  for (std::size_t i = 1; i <= one.references.size(); ++i)
    if (other == one.name + "-reference" + (i > 1 ? std::to_string(i) : "")) return true;
  return false;
}

Gate gate_of(const json& body, const std::string& file) {
  Gate gate;
  take_percent(body, "false_alarms_percent", gate.false_alarms);
  take_limits(body, gate);
  gate.nights = body.value("nights", gate.nights);
  if (body.contains("since")) gate.since = night_time(body["since"].get<std::string>(), file + "#/since");
  gate.allowed = body.value("allow_differences", Words());
  for (const std::string& key : gate.allowed) check_difference_key(key, file + "#/allow_differences");
  for (const json& measurement : body.at("measurements"))
    take_limits(measurement, gate.of_measurements[measurement.at("name")]);
  std::erase_if(gate.of_measurements,
                [](const auto& each) { return !each.second.max_regression && !each.second.max_tail_regression; });
  return gate;
}

}  // namespace

NightPlan read_night_plan(const std::string& file, const std::vector<std::string>& command,
                          const VerdictOutputs& typed) {
  const json body = read_json_file(file);
  check_schema(body, "workloads/schema/nightly.schema.json", file);
  NightPlan plan;
  plan.directory = beside(file, body.at("history"));
  plan.inputs = {file};
  for (const char* const kept : {nights_file, night_lock}) plan.inputs.push_back(plan.directory + "/" + kept);
  plan.gate = gate_of(body, file);
  plan.max_runs = body.value("max_runs", plan.max_runs);
  if (body.contains("time_limit"))
    plan.time_limit = parse_duration(body["time_limit"].get<std::string>(), file + "#/time_limit");
  if (plan.time_limit < std::chrono::seconds(1)) throw usage_error(file + "#/time_limit", "is below 1 s");
  plan.keep_results = body.value("keep_results", plan.keep_results);
  if (body.contains("keep_results_bytes"))
    plan.keep_results_bytes = parse_bytes(body["keep_results_bytes"].get<std::string>(), file + "#/keep_results_bytes");
  plan.keep_nights = body.value("keep_nights", plan.keep_nights);
  if (plan.keep_nights < plan.gate.nights)
    throw usage_error(file + (body.contains("keep_nights") ? "#/keep_nights" : "#/nights"),
                      fmt::format("keeps {} nights, and {} are compared", plan.keep_nights, plan.gate.nights));
  plan.hook = {.command = body.value("hook", ""), .directory = directory_of(file)};
  VerdictOutputs outputs = typed;
  if (outputs.json.empty() && body.contains("json")) outputs.json = beside(file, body["json"]);
  if (outputs.junit.empty() && body.contains("junit")) outputs.junit = beside(file, body["junit"]);
  if (outputs.markdown.empty() && body.contains("markdown")) outputs.markdown = beside(file, body["markdown"]);
  plan.outputs = outputs.outputs();
  const json& measurements = body.at("measurements");
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const std::string where = fmt::format("{}#/measurements/{}", file, i);
    plan.measurements.push_back(measurement_of(measurements[i], command, file, where));
    for (std::size_t other = 0; other < i; ++other)
      if (plan.measurements[other].name == plan.measurements[i].name)
        throw usage_error(where + "/name", "is there twice");
    for (const PlannedMeasurement& one : plan.measurements)
      for (const PlannedMeasurement& other : plan.measurements)
        if (has_reference_named(one, other.name))
          throw usage_error(where + "/name",
                            fmt::format("'{}' is the name of the files of a reference of '{}'", other.name, one.name));
  }
  return plan;
}

}  // namespace edagen
