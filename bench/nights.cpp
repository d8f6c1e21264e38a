// The false alarms of the gate (src/nights/judge.hpp), and the losses that it finds, on modelled nights.
//
//   nights [HISTORIES] [--csv FILE]    default: 1,000 histories of each model. FILE gets the nights of the
// change points, for other tools (bench/nights_otava). ONLY=TEXT: only models with this in their name.
//
// Prints the tables of docs/design/gate.md. A night has some figures; each varies between nights and within them
// (normal logarithms).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "edagen/parts/random.hpp"
#include "nights/change_points.hpp"
#include "nights/judge.hpp"

using namespace edagen;

namespace {

constexpr std::array<double, 5> variations = {0.005, 0.01, 0.02, 0.03, 0.05};  ///< between nights

/// The distribution of nights.
enum class Shape {
  normal,
  half_normal,  ///< on the worse side alone, as of latencies
  exponential,
  heavy_tailed,  ///< normal, one night in ten deviates 5 times as much
  correlated     ///< normal, each night 0.8 of the one before (a first-order autoregression)
};

struct Model {
  const char* name;
  std::size_t nights = 30, figures = 2;
  FigureKind kind = FigureKind::rate;  ///< kind of the first figure; the others are rates, or all are op kinds
  double within = 0.005;        ///< standard deviation within a night; runs of other kinds than op kinds state it
  double outliers = 0;          ///< share of the nights before that are 20 % worse
  double drift = 0;             ///< change per night
  std::size_t references = 0;   ///< they vary with the volume but for 0.3 % of each; a single one only the volume
  double reference_change = 0;  ///< change of the first reference tonight
  std::size_t runs = 1;         ///< largest number of runs tonight
  std::size_t runs_each = 1;    ///< runs of each night
  double loss = 0.05;           ///< loss of the first figure tonight
  Shape shape = Shape::normal;
  bool visible = false;                        ///< whether it is a row of the table of visible losses
  std::size_t gain_begins = 0, gain_ends = 0;  ///< nights before that are 8 % better
};

const std::vector<Model> models = {
    {.name = "10 nights, 1 figure", .nights = 10, .figures = 1, .visible = true},
    {.name = "10 nights, 6 figures", .nights = 10, .figures = 6, .visible = true},
    {.name = "30 nights, 1 figure", .figures = 1, .visible = true},
    {.name = "30 nights, 6 figures", .figures = 6, .visible = true},
    {.name = "one night of 20 in the history is 20 % worse", .outliers = 0.05, .visible = true},
    {.name = "drift of -0.05 % per night", .drift = -0.0005},
    {.name = "drift of -0.1 % per night", .drift = -0.001},
    {.name = "within nights 2 %, 1 run", .within = 0.02, .visible = true},
    {.name = "within nights 2 %, up to 3 runs", .within = 0.02, .runs = 3, .visible = true},
    {.name = "10 op kinds, within nights 3 %, 1 run", .figures = 10, .kind = FigureKind::op_kind, .within = 0.03},
    {.name = "10 op kinds, within nights 3 %, 2 runs",
     .figures = 10,
     .kind = FigureKind::op_kind,
     .within = 0.03,
     .runs_each = 2},
    {.name = "10 op kinds, within nights 3 %, 3 runs",
     .figures = 10,
     .kind = FigureKind::op_kind,
     .within = 0.03,
     .runs_each = 3},
    {.name = "10 op kinds, within nights 3 %, 5 runs",
     .figures = 10,
     .kind = FigureKind::op_kind,
     .within = 0.03,
     .runs_each = 5},
    {.name = "10 op kinds, within nights 3 %, up to 3 runs",
     .figures = 10,
     .kind = FigureKind::op_kind,
     .within = 0.03,
     .runs = 3},
    {.name = "half-normal latency", .figures = 1, .kind = FigureKind::latency, .shape = Shape::half_normal},
    {.name = "exponential latency", .figures = 1, .kind = FigureKind::latency, .shape = Shape::exponential},
    {.name = "one night in ten deviates 5 times as much", .figures = 1, .shape = Shape::heavy_tailed},
    {.name = "one night in ten deviates 5 times as much, 10 nights",
     .nights = 10,
     .figures = 1,
     .shape = Shape::heavy_tailed},
    {.name = "each night 0.8 of the one before", .figures = 1, .shape = Shape::correlated},
    {.name = "8 % better for 5 nights, 5 nights ago", .gain_begins = 20, .gain_ends = 25},
    {.name = "8 % better in the first 5 nights", .gain_begins = 0, .gain_ends = 5},
    {.name = "reference", .references = 1, .visible = true},
    {.name = "reference that gets 5 % better tonight", .references = 1, .reference_change = 0.05},
    {.name = "3 references", .references = 3, .visible = true},
    {.name = "3 references, of which one gets 5 % better tonight", .references = 3, .reference_change = 0.05},
    {.name = "3 references, of which one gets 5 % worse tonight", .references = 3, .reference_change = -0.05},
    {.name = "6 figures, one of them a p99 that gets 15 % worse (in place of 5 %)",
     .figures = 6,
     .kind = FigureKind::tail,
     .loss = 0.15},
};

class Modelled {
 public:
  Modelled(const Model& model, double between, std::uint64_t seed) : model_(model), between_(between), random_(seed) {}

