#include "workload/fio_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/words.hpp"
#include "workload/fio_term.hpp"

namespace edagen {
namespace {

constexpr double largest_number = 0x1p60;
constexpr std::size_t most_shares = 64;

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// fio's units: with the default kb_base=1024 "k", "kb" and "Ki" are 1024 and "KiB" is 1000; with kb_base=1000 it is
/// the other way round. (Its documentation has 1000 for "Ki" as well, its program has not.)
double byte_unit(const std::string& unit, const FioWord& word) {
  const std::string name = lower_case(unit);
  if (name.empty() || name == "b") return 1;
  const auto power = std::string_view("kmgtp").find(name.front());
  const std::string rest = name.substr(1);
  if (power == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "i" && rest != "ib"))
    word.refuse(fmt::format("'{}' has no unit that fio has", word.text()), "k, m, g, t or p, as in 4k");
  const bool other_base = rest == "ib";
  return std::pow((word.kb_base == 1024) == other_base ? 1000 : 1024, static_cast<double>(power) + 1);
}

double microseconds_unit(const std::string& unit, const FioWord& word) {
  const std::string name = lower_case(unit);
  if (name.empty() || name == "us" || name == "usec") return 1;
  if (name == "ms" || name == "msec") return 1e3;
  if (name == "s" || name == "sec") return 1e6;
  if (name == "m") return 60e6;
  if (name == "h") return 3600e6;
  if (name == "d") return 86400e6;
  word.refuse(fmt::format("'{}' is not a time", word.text()), "90, 90s, 2m, 3h or 1d");
}

/// A number and the letters behind it; `what` is the message about any other text.
struct NumberWithUnit {
  std::int64_t number = 0;
  std::string unit;
};
NumberWithUnit number_with_unit(const std::string& text, const FioWord& word, const char* what) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char *const begin = text.data() + (hexadecimal ? 2 : 0), *const end = text.data() + text.size();
  NumberWithUnit parsed;
  const auto [stop, error] = std::from_chars(begin, end, parsed.number, hexadecimal ? 16 : 10);
  parsed.unit.assign(stop, end);
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const bool has_unit_behind_hexadecimal = hexadecimal && !parsed.unit.empty();  // fio leaves it out without a word
  if (error != std::errc() || *begin == '-' || !std::ranges::all_of(parsed.unit, is_letter) ||
      has_unit_behind_hexadecimal) {
    const bool is_term = text.find_first_of("*+/^") != std::string::npos;
    word.refuse(fmt::format("'{}' is not {}", text, what), is_term ? "fio calculates within parentheses: (2*4k)" : "");
  }
  return parsed;
}

}  // namespace

FioDirections fio_directions(const FioWord& word) {
  const std::vector<std::string> parts = split_at(word.text(), ',');
  if (parts.size() > 3) word.refuse(fmt::format("'{}' has more than three values: reads, writes, trims", word.text()));
  FioDirections values;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (const std::string& part = parts[std::min(i, parts.size() - 1)]; !part.empty()) values[i] = part;
  return values;
}

std::int64_t fio_number(const std::string& text, const FioWord& word) {
  double number = 0;
  if (text.starts_with('(')) {
    number = std::trunc(fio_term(text, word, byte_unit));
  } else {
    const NumberWithUnit parsed = number_with_unit(text, word, "a whole number, with a unit or without");
    number = static_cast<double>(parsed.number) * byte_unit(parsed.unit, word);
  }
  if (!(number >= 0 && number <= largest_number)) word.refuse(fmt::format("'{}' is below 0 or above 2^60", text));
  return static_cast<std::int64_t>(number);
}

bool fio_bool(const FioWord& word) {
  if (!word.value) return true;
  const std::string text = word.text();
  const bool may_be = text.starts_with('0') || text.starts_with('1');  // "01" and "0x1" are 1, too
  const std::int64_t number = may_be ? fio_number(text, word) : -1;
  if (number != 0 && number != 1) word.refuse(fmt::format("'{}' is neither 0 nor 1", text));
  return number == 1;
}

