#include "cli/load_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_points = 10'000;
constexpr double most_likely_points = 100;  // of a range that is given as start, increment and number
constexpr const char* forms = "a number of load points (10), START:END:STEP (100:550:50) or loads (2k,4k,8k)";

std::vector<double> numbers_in(const std::string& text, char separator) {
  std::vector<double> numbers;
  for (const std::string& part : split_at(text, separator)) numbers.push_back(parse_rate(part, ""));
  return numbers;
}

/// What three numbers of which the second is below the first may mean: start, increment and number, or end and start.
std::string likely_ranges(double start, double increment, double number) {
  const bool is_number = number >= 2 && number <= most_likely_points && number == std::round(number);
  if (!is_number)
    return fmt::format("load points from {} to {}, {} apart, are {}:{}:{}", increment, start, number, increment, start,
                       number);
  return fmt::format("{} load points from {} on, {} apart, are {}:{}:{}; from {} to {} they are {}:{}:{}", number,
                     start, increment, start, start + (number - 1) * increment, increment, increment, start, increment,
                     start, number);
}

/// Start, increment and number, as configurations of SPEC's benchmark have them, are refused and named in this form.
std::vector<double> loads_of_range(const std::string& text) {
  const std::vector<double> parts = numbers_in(text, ':');
  if (parts.size() != 3) throw usage_error("", fmt::format("'{}' is not START:END:STEP", text), "100:550:50");
  const double start = parts[0], end = parts[1], step = parts[2], steps = (end - start) / step;
  if (end < start)
    throw usage_error("", fmt::format("the end {:g} of '{}' is below its start: it is START:END:STEP", end, text),
                      likely_ranges(start, end, step));
  if (std::abs(steps - std::round(steps)) > 1e-9 * std::max(1.0, steps))
    throw usage_error(
        "",
        fmt::format("{:g} is not reached from {:g} in steps of {:g}: '{}' is START:END:STEP", end, start, step, text),
        fmt::format("{:g}:{:g}:{:g}", start, start + std::max(1.0, std::floor(steps)) * step, step));
  if (steps >= most_points) throw usage_error("", fmt::format("is more than {} load points", most_points));
  std::vector<double> loads;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(std::round(steps)); ++i)
    loads.push_back(start + step * static_cast<double>(i));
  return loads;
}

}  // namespace

GivenPoints parse_points(const std::string& text) {
  if (!text.empty() && text.find_first_not_of("0123456789") == std::string::npos) {
    const double count = text.size() < 9 ? std::stod(text) : 1e9;
    if (count < 2 || count > most_points)
      throw usage_error("", fmt::format("{} is not 2 to {} load points", text, most_points), forms);
    return {static_cast<std::size_t>(count), {}};
  }
  const bool is_range = text.find(':') != std::string::npos, is_list = text.find(',') != std::string::npos;
  if (is_range == is_list) throw usage_error("", fmt::format("'{}' is none of its forms", text), forms);
  GivenPoints given{0, is_range ? loads_of_range(text) : numbers_in(text, ',')};
  if (given.loads.size() < 2) throw usage_error("", fmt::format("'{}' is one load point", text), "edagen run --rate R");
  if (given.loads.size() > most_points) throw usage_error("", fmt::format("is more than {} load points", most_points));
  // What was meant as thousands with commas (20,000,40,000) does not ascend.
  for (std::size_t i = 1; i < given.loads.size(); ++i)
    if (given.loads[i] <= given.loads[i - 1])
      throw usage_error("",
                        fmt::format("{:g} is not above {:g}, the load before it", given.loads[i], given.loads[i - 1]));
  return given;
}

}  // namespace edagen
