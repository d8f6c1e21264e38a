#include "report/curves_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "edagen/units.hpp"
#include "report/curve_points.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "result/escaped_text.hpp"

namespace edagen {
namespace {

/// Sets, marks and notes of a chart of curves, to which curves are added one by one.
class CurveChart {
 public:
  explicit CurveChart(bool many) : many_(many) {}

  void add(const NamedCurve& curve, std::size_t colour) {
    const std::string called = many_ ? curve.name + ", " : "";
    const Document mark = many_ ? Document(colour) : Document("answered");
    std::vector<const VariantPoint*> line, others, blocks;
    for (const VariantPoint& point : curve.points) {
      if (point.statistic.value <= Millis(0)) continue;
      (is_of_line(point.purpose) ? line : is_block(point.purpose) ? blocks : others).push_back(&point);
    }
    for (auto* const points : {&line, &others, &blocks})
      std::ranges::stable_sort(*points, {}, [](const VariantPoint* point) { return point->achieved_ops_per_sec; });
    const bool has_line = line.size() > 1;
    if (many_ && has_line) others.clear();
    if (!blocks.empty()) {
      add_set(called + "blocks of the search", "block", colour, points_of(blocks));
      sets_.back()["on_request"] = has_line;
    }
    if (!line.empty()) add_set(many_ ? curve.name : "load points", "line", colour, points_of(line));
    if (!others.empty())
      add_set(many_ ? curve.name : "demonstration", "point", many_ ? Document(colour) : Document("grey"),
              points_of(others));
    for (const VariantPoint* const point : line) add_bar(*point, colour);
    for (const AnswerFigures& answer : curve.answers) add_answer(answer, called, mark, are_fixed(curve.points));
    if (!curve.answers.empty()) ceiling_ = std::max(ceiling_, plot_ceiling(curve.answers).count());
    DrawnCurve drawn{.name = curve.name, .colour = colour, .points = line};
    drawn.points.insert(drawn.points.end(), others.begin(), others.end());
    if (!has_line) drawn.points.insert(drawn.points.end(), blocks.begin(), blocks.end());
    drawn_.push_back(std::move(drawn));
  }

  void draw(Document& blocks, const std::string& statistic) {
    std::vector<std::string> notes;  // on what is drawn
    if (!bars_.empty()) notes.emplace_back("bars: two standard errors of the latency");
    if (has_hollow_) notes.emplace_back("hollow: invalid or overload");
    if (has_answer_) notes.emplace_back("diamond: rate at a target");
    if (has_interval_) notes.emplace_back("band: 95 % interval of the rate");
    if (has_bracket_) notes.emplace_back("band of load points that were asked for: the two beside the rate");
    Document above = Document::array();
    for (const DrawnCurve& drawn : drawn_) add_above(above, notes, drawn);
    const auto [least, most] = std::ranges::minmax_element(rates_);
    const bool wide = many_ && !rates_.empty() && *most > 10 * *least;  // a linear axis would crush the smallest
    Document chart = curve_chart(std::move(sets_), statistic + ", ms");
    if (wide) chart["scale"] = "logarithmic";
    if (!above.empty()) chart["ceiling"] = ceiling_;
    chart["above"] = std::move(above);
    chart["bands"] = std::move(bands_);
    chart["bars"] = std::move(bars_);
    chart["targets"] = array_of(
        targets_, [](Millis target) { return list_of(target.count(), fmt::format("target {:g} ms", target.count())); });
    blocks.push_back(std::move(chart));
    if (!notes.empty()) blocks.push_back(paragraph(fmt::format("{}", fmt::join(notes, "; ")), "dim"));
  }

 private:
  /// The points of a curve that are drawn without a request.
  struct DrawnCurve {
    std::string name;
    std::size_t colour = 0;
    std::vector<const VariantPoint*> points;
  };

  static bool is_hollow(const VariantPoint& point) { return !point.valid() || is_overload(point.invalid); }

