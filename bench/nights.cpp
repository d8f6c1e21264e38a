// How often the gate (src/nights/judge.hpp) cries wolf, and how often it finds a loss, on modelled nights.
//
//   nights [HISTORIES] [--csv FILE]    default: 1,000 of each kind; FILE: the nights of the
// change points, for other tools (bench/nights_otava). ONLY=TEXT: models with this in their name.
//
// A night has some figures; each varies between nights and within them (normal logarithms). Printed are, in percent:
// nights without a change that have a regression; first nights of a loss that have one; first nights of a loss as large
// as the gate says it would see in 90 of 100 (smallest visible); and nights without a change of which it cannot tell.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "edagen/random.hpp"
#include "nights/change_points.hpp"
#include "nights/judge.hpp"

using namespace edagen;

namespace {

struct Model {
  const char* name;
  double between;         ///< standard deviation between nights
  double within = 0.005;  ///< within a night, as the runs state it
  std::size_t nights = 30, figures = 2;
  double outliers = 0;          ///< share of the nights before that are 20 % worse
  double drift = 0;             ///< per night
  bool reference = false;       ///< an unchanged one, that varies between nights with the volume but for 0.3 %
  double reference_change = 0;  ///< tonight
  std::size_t runs = 1;         ///< at most
  std::size_t runs_each = 1;    ///< of each night, of those before, too
  bool stated = true;           ///< runs state their error; those of op kinds do not
  double loss = 0.05;
};

class Modelled {
 public:
  Modelled(const Model& model, std::uint64_t seed) : model_(model), random_(seed) {}

  Night night(std::size_t at, double change, double reference_change, bool may_be_odd) {
    Night made;
    made.started_at = fmt::format("2026-01-01T00:{:02}:{:02}Z", at / 60, at % 60);
    common_.clear(), own_.clear(), other_.clear();
    const bool odd = may_be_odd && random_.uniform() < model_.outliers;
    for (std::size_t f = 0; f < model_.figures; ++f) {
      common_.push_back(model_.between * random_.normal() + model_.drift * static_cast<double>(at) +
                        (odd ? std::log(0.8) : 0));
      own_.push_back(0.003 * random_.normal());
      other_.push_back(0);
    }
    made.measurements.push_back({.name = "m", .comparable = {}, .reference_comparable = {}, .runs = {}});
    for (std::size_t run = 0; run < model_.runs_each; ++run) add_run(made, change, reference_change);
    return made;
  }
  void add_run(Night& night, double change, double reference_change) {
    night.measurements[0].runs.push_back(run(false, own_, change));
    if (model_.reference) night.measurements[0].runs.push_back(run(true, other_, reference_change));
  }

 private:
  NightRun run(bool reference, const std::vector<double>& own, double change) {
    NightRun made;
    made.reference = reference;
    for (std::size_t f = 0; f < model_.figures; ++f)
      made.figures.push_back(
          {fmt::format("f{}", f), model_.stated ? FigureKind::rate : FigureKind::op_kind,
           std::exp(10 + common_[f] + own[f] + (f == 0 ? std::log1p(change) * (model_.stated ? 1 : -1) : 0) +
                    model_.within * random_.normal()),
           model_.stated ? model_.within : 0});
    return made;
  }

  const Model& model_;
  Random random_;
  std::vector<double> common_, own_, other_;
};

struct Found {
  bool regression = false, told = false;
  double visible = 0;
};

Found tonight(Modelled& modelled, const Model& model, const std::vector<Night>& history, double change) {
  Night night = modelled.night(model.nights, change, model.reference_change, false);
  NightJudgement judgement = judge(history, night, {});
  for (std::size_t runs = 1; needs_another_run(judgement, runs, model.runs); ++runs) {
    modelled.add_run(night, change, model.reference_change);
    judgement = judge(history, night, {});
  }
  return {judgement.verdict == NightVerdict::regression, judgement.verdict != NightVerdict::cannot_tell,
          judgement.figures[0].smallest_visible.value_or(1)};
}

void show(const Model& model, std::uint64_t histories) {
  if (const char* const only = std::getenv("ONLY");
      only != nullptr && std::string(model.name).find(only) == std::string::npos)
    return;
  std::uint64_t alarms = 0, losses = 0, visible = 0, untold = 0;
  for (std::uint64_t i = 0; i < histories; ++i) {
    Modelled modelled(model, i + 1);
    std::vector<Night> history;
    for (std::size_t at = 0; at < model.nights; ++at) history.push_back(modelled.night(at, 0, 0, true));
    const Found quiet = tonight(modelled, model, history, 0);
    alarms += quiet.regression ? 1 : 0;
    untold += quiet.told ? 0 : 1;
    losses += tonight(modelled, model, history, -model.loss).regression ? 1 : 0;
    // What is visible is known before the night, as it rests on the history and the error that runs state.
    visible += tonight(modelled, model, history, -std::max(quiet.visible, 0.051)).regression ? 1 : 0;
  }
  const auto percent = [&](std::uint64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(histories);
  };
  fmt::print("{:<38} {:>6.1f} {:>6} {:>7} {:>13.1f} {:>7.1f} {:>13.1f} {:>12.1f}\n", model.name, 100 * model.between,
             model.nights, model.figures, percent(alarms), percent(losses), percent(visible), percent(untold));
}

}  // namespace

