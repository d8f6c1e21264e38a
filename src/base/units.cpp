#include "edagen/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/number.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

/// Returns "20000k" for "20,000k": commas are removed when exactly three digits follow each of them.
std::string without_commas(std::string_view text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789,"));
  std::string plain;
  for (std::size_t at = 0; at <= digits.size();) {
    const std::size_t comma = std::min(digits.find(',', at), digits.size()), length = comma - at;
    if (at == 0 ? length < 1 || (length > 3 && comma != digits.size()) : length != 3) return std::string(text);
    plain += digits.substr(at, length);
    at = comma + 1;
  }
  return plain.append(text.substr(digits.size()));
}

struct Unit {
  std::string_view suffix;
  double factor;
};

struct Quantity {
  double value;
  double factor;  ///< of the unit
};

Error not_this(std::string_view text, const std::string& where, const char* example) {
  return usage_error(where, fmt::format("'{}' is not {}", text, example));
}

/// A number and its unit; `whole` is the whole text, `example` a right one for the message.
template <std::size_t N>
Quantity parse(std::string_view text, std::string_view whole, const std::string& where, const char* example,
               const std::array<Unit, N>& units, double largest) {
  const std::string plain = without_commas(text);
  double number = 0;
  const char* const end = plain.data() + plain.size();
  const auto [stop, error] = std::from_chars(plain.data(), end, number, std::chars_format::fixed);
  const std::string_view suffix(stop, static_cast<std::size_t>(end - stop));
  const auto unit = std::find_if(units.begin(), units.end(), [&](const Unit& known) { return known.suffix == suffix; });
  if (error != std::errc() || !std::isfinite(number) || number < 0 || unit == units.end())
    throw not_this(whole, where, example);
  if (number * unit->factor > largest) throw usage_error(where, fmt::format("'{}' is too large", whole));
  return {number * unit->factor, unit->factor};
}

constexpr double K = 1024;
constexpr const char* duration_example = "a duration such as 2ms, 10s, 5m or 1h30m";
constexpr std::array<Unit, 8> duration_units{
    {{"", 1e9}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
constexpr std::array<Unit, 6> byte_units{{{"", 1}, {"b", 1}, {"k", K}, {"m", K* K}, {"g", K* K* K}, {"t", K* K* K* K}}};
constexpr std::array<Unit, 4> rate_units{{{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}}};
constexpr double largest_rate = 1e8;  ///< ops/s; an op that was due and has not ended is counted in 10 ns
constexpr double longest_duration = 1000 * 3600e9;

}  // namespace

Nanos parse_duration(std::string_view text, const std::string& where) {
  double total = 0, unit_before = 0;
  for (std::size_t at = 0; at == 0 || at < text.size();) {
    const std::size_t unit = std::min(text.find_first_not_of("0123456789.,", at), text.size());
    const std::size_t end = std::min(text.find_first_of("0123456789", unit), text.size());
    const bool alone = at == 0 && end == text.size();
    const Quantity part =
        parse(text.substr(at, end - at), text, where, duration_example, duration_units, longest_duration);
    if (!alone && (unit == end || (at > 0 && part.factor >= unit_before)))
      throw not_this(text, where, duration_example);
    total += part.value;
    unit_before = part.factor;
    at = std::max<std::size_t>(end, 1);
  }
  if (total > longest_duration) throw usage_error(where, fmt::format("'{}' is too large", text));
  return Nanos(std::llround(total));
}

Nanos parse_latency(std::string_view text, const std::string& where) {
  const Nanos latency = parse_duration(text, where);
  if (text.find_first_not_of("0123456789.,") == std::string_view::npos)
    throw usage_error(where, fmt::format("'{0}' has no unit: {0}ms or {0}s?", text));
  return latency;
}

Bytes parse_bytes(std::string_view text, const std::string& where) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view tail : {"ib", "b"}) {  // KiB and kB are k
    if (lower.size() <= tail.size() || !lower.ends_with(tail)) continue;
    const std::size_t size = lower.size() - tail.size();
    if (std::string_view("kmgt").find(lower[size - 1]) != std::string_view::npos) lower.resize(size);
  }
  const char* const example = "a size such as 4096, 64KiB, 64MB or 10G";
  const Quantity size = parse(lower, text, where, example, byte_units, 0x1p60);
  if (size.factor == 1 && size.value != std::floor(size.value)) throw not_this(text, where, example);
  return std::llround(size.value);
}

std::uint64_t parse_whole(std::string_view text, const std::string& where, std::uint64_t low, std::uint64_t high) {
  const auto number = whole_number_of<std::uint64_t>(without_commas(text));
  if (!number || *number < low || *number > high)
    throw usage_error(where, fmt::format("'{}' is not a whole number from {} to {}", text, low, high));
  return *number;
}

double parse_rate(std::string_view text, const std::string& where) {
  const char* const example = "a rate of 0.000001 or more such as 450, 20k or 1.5M";
  const double rate = parse(text, text, where, example, rate_units, largest_rate).value;
  if (rate < 1e-6) throw not_this(text, where, example);
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

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", format_count(static_cast<double>(count)), what, count == 1 ? "" : "s");
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

std::string known_names_hint(std::string_view word, const std::vector<std::string>& known) {
  std::string list, folder;
  for (const std::string& name : known) {
    const std::size_t slash = name.find('/') + 1;  // 0 without a folder
    const bool is_next = name.substr(0, slash) == folder;
    if (!is_next && !folder.empty()) list += '}';
    list += list.empty() ? "" : ", ";
    if (!is_next && slash > 0) list += name.substr(0, slash) + "{";
    list += name.substr(slash);
    folder = name.substr(0, slash);
  }
  if (!folder.empty()) list += '}';
  std::string near = nearest_name(word, known);
  if (near.empty() && word.size() >= 3)
    if (const auto longer = std::ranges::find_if(known, [&](const auto& name) { return name.starts_with(word); });
        longer != known.end())
      near = *longer;
  return (near.empty() ? "" : fmt::format("did you mean '{}'? ", near)) + "known: " + list;
}

}  // namespace edagen
