// check: a result against earlier ones, or a night against those before.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/part_difference.hpp"
#include "base/user_command.hpp"
#include "base/words.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/gate_options.hpp"
#include "cli/option_group.hpp"
#include "cli/signals.hpp"
#include "cli/terminal_lines.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "nightly/hook.hpp"
#include "nights/comparable.hpp"
#include "nights/history.hpp"
#include "nights/history_file.hpp"
#include "nights/judge.hpp"
#include "report/judgement_text.hpp"
#include "result/result_file.hpp"
#include "session/outputs.hpp"
#include "session/session_watch.hpp"

namespace edagen {
namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::string history, measurement, hook;
  GateOptions gate;
  VerdictOutputs outputs;
};

/// What is judged, against what, and how.
struct Question {
  Gate gate;
  std::vector<Night> history;
  Night tonight;
  std::vector<MeasurementFailure> failures;  ///< of tonight
  std::vector<std::string> invalid_runs;     ///< as of NightJudgement
  std::vector<std::string> notes;            ///< about what leaves nothing to compare
  bool nothing = false;                      ///< the file that is judged has no figure
};

/// Adds to `question` what leaves nothing to compare.
Night night_of_file(const std::string& file, Question& question) {
  const Result result = read_result(file);
  Night night = night_of(result, "", file);
  if (result.load_points.empty()) throw usage_error(file, "has measured nothing");
  const NightRun& run = night.measurements[0].runs[0];
  if (run.figures.empty() && run.invalid.empty()) question.notes.push_back(file + " has no figure to compare");
  return night;
}

std::string allow_hint(const std::set<std::string>& keys) {
  return fmt::format("{} compares them all the same",
                     "--allow-difference " + shell_word(fmt::format("{}", fmt::join(keys, ","))));
}

/// As of a simulated volume with the same seed: what is measured again must vary, or any later difference would seem
/// certain.
bool same_figures(const NightRun& one, const NightRun& other) {
  const auto measured = [](const NightFigure& figure) { return figure.value.has_value(); };
  return std::ranges::any_of(one.figures, measured) &&
         std::ranges::equal(one.figures, other.figures, [](const NightFigure& a, const NightFigure& b) {
           return a.name == b.name && a.value == b.value;
         });
}

/// The question about files: each is a night, in the order given, whatever their dates are.
Question of_files(const std::vector<std::string>& files, const Gate& gate) {
  if (files.size() < 2) throw usage_error("check", "needs BASELINE... CURRENT, or --history DIR");
  Question question;
  question.gate = gate;
  Night all;  // which has each reason that several files have once
  std::vector<NightRun> runs;
  for (std::size_t i = 0; i < files.size(); ++i) {
    Night night = night_of_file(files[i], question);
    all.measurements.push_back(night.measurements[0]);
    runs.push_back(night.measurements[0].runs[0]);
    for (std::size_t other = 0; other < i; ++other) {
      if (same_run(runs[other], runs[i])) throw usage_error(files[i], "is the same run as " + files[other]);
      if (same_figures(runs[other], runs[i]))
        throw usage_error(files[i],
                          fmt::format("has exactly the figures of {}: a simulation of the same seed, which does not "
                                      "show how runs vary",
                                      files[other]),
                          "another --seed for each run of a simulated volume");
    }
    if (!gate.since.empty() && night.started_at < gate.since && i + 1 < files.size()) continue;
    night.started_at = fmt::format("{:06}", i);
    if (i + 1 < files.size()) question.history.push_back(std::move(night));
    else question.tonight = std::move(night);
  }
  question.gate.since.clear();  // the files before it are left out by now
  question.invalid_runs = invalid_notes(all);
  question.nothing = !has_figures(question.tonight.measurements[0]);
  const NightMeasurement& current = question.tonight.measurements[0];
  for (const Night& night : question.history) {
    const NightMeasurement& before = night.measurements[0];
    if (const std::string differs = difference_in_words(before, current, gate.allowed); !differs.empty())
      throw usage_error(
          before.runs[0].file,
          fmt::format("is not comparable with {}: {}", one_line(files.back(), 60), difference_for_error(differs)),
          allow_hint(differing_keys(before, current, gate.allowed)));
  }
  return question;
}

