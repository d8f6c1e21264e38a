#include "nightly/night_runner.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "base/rfc3339.hpp"
#include "base/version.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nightly/hook.hpp"
#include "nightly/night_store.hpp"
#include "nights/comparable.hpp"
#include "nights/figures.hpp"
#include "nights/history.hpp"
#include "nights/judge.hpp"
#include "nights/references.hpp"
#include "report/html.hpp"
#include "report/judgement_text.hpp"
#include "result/result_json.hpp"
#include "session/measured.hpp"
#include "session/outputs.hpp"
#include "session/plan_identity.hpp"
#include "session/session_watch.hpp"

namespace edagen {
namespace {

/// Asks to stop when it is asked to, and when the time is over.
class TimeLimit {
 public:
  TimeLimit(const std::stop_token& outer, Nanos limit)
      : outer_(outer, [this] { source_.request_stop(); }),
        ends_(now() + limit),
        clock_([this](const std::stop_token& own) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any over;
          if (!over.wait_until(lock, own, ends_, [&] { return own.stop_requested(); })) source_.request_stop();
        }) {}
  std::stop_token token() const { return source_.get_token(); }
  Nanos left() const { return ends_ - now(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> outer_;
  TimePoint ends_;
  std::jthread clock_;
};

/// The place of a measurement's own plan in plans_of(); those of its references follow.
std::size_t plan_number(const NightPlan& plan, std::size_t measurement) {
  std::size_t number = measurement;
  for (std::size_t i = 0; i < measurement; ++i) number += plan.measurements[i].references.size();
  return number;
}

class NightRunner {
 public:
  NightRunner(const NightPlan& plan, const EventSink& emit, const std::stop_token& stop, const TellNight& tell,
              Hosts* hosts)
      : plan_(plan),
        emit_(emit),
        tell_(tell),
        watch_(sink(), plan.measurements.front().plan.stuck_after),
        store_(plan),
        outer_(stop),
        limit_(stop, plan.time_limit),
        session_(sink(), limit_.token(), plan.measurements.front().plan.stuck_after, hosts) {
    watch_.end_with(limit_.token());
    Night& night = outcome_.night;
    night.started_at = store_.tonight();
    night.edagen_version = std::string(program_version);
    night.host = this_host().name;
    night.kernel = this_host().kernel;
    for (const PlannedMeasurement& planned : plan.measurements)
      night.measurements.push_back({planned.name, {}, {}, {}});
  }

  NightOutcome run() {
    std::vector<std::size_t> wanted(plan_.measurements.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = i;
    for (std::size_t run = 1; !wanted.empty(); ++run) {
      for (const std::size_t at : wanted)
        if (may_go_on()) measure(at, run);
      judgement_ = judge(store_.nights(), outcome_.night, plan_.gate);
      wanted = in_doubt(run);
      if (!may_go_on()) break;
      for (const std::size_t at : wanted) spdlog::info("{}: in doubt, measuring again", plan_.measurements[at].name);
    }
    finish();
    return std::move(outcome_);
  }

 private:
  /// All is emitted, and a call that is abandoned ends the night.
  EventSink sink() {
    return [this](const Event& event) {
      if (const auto* const abandoned = std::get_if<CallAbandoned>(&event)) abandon(*abandoned);
      emit_(event);
    };
  }
  /// Ops never returned. Not asked of a session that hangs itself.
  bool stuck() const { return hanging_.empty() && session_.stuck(); }
  bool may_go_on() const { return !limit_.token().stop_requested() && !stuck(); }

  /// A call that may hang, without the lock, so that abandon() can end the night meanwhile.
  template <class Call>
  auto that_may_hang(const Call& call) {
    struct LockedAfter {
      std::unique_lock<std::mutex>& lock;
      ~LockedAfter() { lock.lock(); }
    };
    found_.unlock();
    const LockedAfter after{found_};
    return call();
  }

  /// A call on the history, whose volume may hang.
  template <class Call>
  auto on_history(const Call& call) {
    return that_may_hang([&] {
      StuckWatch::Thread self(watch_);
      self.call_started("writing to", plan_.directory);
      return call();
    });
  }

  /// With time left for as long as the last run of it took.
  std::vector<std::size_t> in_doubt(std::size_t runs) const {
    std::vector<std::size_t> wanted;
    for (std::size_t at = 0; at < plan_.measurements.size(); ++at) {
      NightJudgement of_measurement = judgement_;
      std::erase_if(of_measurement.figures,
                    [&](const FigureVerdict& figure) { return figure.measurement != plan_.measurements[at].name; });
      const auto took = took_.find(at);
      if (took == took_.end() || failed_.contains(at)) continue;
      const auto with_figures = std::ranges::count_if(outcome_.night.measurements[at].runs, [](const NightRun& run) {
        return !run.reference && !run.figures.empty();
      });
      if (!needs_another_run(of_measurement, runs, plan_.max_runs, static_cast<std::size_t>(with_figures))) continue;
      if (took->second < limit_.left()) wanted.push_back(at);
      else spdlog::warn("{}: there is no time to measure it again", plan_.measurements[at].name);
    }
    return wanted;
  }

  /// The volume and its references, in every other run in reverse, so that drift cancels.
  void measure(std::size_t at, std::size_t run) {
    const PlannedMeasurement& planned = plan_.measurements[at];
    measuring_ = at;
    const TimePoint began = now();
    try {
      const std::size_t last = planned.references.size();
      for (std::size_t i = 0; i <= last; ++i)
        if (const std::size_t reference = run % 2 == 0 ? last - i : i; may_go_on())
          measure(at, reference == 0 ? planned.plan : planned.references[reference - 1], reference, run);
      took_[at] = now() - began;
    } catch (const Error& error) {
      spdlog::error("{}: {}", planned.name, error.what());
      failed_[at] = error.what();
    }
  }

  /// `reference`: its number; 0: the volume itself.
  void measure(std::size_t at, const RunPlan& planned, std::size_t reference, std::size_t run) {
    const std::string& name = plan_.measurements[at].name;
    that_may_hang([&] { check_needs(plan_.measurements[at].needs, planned, watch_); });
    RunPlan plan = planned;
    if (plan.on_volume_of_user()) plan.reuse_dataset = true;
    if (reference > 0 || run > 1) plan.leave_out_shape();  // one curve of each night; of the others the ratio counts
    if (plan.model()) vary_seed(plan, run, reference);
    const NightStore::RunFiles files = on_history([&] { return store_.begin_run(name, reference, run); });
    plan.journal = Place{"journal", files.path + ".jsonl", files.folder};
    plan.outputs = {
        {{"result", files.path + ".json", files.folder}, json_text<Result>, true},
        {{"report", files.path + ".html", files.folder}, [](const Result& result) { return html_text({result}); }}};
    spdlog::info("{}{}, run {}", name, reference > 0 ? fmt::format(" ({})", volume_role(reference)) : "", run);
    Result result = that_may_hang([&] { return session_.run(plan, plan_number(plan_, at) + reference); });
    if (plan.model()) result.plan = plan_identity(planned, {});
    if (!result.load_points.empty()) on_history([&] { store_.remove_journal(files); });
    if (result.status != Status::complete) {
      failed_[at] = (reference > 0 ? volume_role(reference) + ": " : "") + why_not_complete(result);
      return;
    }
    NightMeasurement& measurement = outcome_.night.measurements[at];
    if (reference > 1) measurement.further_references.resize(plan_.measurements[at].references.size() - 1);
    (reference == 0   ? measurement.comparable
     : reference == 1 ? measurement.reference_comparable
                      : measurement.further_references[reference - 2]) = comparable_parts(result);
    measurement.runs.push_back({result.started_at, files.name + ".json", reference > 0, result.status,
                                figures_of(result), invalid_reasons(result), std::max<std::size_t>(reference, 1),
                                bound_causes(result)});
  }

  std::string why_not_complete(const Result& result) const {
    if (stuck()) return "ops never returned";
    if (result.failure) return *result.failure;
    if (result.status == Status::interrupted) return cut_off();
    std::uint64_t errors = 0;
    for (const PointFigures& point : result.load_points)
      for (const auto& [name, count] : point.errors) errors += count;
    return errors > 0 ? "ended by errors: " + counted(errors, "op") + " failed" : "no op ended";
  }
  std::string cut_off() const {
    return outer_.stop_requested() ? "not measured to its end: the night was stopped"
                                   : "not measured to its end: the time limit of the night was over";
  }

  std::vector<MeasurementFailure> failures() const {
    std::vector<MeasurementFailure> all;
    for (std::size_t at = 0; at < plan_.measurements.size(); ++at) {
      const std::string& name = plan_.measurements[at].name;
      if (const auto failed = failed_.find(at); failed != failed_.end()) all.push_back({name, failed->second});
      else if (outcome_.night.measurements[at].runs.empty())
        all.push_back({name, stuck() ? "not measured: ops of another measurement never returned" : cut_off()});
    }
    return all;
  }

  /// Volumes that are not where they were, also where nights may differ in that.
  void note_moved_volumes() {
    for (const NightMeasurement& measurement : outcome_.night.measurements)
      for (std::size_t before = store_.nights().size(); before-- > 0 && !measurement.comparable.empty();) {
        const NightMeasurement* const earlier = measurement_named(store_.nights()[before], measurement.name);
        if (earlier == nullptr || earlier->comparable.empty()) continue;
        std::vector<std::string> texts = {moved_text(earlier->comparable, measurement.comparable)};
        for (std::size_t i = 1; i <= 1 + measurement.further_references.size(); ++i)
          texts.push_back(moved_text(comparable_of_reference(*earlier, i), comparable_of_reference(measurement, i)));
        for (const std::string& moved : texts)
          if (!moved.empty()) judgement_.notes.push_back(measurement.name + ": " + moved);
        break;
      }
  }

  /// A model is the same each night but for its random numbers.
  void vary_seed(RunPlan& plan, std::size_t run, std::size_t reference) const {
    const std::size_t nights = store_.nights().size();
    // A history that is full has as many nights each night.
    const auto number = nights < plan_.keep_nights
                            ? static_cast<std::uint64_t>(nights) + 1
                            : static_cast<std::uint64_t>(parse_rfc3339(store_.tonight()).value_or(0));
    plan.seed += 1000 * number + 2 * run;
    if (reference > 0) plan.seed += 1 + 50 * (reference - 1);
    if (auto* const curve = std::get_if<CurvePlan>(&plan.measurement)) curve->seed = plan.seed;
  }

  /// The night as it is kept.
  void conclude() {
    Night& night = outcome_.night;
    add_failures(judgement_, failures());
    night.finished_at = std::max(rfc3339_now(), night.started_at);
    const bool stopped = outer_.stop_requested(), late = !stopped && limit_.token().stop_requested();
    night.status = stopped                                           ? Status::interrupted
                   : late || !judgement_.failures.empty() || stuck() ? Status::failed
                                                                     : Status::complete;
    note_moved_volumes();
    judgement_.invalid_runs = invalid_notes(night);
    if (late) judgement_.notes.emplace_back("the night ended at its time limit");
    if (!hanging_.empty()) judgement_.notes.push_back(hanging_ + " does not return: the night ended without it");
    if (stuck()) judgement_.notes.emplace_back("ops never returned: the night ended with them");
    night.judgement = judgement_;
    outcome_.stuck = stuck();
    outcome_.all_written = hanging_.empty() && !session_.cleanup_incomplete();
    if (const std::string why = why_not_kept(night); !why.empty()) {  // the verdict is printed all the same
      spdlog::error("the night is not in the history: {}", why);
      outcome_.all_written = false;
    }
    is_kept_ = true;
  }

  /// Keeps the night, in a thread of its own: a history on a volume that does not answer is given up after a signal, or
  /// when the night ends with a call that hangs. Empty: the night is kept.
  std::string why_not_kept(const Night& night) {
    constexpr Nanos patience = std::chrono::seconds(5);
    std::packaged_task<std::string()> task([this, night]() -> std::string {
      try {
        store_.keep(night);
        return "";
      } catch (const Error& error) {
        return error.what();
      }
    });
    std::future<std::string> why = task.get_future();
    std::thread(std::move(task)).detach();
    SessionWatch names(emit_, plan_.measurements.front().plan.stuck_after);
    StuckWatch::Thread self(names);
    self.call_started("writing", plan_.directory, nights_file);
    for (const TimePoint began = now(); why.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready;)
      if ((outer_.stop_requested() || !hanging_.empty()) && now() - began > patience) {
        outcome_.stuck = true;  // the thread still uses what would be destroyed
        return plan_.directory + " does not answer";
      }
    return why.get();
  }

  void run_its_hook() {
    if (!plan_.hook.command.empty()) run_hook(plan_.hook, judgement_, outer_);
  }

  void finish() {
    conclude();
    const bool written = that_may_hang([&] { return write_outputs(plan_.outputs, judgement_, watch_); });
    outcome_.all_written &= written;
    run_its_hook();
    is_told_ = true;
    that_may_hang([&] {
      StuckWatch::Thread self(watch_);
      self.call_started("writing", "the verdict");
      tell_(outcome_);
    });
  }

  /// A call hangs although the night is to end: it ends with what there is, and with it the process. From the thread
  /// that watches the call.
  [[noreturn]] void abandon(const CallAbandoned& abandoned) {
    const std::lock_guard for_good(mutex_);  // if the call returns now, its thread waits for the end of the process
    emit_(abandoned);
    const std::string& call = hanging_ = abandoned.call;
    const bool had_ended = is_kept_;  // what hangs is one of its outputs
    if (had_ended) outcome_.all_written = false;
    else {
      failed_[measuring_] = call + " does not return";
      judgement_ = judge(store_.nights(), outcome_.night, plan_.gate);
      conclude();
    }
    if (!std::exchange(is_told_, true)) {  // else this is what hangs, and the hook has run
      tell_(outcome_);
      run_its_hook();
    }
    SessionWatch last(emit_);
    last.end_with(limit_.token());
    if (!had_ended) write_outputs(plan_.outputs, judgement_, last);
    ::_exit(exit_status_of(outcome_));
  }

  const NightPlan& plan_;
  const EventSink emit_;
  const TellNight& tell_;
  std::mutex mutex_;  ///< of what the night has found: this thread has it but for that_may_hang()
  std::unique_lock<std::mutex> found_{mutex_};
  std::string hanging_;  ///< the call with which the night ends
  std::size_t measuring_ = 0;
  bool is_kept_ = false, is_told_ = false;
  SessionWatch watch_;
  NightStore store_;
  std::stop_token outer_;
  TimeLimit limit_;
  Session session_;
  NightOutcome outcome_;
  NightJudgement judgement_;
  std::map<std::size_t, Nanos> took_;
  std::map<std::size_t, std::string> failed_;
};

}  // namespace

NightOutcome run_night(const NightPlan& plan, const EventSink& emit, const std::stop_token& stop, const TellNight& tell,
                       Hosts* hosts) {
  SessionWatch watch(emit, plan.measurements.front().plan.stuck_after);
  watch.end_with(stop);
  check_night_places(plan, watch);
  std::unique_ptr<NightRunner> work;
  {
    StuckWatch::Thread self(watch);
    self.call_started("opening the history", plan.directory);
    work = std::make_unique<NightRunner>(plan, emit, stop, tell, hosts);
  }
  NightOutcome outcome = work->run();
  if (outcome.stuck) static_cast<void>(work.release());  // threads in ops that never return still use it
  return outcome;
}

int exit_status_of(const NightOutcome& outcome) {
  const NightVerdict verdict = outcome.night.judgement ? outcome.night.judgement->verdict : NightVerdict::cannot_tell;
  if (verdict == NightVerdict::regression) return exit_status::regression;
  if (outcome.night.status == Status::interrupted) return exit_status::interrupted;
  if (outcome.night.status != Status::complete || !outcome.all_written) return exit_status::run_failed;
  return verdict == NightVerdict::cannot_tell ? exit_status::cannot_tell : exit_status::done;
}

}  // namespace edagen