Nanos fio_time(const std::string& text, const FioWord& word, Nanos bare) {
  double microseconds = 0;
  if (text.starts_with('(')) {
    microseconds = fio_term(text, word, microseconds_unit);
  } else {
    const NumberWithUnit parsed = number_with_unit(text, word, "a time such as 90, 90s or 2m");
    const double factor =
        parsed.unit.empty() ? static_cast<double>(bare.count()) / 1e3 : microseconds_unit(parsed.unit, word);
    microseconds = static_cast<double>(parsed.number) * factor;
  }
  if (!(microseconds >= 0 && microseconds <= 3.6e12)) word.refuse(fmt::format("'{}' is not 0 to 1,000 hours", text));
  return Nanos(std::llround(microseconds * 1e3));
}

std::int64_t fio_percent(const std::string& text, const FioWord& word) {
  const std::string number = text.starts_with('(') ? std::to_string(fio_number(text, word)) : text;
  const NumberWithUnit parsed = number_with_unit(number, word, "a share from 0 to 100");
  if (!parsed.unit.empty() || parsed.number > 100) word.refuse(fmt::format("'{}' is not a share from 0 to 100", text));
  return parsed.number;
}

FioRange fio_range(const std::string& text, const FioWord& word, bool single) {
  const auto middle = text.find_first_of("-:");
  if (middle == std::string::npos && !single)
    word.refuse(fmt::format("'{}' is not a range", text), "low-high, such as 4k-64k");
  const std::string low = text.substr(0, middle);
  FioRange range{fio_number(low, word), fio_number(middle == std::string::npos ? low : text.substr(middle + 1), word)};
  if (range.low > range.high) std::swap(range.low, range.high);
  if (range.low < 1) word.refuse(fmt::format("'{}' begins below 1", text));
  return range;
}

std::vector<FioShare> fio_split(const std::string& text, const FioWord& word) {
  std::vector<FioShare> shares;
  std::vector<std::size_t> without_share;
  std::int64_t given = 0;
  for (const std::string& part : split_at(text.substr(0, text.size() - (text.ends_with(':') ? 1 : 0)), ':')) {
    const auto slash = part.find('/');
    const std::string share = slash == std::string::npos ? "" : part.substr(slash + 1);
    const Bytes size = fio_number(part.substr(0, slash), word);
    if (size < 1) word.refuse(fmt::format("'{}' has a size below 1", text));
    const std::int64_t percent = share.empty() ? 0 : fio_percent(share, word);
    if (share.empty()) without_share.push_back(shares.size());
    shares.push_back({size, static_cast<double>(percent)});
    given += percent;
  }
  if (shares.size() > most_shares)
    word.refuse(fmt::format("has {} sizes; fio has up to {}", shares.size(), most_shares));
  if (given > 100 && !without_share.empty())
    word.refuse(fmt::format("'{}' has shares of {} % and nothing left for sizes that have none", text, given));
  for (const std::size_t i : without_share)
    shares[i].percent = static_cast<double>(100 - given) / static_cast<double>(without_share.size());
  // fio draws in ascending order of shares, and the largest share ends at 100 % whatever the shares sum to.
  std::ranges::stable_sort(shares, {}, &FioShare::percent);
  double sum = 0;
  for (FioShare& share : shares) {
    const double begin = std::min(sum, 100.0);
    sum += share.percent;
    share.percent = (&share == &shares.back() ? 100.0 : std::min(sum, 100.0)) - begin;
  }
  return shares;
}

std::vector<std::string> fio_paths(const FioWord& word) {
  std::vector<std::string> paths(1);
  const std::string text = word.text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':') paths.back() += text[++i];
    else if (text[i] == ':') paths.emplace_back();
    else paths.back() += text[i];
  }
  std::erase(paths, "");
  if (!word.value || paths.empty()) word.refuse("has no value");
  return paths;
}

}  // namespace edagen