void check_measurement(const std::string& name, const History& history) {
  std::set<std::string> names;
  for (const Night& night : history.nights)
    for (const NightMeasurement& measurement : night.measurements) names.insert(measurement.name);
  if (names.contains(name)) return;
  const std::string near = did_you_mean(name, names);
  throw usage_error("--measurement", fmt::format("the history has no '{}'", name),
                    near.empty() ? fmt::format("known: {}", fmt::join(names, ", ")) : near);
}

/// Which measurement of the history a result is one more of.
std::string measurement_name(const Night& current, const History& history, const CheckOptions& options,
                             const Gate& gate) {
  if (!options.measurement.empty()) return check_measurement(options.measurement, history), options.measurement;
  std::vector<std::string> names;
  std::string differs;
  std::set<std::string> keys;
  for (const Night& night : history.nights)
    for (const NightMeasurement& measurement : night.measurements) {
      if (measurement.comparable.empty()) continue;  // a measurement that failed
      differs = difference_in_words(measurement.comparable, current.measurements[0].comparable, gate.allowed);
      keys = differing_keys(measurement, current.measurements[0], gate.allowed);
      if (differs.empty() && std::ranges::find(names, measurement.name) == names.end())
        names.push_back(measurement.name);
    }
  if (names.empty() && keys.empty()) throw usage_error(options.history, "has no night that was measured");
  if (names.empty())
    throw usage_error(options.files[0], "is comparable with nothing in the history: " + difference_for_error(differs),
                      allow_hint(keys));
  if (names.size() > 1) throw usage_error("--measurement", "is needed: the history has several like this result");
  return names.front();
}

/// A result of the history's own counts once.
void leave_out(const NightRun& run, std::vector<Night>& nights, const std::string& file) {
  for (Night& night : nights)
    for (NightMeasurement& measurement : night.measurements)
      if (std::erase_if(measurement.runs, [&](const NightRun& known) { return same_run(known, run); }) > 0)
        spdlog::warn("{}: is a run of the night of {}: it is left out there", one_line(file),
                     one_line(night.started_at));
}

/// The question about a history: its last night against those before, or a result against all. Both are judged as the
/// last night was, so that `nightly` and `check` agree, unless options were typed.
Question of_history(const CheckOptions& options) {
  if (options.files.empty() && !options.measurement.empty())
    throw usage_error("--measurement", "names the measurement of FILE, and no FILE is given");
  History history = read_history(options.history);
  if (options.files.size() > 1) throw usage_error("check", "takes one result with --history");
  if (history.nights.empty()) throw usage_error(options.history, "has no nights yet");
  if (options.files.empty() && history.broken_end)
    throw usage_error(options.history, "has a broken last line: the last night is not known",
                      "give its result as FILE");
  if (const std::string words = left_out_in_words(history); !words.empty())
    spdlog::warn("{}: {}", one_line(options.history), words);
  Question question;
  question.gate = options.gate.over(last_gate(history.nights));
  if (options.files.empty()) {
    question.tonight = history.nights.back();
    history.nights.pop_back();
    if (question.tonight.judgement) question.failures = question.tonight.judgement->failures;
    question.invalid_runs = invalid_notes(question.tonight);
    if (question.tonight.status == Status::incomplete)
      question.notes.push_back("the night of " + question.tonight.started_at + " did not end");
  } else {
    question.tonight = night_of_file(options.files[0], question);
    question.invalid_runs = invalid_notes(question.tonight);
    question.tonight.measurements[0].name = measurement_name(question.tonight, history, options, question.gate);
    leave_out(question.tonight.measurements[0].runs[0], history.nights, options.files[0]);
    question.nothing = !has_figures(question.tonight.measurements[0]);
    question.tonight.started_at = "9999";  // also a result that is older than the last nights
  }
  question.history = std::move(history.nights);
  return question;
}

