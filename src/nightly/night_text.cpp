#include "nightly/night_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/rfc3339.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nights/history_file.hpp"
#include "nights/references.hpp"
#include "report/number_text.hpp"
#include "session/plan_text.hpp"
#include "session/session_watch.hpp"

namespace edagen {
namespace {

std::time_t seconds_of(const std::string& time) { return parse_rfc3339(time).value_or(0); }

/// What is kept there, and how long the last night took that was measured to its end.
std::string kept_text(const std::string& directory) {
  std::error_code ignored;
  if (!std::filesystem::exists(directory, ignored)) return directory + ", which is new";
  const OwnDirectory own(directory);
  if (!std::filesystem::exists(directory + "/" + nights_file, ignored)) return directory + ", which is new";
  const History history = read_own_history(own);
  std::string text = directory + ", " + counted(history.nights.size(), "night");
  const auto last = std::find_if(history.nights.rbegin(), history.nights.rend(), [](const Night& night) {
    return night.status == Status::complete && night.finished_at;
  });
  if (last != history.nights.rend())
    text += ", the last one took " +
            format_duration(std::chrono::seconds(seconds_of(*last->finished_at) - seconds_of(last->started_at)));
  return text;
}

std::string times_text(const NightPlan& plan) {
  Nanos once{0};
  for (const RunPlan& each : plans_of(plan)) once += each.model() ? Nanos(0) : longest_load_time(each);
  if (once == Nanos(0)) return "simulated, in a moment";
  const Nanos all = std::min(static_cast<Nanos::rep>(plan.max_runs) * once, plan.time_limit);
  return fmt::format(
      "{} for a run of each at most, {} with all runs, and the time that new datasets take; ends after {}",
      format_duration(std::min(once, plan.time_limit)), format_duration(all), format_duration(plan.time_limit));
}

std::string limits_text(const Gate& gate) {
  return fmt::format("{}, {} of p99", percent_text(gate.max_regression), percent_text(gate.max_tail_regression));
}

std::string gate_text(const NightPlan& plan) {
  const Gate& gate = plan.gate;
  std::string text = fmt::format("limits {}; false alarms {} of nights; the last {} nights count", limits_text(gate),
                                 percent_text(gate.false_alarms), gate.nights);
  if (!gate.since.empty()) text += ", since " + gate.since;
  if (!gate.allowed.empty()) text += fmt::format("; may differ: {}", fmt::join(gate.allowed, ", "));
  return text;
}

std::string needs_text(const VolumeNeeds& needs) {
  std::string text;
  for (const std::string& point : needs.mount_points) text += (text.empty() ? "" : ", ") + point + " mounted";
  if (!needs.fs.empty()) text += (text.empty() ? "" : ", ") + needs.fs;
  return text;
}

std::string line(const char* name, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<8} {}\n", name, one_line(text, 2000));
}

}  // namespace

std::string night_text(const NightPlan& plan, const EventSink& emit) {
  {
    SessionWatch watch(emit);
    check_night_places(plan, watch, false);
  }
  Session session(emit, {});
  std::string text = fmt::format("night: {}, up to {} of each\n", counted(plan.measurements.size(), "measurement"),
                                 counted(plan.max_runs, "run"));
  text += line("history", kept_text(plan.directory)) + line("time", times_text(plan)) + line("gate", gate_text(plan));
  for (const Output<NightJudgement>& output : plan.outputs)
    text += line("output", fmt::format("{} {}", output.place.name, output.place.path));
  text += line("hook", plan.hook.command);
  for (const PlannedMeasurement& planned : plan.measurements) {
    text += fmt::format("\n{}\n", planned.name);
    text += line("requires", needs_text(planned.needs));
    if (plan.gate.of_measurements.contains(planned.name))
      text += line("limits", limits_text(plan.gate.of(planned.name)));
    text += session.describe(planned.plan);
    for (std::size_t i = 0; i < planned.references.size(); ++i)
      text += fmt::format("{} ({})\n{}", planned.name, volume_role(i + 1), session.describe(planned.references[i]));
  }
  return text;
}

}  // namespace edagen