  /// `loss`: relative, of the first figure.
  Night night(std::size_t at, double loss, double reference_change, bool may_be_odd) {
    Night made;
    made.started_at = fmt::format("2026-01-01T00:{:02}:{:02}Z", at / 60, at % 60);
    const double gain = at >= model_.gain_begins && at < model_.gain_ends ? std::log(1.08) : 0;
    common_.clear(), own_.assign(1 + model_.references, {});
    const bool odd = may_be_odd && random_.uniform() < model_.outliers;
    for (std::size_t f = 0; f < model_.figures; ++f) {
      common_.push_back(between_ * drawn(f) + model_.drift * static_cast<double>(at) + (odd ? std::log(0.8) : 0) +
                        gain);
      for (std::size_t volume = 0; volume <= model_.references; ++volume)
        own_[volume].push_back(volume == 1 && model_.references == 1 ? 0 : 0.003 * random_.normal());
    }
    made.measurements.push_back({.name = "m", .comparable = {}, .reference_comparable = {}, .runs = {}});
    for (std::size_t run = 0; run < model_.runs_each; ++run) add_run(made, loss, reference_change);
    return made;
  }
  void add_run(Night& night, double loss, double reference_change) {
    const double worse = higher_is_better(model_.kind) ? -loss : loss;
    for (std::size_t volume = 0; volume <= model_.references; ++volume)
      night.measurements[0].runs.push_back(run(volume, volume == 0 ? worse : volume == 1 ? reference_change : 0));
  }

 private:
  double drawn(std::size_t figure) {
    const double normal = random_.normal();
    switch (model_.shape) {
      case Shape::normal: break;
      case Shape::half_normal: return std::abs(normal);
      case Shape::exponential: return random_.exponential();
      case Shape::heavy_tailed: return random_.uniform() < 0.1 ? 5 * normal : normal;
      case Shape::correlated: {
        constexpr double kept = 0.8;
        before_.resize(model_.figures, random_.normal());
        return before_[figure] = kept * before_[figure] + std::sqrt(1 - kept * kept) * normal;
      }
    }
    return normal;
  }

  /// `volume`: the number of the reference; 0: the volume itself.
  NightRun run(std::size_t volume, double change) {
    NightRun made;
    made.reference = volume > 0;
    made.reference_number = std::max<std::size_t>(volume, 1);
    const bool op_kinds = model_.kind == FigureKind::op_kind;
    for (std::size_t f = 0; f < model_.figures; ++f)
      made.figures.push_back({fmt::format("f{}", f), f == 0 || op_kinds ? model_.kind : FigureKind::rate,
                              std::exp(10 + common_[f] + own_[volume][f] + (f == 0 ? std::log1p(change) : 0) +
                                       model_.within * random_.normal()),
                              op_kinds ? 0 : model_.within});
    return made;
  }

