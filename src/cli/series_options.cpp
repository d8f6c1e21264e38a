#include "cli/series_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "cli/option_checks.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_values = 1000;

double number_from(std::string_view text, const std::string& where) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value))
    throw usage_error(where, fmt::format("'{}' is not a number", text), "io-depth=1,2,4,...,256 or clients=1..12");
  return value;
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

void check_values(Swept swept, const std::vector<double>& values, double low, double high) {
  const bool percent = swept == Swept::read_percent;
  for (const double value : values)
    if (value < low || value > high || (!percent && value != std::floor(value)))
      throw usage_error(
          fmt::format("--sweep {}", to_string(swept)),
          fmt::format("{:g} is not {} {:g} to {:g}", value, percent ? "within" : "a whole number from", low, high));
}

}  // namespace

std::vector<double> parse_values(const std::string& text, const std::string& where) {
  std::vector<double> values;
  bool ellipsis = false;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view part = std::string_view(text).substr(at, comma - at);
    at = comma + 1;
    if (part == "..." && values.size() >= 2 && !ellipsis) {
      ellipsis = true;
      continue;
    }
    const std::size_t dots = part.find("..");
    if (dots != std::string_view::npos && !ellipsis) {
      values.push_back(number_from(part.substr(0, dots), where));
      const double last = number_from(part.substr(dots + 2), where);
      const double step = last < values.back() ? -1 : 1;
      while (std::abs(last - values.back()) >= 1 && values.size() <= most_values)
        values.push_back(values.back() + step);
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

void SeriesOptions::add_repeat_to(CLI::App& app) {
  app.add_option("--repeat", repeats,
                 "Measure this many times: mean, median, standard deviation and 95 % confidence interval")
      ->transform(whole_number(1, 10'000))
      ->capture_default_str()
      ->group("Load");
}

void SeriesOptions::add_sweep_to(CLI::App& app) {
  app.add_option("--sweep", sweep,
                 "A load point at each value, instead of a search: io-depth=1,2,4,...,256, read-percent=100,75,50,25,0 "
                 "or clients=1..12")
      ->transform(not_empty())
      ->group("Curve");
}

void SeriesOptions::prepare(LoadOptions& load) {
  if (sweep.empty()) return;
  const std::size_t equals = std::min(sweep.find('='), sweep.size());
  const std::string parameter = sweep.substr(0, equals);
  const auto named = enum_named<Swept>(parameter);
  if (!named || *named == Swept::nothing)
    throw usage_error("--sweep", fmt::format("unknown parameter '{}'", parameter), "io-depth, read-percent or clients");
  swept_ = *named;
  values_ = parse_values(equals < sweep.size() ? sweep.substr(equals + 1) : "", "--sweep " + parameter);
  if ((swept_ == Swept::io_depth && load.io_depth) || (swept_ == Swept::read_percent && load.read_percent) ||
      (swept_ == Swept::clients && load.clients != 1))
    throw usage_error("--sweep", fmt::format("{} is swept: --{} has no effect", parameter, parameter));
  if (load.rate.empty()) load.rate = "max";
  const double largest = *std::max_element(values_.begin(), values_.end());
  if (swept_ == Swept::io_depth) {
    check_values(swept_, values_, 1, deepest_io);
    load.io_depth = static_cast<unsigned>(largest);
  } else if (swept_ == Swept::clients) {
    check_values(swept_, values_, 1, 100'000);
    load.clients = static_cast<std::uint64_t>(largest);
  } else {
    check_values(swept_, values_, 0, 100);
  }
}

LoadSeries SeriesOptions::series(const LoadOptions& load, const RunPlan& plan) const {
  for (const double value : values_)
    for (ProcSpec kind : plan.workload.proc_kinds)
      if (swept_ == Swept::read_percent) kind.set_read_percent(value);  // says so if it cannot
  const LoadPoint point = load.load_point(plan);
  if (!point.open_loop() && !load.arrivals.empty())
    throw usage_error("--arrivals", "has no effect in a closed loop", "--rate R");
  return {.load = point, .swept = swept_, .values = values_, .repeats = repeats};
}

}  // namespace edagen
