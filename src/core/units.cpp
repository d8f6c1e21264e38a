#include "edagen/core/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "edagen/core/error.hpp"

namespace edagen {
namespace {

struct Quantity {
  double number;
  std::string_view suffix;
};

Quantity split(std::string_view text, const std::string& where, const char* example) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0)
    throw usage_error(where, fmt::format("'{}' is not {}", text, example));
  std::string_view suffix(end, static_cast<std::size_t>(text.data() + text.size() - end));
  return {number, suffix};
}

struct Unit {
  std::string_view suffix;
  double factor;
};

template <std::size_t N>
double parse(std::string_view text, const std::string& where, const char* example, const std::array<Unit, N>& units,
             double largest) {
  const Quantity quantity = split(text, where, example);
  for (const Unit& unit : units) {
    if (unit.suffix != quantity.suffix) continue;
    const double value = quantity.number * unit.factor;
    if (value > largest) throw usage_error(where, fmt::format("'{}' is too large", text));
    return value;
  }
  throw usage_error(where, fmt::format("'{}' is not {}", text, example));
}

constexpr double K = 1024;
constexpr std::array<Unit, 8> duration_units{{{"", 1e9}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9},
                                              {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
constexpr std::array<Unit, 14> byte_units{{{"", 1}, {"B", 1}, {"k", K}, {"K", K}, {"KiB", K}, {"m", K * K}, {"M", K * K},
                                           {"MiB", K * K}, {"g", K * K * K}, {"G", K * K * K}, {"GiB", K * K * K},
                                           {"t", K * K * K * K}, {"T", K * K * K * K}, {"TiB", K * K * K * K}}};
constexpr std::array<Unit, 4> rate_units{{{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}}};

}  // namespace

Nanos parse_duration(std::string_view text, const std::string& where) {
  return Nanos(static_cast<Nanos::rep>(
      std::llround(parse(text, where, "a duration such as 2ms, 10s or 5m", duration_units, 1000 * 3600e9))));
}

Bytes parse_bytes(std::string_view text, const std::string& where) {
  return std::llround(parse(text, where, "a size such as 4096, 64KiB or 10MiB", byte_units, 0x1p60));
}

double parse_rate(std::string_view text, const std::string& where) {
  const char* example = "a rate above 0 such as 450, 20k or 1.5M";
  const double rate = parse(text, where, example, rate_units, 1e12);
  if (rate <= 0) throw usage_error(where, fmt::format("'{}' is not {}", text, example));
  return rate;
}

std::string format_duration(Nanos duration) {
  const double ns = static_cast<double>(duration.count());
  if (ns < 1e6) return fmt::format("{:.3g} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.3g} ms", ns / 1e6);
  if (ns < 120e9) return fmt::format("{:.3g} s", ns / 1e9);
  if (ns < 7200e9) return fmt::format("{:.3g} min", ns / 60e9);
  return fmt::format("{:.3g} h", ns / 3600e9);
}

std::string format_bytes(Bytes bytes) {
  double value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* next : {"KiB", "MiB", "GiB", "TiB", "PiB"}) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return fmt::format("{:.4g} {}", value, unit);
}

std::string format_count(double value) {
  std::string digits = fmt::format("{:.0f}", std::abs(value));
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
  return value < 0 && digits != "0" ? "-" + digits : digits;
}

std::string format_millis(double value) {
  if (value >= 100) return format_count(value);
  return fmt::format("{:.{}f}", value, value >= 10 ? 1 : value >= 1 ? 2 : value >= 0.1 ? 3 : 4);
}

std::string format_mib(double value) { return value >= 100 ? format_count(value) : fmt::format("{:.1f}", value); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t differs = a[i - 1] == b[j - 1] ? 0 : 1;
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + differs});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace edagen