  const Model& model_;
  double between_;
  Random random_;
  std::vector<double> common_;
  std::vector<std::vector<double>> own_;  ///< by volume, then by figure
  std::vector<double> before_;            ///< by figure: the last night that was drawn
};

struct Found {
  bool regression = false;
  double visible = 0;
};

Found tonight(Modelled& modelled, const Model& model, const std::vector<Night>& history, double loss) {
  Night night = modelled.night(model.nights, loss, model.reference_change, false);
  NightJudgement judgement = judge(history, night, {});
  for (std::size_t runs = model.runs_each; needs_another_run(judgement, runs, model.runs, runs); ++runs) {
    modelled.add_run(night, loss, model.reference_change);
    judgement = judge(history, night, {});
  }
  return {judgement.verdict == NightVerdict::regression, judgement.figures[0].smallest_visible.value_or(1)};
}

double percent(std::uint64_t count, std::uint64_t of) {
  return 100 * static_cast<double>(count) / static_cast<double>(of);
}

/// Shares of the histories of a model, in percent.
struct Shares {
  double alarms = 0, losses = 0, visible = 0;
};

Shares shares_of(const Model& model, double between, std::uint64_t histories) {
  std::uint64_t alarms = 0, losses = 0, visible = 0;
  const double least = Gate().limit(model.kind) + 0.001;  // smaller losses are not reported
  for (std::uint64_t i = 0; i < histories; ++i) {
    // Other nights in each column, so that a row is five draws and not one.
    Modelled modelled(model, between, derive_seed(i + 1, static_cast<std::uint64_t>(1e4 * between)));
    std::vector<Night> history;
    for (std::size_t at = 0; at < model.nights; ++at) history.push_back(modelled.night(at, 0, 0, true));
    const Found quiet = tonight(modelled, model, history, 0);
    alarms += quiet.regression ? 1 : 0;
    losses += tonight(modelled, model, history, model.loss).regression ? 1 : 0;
    // What is visible is known before the night, as it rests on the history and the error that runs state.
    if (model.visible) visible += tonight(modelled, model, history, std::max(quiet.visible, least)).regression ? 1 : 0;
  }
  return {percent(alarms, histories), percent(losses, histories), percent(visible, histories)};
}

using Row = std::pair<Model, std::array<Shares, variations.size()>>;

void print_table(const std::string& title, const std::string& corner, const std::vector<Row>& rows,
                 double Shares::*share) {
  fmt::print("{}\n\n|{}|", title, corner);
  for (const double between : variations) fmt::print(" sd {:.1f} % |", 100 * between);
  fmt::print("\n|---|---|---|---|---|---|\n");
  for (const auto& [model, columns] : rows) {
    fmt::print("| {} |", model.name);
    for (const Shares& each : columns) fmt::print(" {:.1f} |", each.*share);
    fmt::print("\n");
  }
  fmt::print("\n");
}

void print_gate(std::uint64_t histories) {
  std::vector<Row> rows;
  for (const Model& model : models) {
    const char* const only = std::getenv("ONLY");
    if (only != nullptr && std::string(model.name).find(only) == std::string::npos) continue;
    rows.emplace_back(model, std::array<Shares, variations.size()>());
    for (std::size_t i = 0; i < variations.size(); ++i)
      rows.back().second[i] = shares_of(model, variations[i], histories);
  }
  print_table("False alarms, % of nights without a change (1 is stated):", " 30 nights and 2 figures unless said ",
              rows, &Shares::alarms);
  print_table("First nights of a loss of 5 % that are found, %:", " ", rows, &Shares::losses);
  std::erase_if(rows, [](const Row& row) { return !row.first.visible; });
  print_table(
      "First nights that are found, %, of a loss of the visible size (5.1 % where that is smaller; 90 is stated "
      "otherwise):",
      " ", rows, &Shares::visible);
}

/// Change points of edagen history on one figure over 40 nights, of which the last 1, 3 or 10 may have a loss. `csv`
/// gets the nights without a loss.
void print_change_points(double between, std::uint64_t histories, std::FILE* csv) {
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
  fmt::print("| `edagen history`, sd {:.1f} % | {:.1f} | {:.0f} / {:.0f} / {:.0f} |\n", 100 * between,
             percent(found[0], histories), percent(found[1], histories), percent(found[2], histories),
             percent(found[3], histories));
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t histories = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1000;
  std::FILE* const csv = argc > 3 && std::string(argv[2]) == "--csv" ? std::fopen(argv[3], "w") : nullptr;
  print_gate(histories);
  fmt::print(
      "| | quiet histories of 40 nights with a change, % | a loss of 5 % found after 1 / 3 / 10 nights, % |\n"
      "|---|---|---|\n");
  for (const double between : {0.01, 0.02, 0.03}) print_change_points(between, histories, csv);
  if (csv != nullptr) std::fclose(csv);
}