/// Change points of edagen history on one figure over 40 nights, of which the last 1, 3 or 10 may have a loss. `csv`
/// gets the nights without a loss.
void show_change_points(double between, std::uint64_t histories, std::FILE* csv) {
  const std::vector<std::size_t> lost = {0, 1, 3, 10};
  std::vector<std::uint64_t> found(lost.size());
  for (std::uint64_t i = 1; i <= histories; ++i) {
    Random random(i);
    std::vector<double> values(40);
    for (double& value : values) value = between * random.normal();
    if (csv != nullptr)
      for (const double value : values) fmt::print(csv, "{},{},{}\n", between, i, std::exp(value));
    for (std::size_t k = 0; k < lost.size(); ++k) {
      std::vector<double> nights(values.begin(),
                                 values.begin() + static_cast<std::ptrdiff_t>(lost[k] == 0 ? 40 : 30 + lost[k]));
      for (std::size_t at = 30; lost[k] > 0 && at < nights.size(); ++at) nights[at] += std::log(0.95);
      const auto changes = change_points_of(nights);
      found[k] += lost[k] == 0 ? !changes.empty() : std::ranges::any_of(changes, [](const ChangePoint& change) {
        return change.begins >= 28 && change.after < change.before;
      });
    }
  }
  const auto percent = [&](std::uint64_t count) {
    return 100.0 * static_cast<double>(count) / static_cast<double>(histories);
  };
  fmt::print(
      "change points, sd {:.1f} %: {:.1f} % of 40 quiet nights have one; a loss of 5 % is found after 1 / 3 / 10 "
      "nights in "
      "{:.0f} / {:.0f} / {:.0f} %\n",
      100 * between, percent(found[0]), percent(found[1]), percent(found[2]), percent(found[3]));
}

int main(int argc, char** argv) {
  const std::uint64_t histories = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  std::FILE* const csv = argc > 3 && std::string(argv[2]) == "--csv" ? std::fopen(argv[3], "w") : nullptr;
  fmt::print("{:<38} {:>6} {:>6} {:>7} {:>13} {:>7} {:>13} {:>12}\n", "model, loss of 5 %", "sd %", "nights", "figures",
             "false alarms", "found", "visible found", "cannot tell");
  for (const double between : {0.005, 0.01, 0.02, 0.03, 0.05}) {
    for (const std::size_t nights : {std::size_t{10}, std::size_t{30}})
      for (const std::size_t figures : {std::size_t{1}, std::size_t{6}})
        show({.name = "no more", .between = between, .nights = nights, .figures = figures}, histories);
    show({.name = "1 night of 20 is 20 % worse", .between = between, .outliers = 0.05}, histories);
    show({.name = "drift of -0.05 % per night", .between = between, .drift = -0.0005}, histories);
    show({.name = "drift of -0.1 % per night", .between = between, .drift = -0.001}, histories);
    show({.name = "within nights 2 %, 1 run", .between = between, .within = 0.02}, histories);
    show({.name = "within nights 2 %, up to 3 runs", .between = between, .within = 0.02, .runs = 3}, histories);
    for (const auto& [runs, name] : {std::pair<std::size_t, const char*>{1, "10 op kinds, within 3 %, 1 run"},
                                     {2, "10 op kinds, within 3 %, 2 runs"},
                                     {3, "10 op kinds, within 3 %, 3 runs"},
                                     {5, "10 op kinds, within 3 %, 5 runs"}})
      show({.name = name, .between = between, .within = 0.03, .figures = 10, .runs_each = runs, .stated = false},
           histories);
    show({.name = "10 op kinds, within 3 %, up to 3 runs",
          .between = between,
          .within = 0.03,
          .figures = 10,
          .runs = 3,
          .stated = false},
         histories);
    show({.name = "reference", .between = between, .reference = true}, histories);
    show({.name = "reference, up to 3 runs", .between = between, .reference = true, .runs = 3}, histories);
    show({.name = "reference that gets 5 % better", .between = between, .reference = true, .reference_change = 0.05},
         histories);
    show({.name = "p99 alone 15 % worse", .between = between, .figures = 6, .loss = 0.15}, histories);
  }
  for (const double between : {0.01, 0.02, 0.03}) show_change_points(between, histories, csv);
  if (csv != nullptr) std::fclose(csv);
}
