#include "cli/series_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/number.hpp"
#include "base/words.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_values = 1000;

double number_from(const std::string& text, const std::string& where) {
  if (const std::optional<double> value = number_of(text)) return *value;
  throw usage_error(where, fmt::format("'{}' is not a number", text), "io-depth=1,2,4,...,256 or clients=1..12");
}

/// From the last of `values` to `last`.
void fill(std::vector<double>& values, double last, const std::string& where) {
  const double before = values.size() < 2 ? values.back() - 1 : values[values.size() - 2], from = values.back();
  const double ratio = before > 0 ? from / before : 0, steps = ratio > 1 ? std::log(last / from) / std::log(ratio) : 0;
  const bool by_ratio = values.size() > 1 && steps > 0 && std::abs(steps - std::round(steps)) < 1e-9;
  for (std::size_t i = 1;; ++i) {
    const auto n = static_cast<double>(i);
    const double value = by_ratio ? from * std::pow(ratio, n) : from + (from - before) * n;
    const double missing = (last - value) * (from > before ? 1 : -1);
    if (missing < -1e-9 * std::abs(last) || values.size() > most_values)
      throw usage_error(where, fmt::format("{:g} is not reached from {:g} and {:g}", last, before, from));
    values.push_back(by_ratio ? std::round(value * 1e6) / 1e6 : value);
    if (std::abs(missing) <= 1e-9 * std::abs(last)) return;
  }
}

void check_values(Swept parameter, const std::vector<double>& values, const std::string& where) {
  const bool percent = parameter == Swept::read_percent;
  const double low = percent ? 0 : 1, high = percent ? 100 : parameter == Swept::io_depth ? deepest_io : 100'000;
  for (const double value : values)
    if (value < low || value > high || (!percent && value != std::floor(value)))
      throw usage_error(where, fmt::format("{:g} is not {} {:g} to {:g}", value,
                                           percent ? "within" : "a whole number from", low, high));
}

}  // namespace

std::vector<double> parse_values(const std::string& text, const std::string& where) {
  std::vector<double> values;
  bool ellipsis = false;
  for (const std::string& part : split_at(text, ',')) {
    if (part == "..." && values.size() >= 2 && !ellipsis) {
      ellipsis = true;
      continue;
    }
    const std::size_t dots = part.find("..");
    if (dots != std::string::npos && !ellipsis) {
      values.push_back(number_from(part.substr(0, dots), where));
      const double last = number_from(part.substr(dots + 2), where);
      const double step = last < values.back() ? -1 : 1;
      while (std::abs(last - values.back()) >= 1 && values.size() <= most_values)
        values.push_back(values.back() + step);
      if (values.size() <= most_values && std::abs(last - values.back()) > 1e-9)
        throw usage_error(where, fmt::format("{:g} is not reached in steps of 1: '{}'", last, part));
    } else if (ellipsis) {
      fill(values, number_from(part, where), where);
      ellipsis = false;
    } else {
      values.push_back(number_from(part, where));
    }
  }
  if (ellipsis) throw usage_error(where, "nothing follows ...");
  if (values.size() > most_values) throw usage_error(where, fmt::format("is more than {} values", most_values));
  if (std::set(values.begin(), values.end()).size() < values.size())
    throw usage_error(where, "has the same value twice", "--repeat measures each several times");
  return values;
}

Sweep parse_sweep(const std::string& text) {
  if (text.empty()) throw usage_error("--sweep", "is empty");
  const std::size_t equals = std::min(text.find('='), text.size());
  const std::string name = text.substr(0, equals), where = "--sweep " + name;
  const auto parameter = enum_named<Swept>(name);
  if (!parameter || *parameter == Swept::nothing)
    throw usage_error("--sweep", fmt::format("unknown parameter '{}'", name), "io-depth, read-percent or clients");
  Sweep sweep{*parameter, parse_values(equals < text.size() ? text.substr(equals + 1) : "", where)};
  check_values(sweep.parameter, sweep.values, where);
  return sweep;
}

void SeriesOptions::add_repeat_to(CLI::App& app) {
  OptionGroup(app, "Load")
      .number("--repeat", repeats, whole_number(1, 10'000),
              "Measure this many times: mean, median, standard deviation and 95 % confidence interval");
}

void SeriesOptions::add_sweep_to(CLI::App& app) {
  OptionGroup(app, "Curve")
      .parsed(
          "--sweep PARAMETER=N,...", [this](const std::string& text) { sweep = parse_sweep(text); },
          "A load point at each value, instead of a search: io-depth=1,2,4,...,256, read-percent=100,75,50,25,0 "
          "or clients=1..12");
}

LoadOptions SeriesOptions::swept(LoadOptions load) const {
  if (!sweep) return load;
  if ((sweep->parameter == Swept::io_depth && load.io_depth) ||
      (sweep->parameter == Swept::read_percent && load.read_percent) ||
      (sweep->parameter == Swept::clients && load.base.clients != 1))
    throw usage_error("--sweep", fmt::format("{0} is swept: --{0} has no effect", to_string(sweep->parameter)));
  if (!load.rate) load.rate = ClosedLoop{};
  const double largest = std::ranges::max(sweep->values);
  if (sweep->parameter == Swept::io_depth) load.io_depth = static_cast<unsigned>(largest);
  if (sweep->parameter == Swept::clients) load.base.clients = static_cast<std::uint64_t>(largest);
  return load;
}

LoadSeries SeriesOptions::series(const LoadOptions& load, const RunPlan& plan) const {
  LoadSeries series{.load = load.load_point(plan), .repeats = repeats};
  if (sweep) series.swept = sweep->parameter, series.values = sweep->values;
  if (series.swept == Swept::read_percent)
    for (const double value : series.values)
      for (ProcSpec kind : plan.workload.proc_kinds) kind.set_read_percent(value);  // throws where that cannot be
  if (!series.load.open_loop() && load.arrivals)
    throw usage_error("--arrivals", "has no effect in a closed loop", "--rate R");
  return series;
}

}  // namespace edagen