  void add_above(Document& above, std::vector<std::string>& notes, const DrawnCurve& drawn) const {
    std::size_t count = 0;
    for (const VariantPoint* const point : drawn.points) {
      if (ceiling_ <= 0 || point->statistic.value.count() <= ceiling_) continue;
      above.push_back(list_of(point->achieved_ops_per_sec, drawn.colour, is_hollow(*point)));
      ++count;
    }
    if (count > 0)
      notes.push_back(fmt::format("triangle: above the chart ({} ms), {}{}", format_millis(ceiling_),
                                  counted(count, "load point"), many_ ? " of " + drawn.name : ""));
  }
  Document points_of(const std::vector<const VariantPoint*>& points) {
    return array_of(points, [this](const VariantPoint* point) {
      has_hollow_ |= is_hollow(*point);
      return Document::array({point->achieved_ops_per_sec, point->statistic.value.count(), is_hollow(*point)});
    });
  }
  void add_set(const std::string& label, const char* style, Document colour, Document points) {
    sets_.push_back({{"label", label},
                     {"style", style},
                     {"colour", std::move(colour)},
                     {"points", std::move(points)},
                     {"minor", many_ && label.find(", ") != std::string::npos}});
  }
  void add_bar(const VariantPoint& point, std::size_t colour) {
    const double value = point.statistic.value.count(),
                 half = 2 * point.statistic.standard_error.value_or(Millis(0)).count();
    if (half > 0)
      bars_.push_back({point.achieved_ops_per_sec, std::max(value - half, value / 100), value + half, colour});
  }
  void add_answer(const AnswerFigures& answer, const std::string& called, const Document& mark, bool is_fixed) {
    targets_.insert(answer.target);
    if (!answer.met || answer.limit == RateLimit::host || answer.ops_per_sec <= 0) return;
    rates_.push_back(answer.ops_per_sec);
    if (answer.limit) return;  // at that rate the latency is another one
    has_answer_ = true;
    if (answer.confidence_95) {
      bands_.push_back({answer.confidence_95->front(), answer.confidence_95->back(), mark});
      (is_fixed ? has_bracket_ : has_interval_) = true;
    }
    has_hollow_ |= !answer.valid();
    add_set(fmt::format("{}rate at {:g} ms{}", called, answer.target.count(), answer.valid() ? "" : ", INVALID"),
            "answer", mark, list_of(list_of(answer.ops_per_sec, answer.target.count(), !answer.valid())));
  }

