#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "nights/history.hpp"
#include "report/judgement_text.hpp"
#include "report/point_text.hpp"
#include "report/reason_text.hpp"
#include "result/flaw.hpp"
#include "result/validity_limits.hpp"
#include "stats/distribution.hpp"

namespace edagen {
namespace {

/// Whether the interval of the rate at a target is narrow: of the answer of the run whose interval is widest.
bool is_narrow(const NightRun& run) {
  double widest = 0;
  for (const NightFigure& figure : run.figures)
    if (figure.kind == FigureKind::rate) widest = std::max(widest, figure.error);
  return widest > 0 && normal_quantile(0.95) * widest <= validity_limits::answer_half_width_share;
}

bool is_of_means(const NightRun& run) {
  return std::ranges::none_of(run.figures, [](const NightFigure& figure) {
    return figure.kind == FigureKind::rate && figure.name.find(" ms p") != std::string::npos;
  });
}

/// What mends a reason in this run, where it is not the general remedy, or what is behind the reason. Procs that fall
/// behind in an overload explain its other reasons, as in the lines of a comparison.
std::string remedy_in(const NightRun& run, Invalid reason, bool simulated) {
  if (reason == Invalid::target_not_reached) return remedy_of_bounds(run.bounds);
  std::string cause = cause_beside(reason, run.invalid);
  const auto is_overload = [](Invalid each) { return flaw_of(each) == Flaw::overload; };
  const auto overload = std::ranges::find_if(run.invalid, is_overload);
  const bool follows = overload != run.invalid.end() && *overload != reason && follows_from_overload(reason);
  if (!cause.empty()) return cause;
  return follows ? overload_may_be_why : simulated ? remedy_of_model(reason) : "";
}

/// What happened, and what mends it; "" of a reason that only means that there is no exact rate, where another one of
/// the run is why.
std::string sentence_of(Invalid reason, const NightRun& run, bool simulated) {
  if (flaw_of(reason) == Flaw::scatter && !cause_beside(reason, run.invalid).empty()) return "";
  if (reason == Invalid::imprecise && !run.figures.empty())
    return imprecise_text(is_narrow(run), is_of_means(run), simulated);
  return reason_text(reason, remedy_in(run, reason, simulated));
}

/// Runs that are invalid for the same reasons, with the same remedies.
struct InvalidRuns {
  bool have_figures;
  std::vector<Invalid> reasons;
  std::vector<std::string> sentences;
  std::vector<std::string> files = {};

  bool operator==(const InvalidRuns& other) const {
    return have_figures == other.have_figures && reasons == other.reasons && sentences == other.sentences;
  }
};

/// "m-1.json is", "m-1.json and m-2.json are" or "m-1.json and 2 more runs are". Many names would push the reasons out
/// of a line that is cut.
std::string named_runs(const std::vector<std::string>& files) {
  if (files.size() == 1) return files[0] + " is";
  return fmt::format("{} and {} are", files[0],
                     files.size() == 2 ? files[1] : fmt::format("{} more runs", files.size() - 1));
}

}  // namespace

std::vector<std::string> invalid_notes(const Night& night) {
  std::vector<InvalidRuns> all;  // in the order of the runs
  for (const NightMeasurement& measurement : night.measurements)
    for (const NightRun& run : measurement.runs) {
      if (run.invalid.empty()) continue;
      InvalidRuns runs{!run.figures.empty(), run.invalid, {}};
      for (const Invalid reason : run.invalid)
        runs.sentences.push_back(sentence_of(reason, run, is_simulated(measurement)));
      auto found = std::ranges::find(all, runs);
      if (found == all.end()) found = all.insert(found, std::move(runs));
      found->files.push_back(run.file);
    }
  std::vector<std::string> notes;
  std::set<std::string> said = {""};
  for (InvalidRuns& runs : all) {
    std::erase_if(runs.sentences, [&](const std::string& sentence) { return !said.insert(sentence).second; });
    notes.push_back(fmt::format(  // the names first: a line that is cut has them
        "{} INVALID{}: {}{}", named_runs(runs.files), runs.have_figures ? "" : ", without a figure to compare",
        reason_names(runs.reasons),
        runs.sentences.empty() ? "" : fmt::format(" ({})", fmt::join(runs.sentences, "; "))));
  }
  return notes;
}

std::string night_title(const Night& night) {
  std::set<Invalid> reasons;
  for (const NightMeasurement& measurement : night.measurements)
    for (const NightRun& run : measurement.runs)
      if (!run.reference) reasons.insert(run.invalid.begin(), run.invalid.end());
  const bool is_invalid_night = !reasons.empty() && has_invalid_figures(night);
  return "night of " + night.started_at +
         (is_invalid_night ? ", INVALID: " + reason_names({reasons.begin(), reasons.end()}) : "");
}

}  // namespace edagen