/// Nothing to compare with at all, because everything is another measurement.
void refuse_if_not_comparable(const NightJudgement& judgement, const Question& question) {
  const Gate& gate = question.gate;
  if (std::ranges::any_of(judgement.figures, [](const FigureVerdict& figure) { return figure.nights > 0; })) return;
  std::set<std::string> keys;
  std::string differs;
  for (const Night& night : question.history)
    for (const NightMeasurement& now : question.tonight.measurements) {
      const NightMeasurement* const before = measurement_named(night, now.name);
      if (night.started_at < gate.since || before == nullptr) continue;
      if (before->comparable.empty() || now.comparable.empty()) continue;  // a measurement that failed
      keys.merge(differing_keys(*before, now, gate.allowed));
      if (const std::string text = difference_in_words(*before, now, gate.allowed); !text.empty()) differs = text;
    }
  if (!keys.empty())
    throw usage_error("check", "no night before is comparable: " + difference_for_error(differs), allow_hint(keys));
}

/// A result without figures is not compared with the history.
NightJudgement judgement_of(const Question& question) {
  if (question.nothing) return judge({}, Night{}, question.gate);
  NightJudgement judgement = judge(question.history, question.tonight, question.gate);
  if (question.failures.empty()) refuse_if_not_comparable(judgement, question);
  return judgement;
}

int check(const CheckOptions& options) {
  Console console({}, options.outputs.stdout_taken());
  SessionWatch watch(console.sink());
  Question question;
  {
    StuckWatch::Thread self(watch);
    self.call_started("reading",
                      options.history.empty() ? options.files.empty() ? "" : options.files.front() : options.history);
    question = options.history.empty() ? of_files(options.files, options.gate.over({})) : of_history(options);
  }
  NightJudgement judgement = judgement_of(question);
  judgement.invalid_runs = question.invalid_runs;
  std::ranges::copy(question.notes, std::back_inserter(judgement.notes));
  if (options.gate.since) judgement.since = *options.gate.since;  // also of files
  add_failures(judgement, question.failures);
  const auto outputs = options.outputs.outputs();
  std::vector<std::string> inputs = options.files;
  if (!options.history.empty())
    for (const std::string& history : {options.history, options.history + "/" + nights_file}) inputs.push_back(history);
  check_places(places_of(outputs, std::nullopt), inputs, {}, watch);
  const bool all_written = write_outputs(outputs, judgement, watch);
  print_text(judgement_text(judgement), options.outputs.stdout_taken());
  if (!options.hook.empty()) {
    const SignalWatch signals(kill_user_command);
    run_hook({.command = options.hook}, judgement, signals.token());
  }
  const int status = exit_status_of(judgement);
  return all_written || status == exit_status::regression ? status : exit_status::run_failed;  // as of nightly
}

}  // namespace

void add_check_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "check", "The gate: a result against earlier ones (BASELINE... CURRENT), or a night against a history");
  const auto options = std::make_shared<CheckOptions>();
  OptionGroup group(*command);
  group.texts("FILE", options->files, "Results or journals: the last one is judged, those before it are the history");
  auto* const history =
      group.text("--history DIR|FILE", options->history,
                 "Nights that edagen nightly has kept: its directory, or the file of their lines in it. "
                 "Without FILE the last of them is judged. Options that are not given are as in the last night");
  group.text("--measurement NAME", options->measurement, "With --history and FILE: which measurement FILE is of")
      ->needs(history);
  options->gate.add_to(*command);
  options->outputs.add_to(*command);
  OptionGroup(*command, "Output")
      .text("--hook COMMAND", options->hook,
            "Run this command by sh with the verdict in EDAGEN_VERDICT, EDAGEN_SUMMARY and EDAGEN_MARKDOWN and as JSON "
            "on its stdin");
  line.does(*command, [options] { return check(*options); });
}

}  // namespace edagen