  bool many_, has_answer_ = false, has_interval_ = false, has_bracket_ = false, has_hollow_ = false;
  Document sets_ = Document::array(), bands_ = Document::array(), bars_ = Document::array();
  std::set<Millis> targets_;
  std::vector<double> rates_;  ///< of answers
  double ceiling_ = 0;         ///< of the plot, ms
  std::vector<DrawnCurve> drawn_;
};

/// "mean response"; "latency" of curves of several statistics, and "response" where no answer has one.
std::string statistic_of(const std::vector<NamedCurve>& curves) {
  std::set<std::string> names;
  for (const NamedCurve& curve : curves)
    for (const AnswerFigures& answer : curve.answers) names.insert(answer.statistic + " " + answer.latency);
  if (names.empty()) return "response";
  return names.size() == 1 ? *names.begin() : "latency";
}

}  // namespace

NamedCurve curve_of(const LoadTable& table) {
  NamedCurve curve{one_line(table.name), {}, {}};
  for (const RateLatency& point : table.points)
    curve.points.push_back({Purpose::load_point, point.rate, {point.latency, std::nullopt}, {}});
  return curve;
}

void add_curves(Document& blocks, const std::vector<NamedCurve>& curves) {
  CurveChart chart(curves.size() > 1);
  for (std::size_t i = 0; i < curves.size(); ++i) chart.add(curves[i], i);
  chart.draw(blocks, statistic_of(curves));
}

void add_op_kinds(Document& blocks, const std::vector<std::pair<std::string, std::map<OpKind, Millis>>>& means) {
  std::set<OpKind> kinds;
  for (const auto& each : means)
    for (const auto& [kind, mean] : each.second) kinds.insert(kind);
  if (means.size() < 2 || kinds.empty()) return;
  Document sets = Document::array();
  for (const auto& each : means)
    sets.push_back(chart_set(each.first, sets.size(), array_of(kinds, [&](OpKind kind) {
                               const auto mean = each.second.find(kind);
                               return mean == each.second.end() ? Document(nullptr) : Document(mean->second.count());
                             })));
  blocks.push_back(heading("By kind of op"));
  blocks.push_back(
      bar_chart(array_of(kinds, [](OpKind kind) { return to_string(kind); }), "mean response, ms", std::move(sets)));
}

void add_configurations(Document& blocks, const std::vector<std::pair<std::string, Settings>>& all) {
  std::vector<std::string> names;  // each once, in the order in which they come
  for (const auto& [head, settings] : all)
    for (const auto& [name, value] : settings)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::vector<Column> heads = {""};
  for (const auto& [head, settings] : all) heads.emplace_back(head);
  TextTable table(heads);
  for (const std::string& name : names) {
    std::vector<std::string> values;
    for (const auto& [head, settings] : all) {
      const auto found = std::ranges::find(settings, name, [](const auto& setting) { return setting.first; });
      values.push_back(found == settings.end() ? "" : found->second);
    }
    const bool differ = std::ranges::any_of(values, [&](const std::string& value) { return value != values.front(); });
    std::vector<Cell> row = {name};
    for (const std::string& value : values) row.emplace_back(value, differ ? "text bad" : "text");
    table.add(std::move(row));
  }
  blocks.push_back(heading("Configurations"));
  blocks.push_back(table.block());
}

Document settings_table(const Settings& settings) {
  TextTable table({"environment", ""});
  for (const auto& [name, value] : settings) table.add({name, {value, "text"}});
  return table.block();
}

Settings load_settings(const auto& run) {
  Settings settings = {
      {"workload", fmt::format("{} ({}), seed {}", run.workload.name, run.workload.phase, run.workload.seed)},
      {"load", fmt::format("{}, {}, {} job set{}", counted(run.clients, "client"), counted(run.procs, "proc"),
                           short_text(run.job_sets), run.job_sets == 1 ? "" : "s")},
      {"dataset", fmt::format("{}, {}{}{}", counted(run.dataset.files, "file"),
                              format_bytes(static_cast<Bytes>(run.dataset.bytes)),
                              run.dataset.scaled_down ? ", scaled down" : "", run.dataset.reused ? ", reused" : "")},
      {"I/O", fmt::format("depth {}, {}{}, fsync {}{}", run.io.depth, run.io.engine,
                          run.io.direct ? ", O_DIRECT" : ", buffered", run.io.fsync,
                          run.io.drop_caches ? ", caches dropped before" : "")}};
  const std::vector<MountFigures>& mounts = run.target.mounts;
  for (std::size_t i = 0; i < mounts.size(); ++i)
    settings.emplace_back(i == 0 ? "mount" : fmt::format("mount {}", i + 1), mount_text(mounts[i]));
  return settings;
}
template Settings load_settings(const Result&);
template Settings load_settings(const VariantRun&);

Settings origin_settings(const auto& document) {
  const Host& host = document.host;
  Settings settings = {
      {"host", fmt::format("{}, Linux {}, {}{}, {}", host.name, host.kernel,
                           counted(static_cast<std::uint64_t>(host.cpus), "processor"),
                           host.processor.empty() ? "" : " (" + host.processor + ")", format_bytes(host.memory_bytes))},
      {"edagen", document.edagen_version}};
  std::vector<std::string> sysctls;
  for (const auto& [name, value] : host.sysctls) sysctls.push_back(name + " = " + value);
  if (!sysctls.empty()) settings.emplace_back("sysctls", fmt::format("{}", fmt::join(sysctls, "; ")));
  return settings;
}
template Settings origin_settings(const Result&);
template Settings origin_settings(const ComparisonResult&);

}  // namespace edagen
