// The grammar of the values of fio's options: numbers with units, times, lists for each direction, ranges and shares.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "edagen/units.hpp"
#include "workload/fio_word.hpp"

namespace edagen {

/// A list "read,write,trim". A missing value is that of the direction before; an empty value is none.
using FioDirections = std::array<std::optional<std::string>, 2>;
FioDirections fio_directions(const FioWord& word);

/// Parses "4k", "0x1000", "1MiB", "(4*1k)". All parsers throw Error (usage).
std::int64_t fio_number(const std::string& text, const FioWord& word);
inline std::int64_t fio_number(const FioWord& word) { return fio_number(word.text(), word); }
/// Parses "0" and "1"; a word without a value is true.
bool fio_bool(const FioWord& word);
/// Parses "90", "2m", "1d"; `bare` is the unit of a number without a unit.
Nanos fio_time(const std::string& text, const FioWord& word, Nanos bare);
/// A share in percent, from 0 to 100.
std::int64_t fio_percent(const std::string& text, const FioWord& word);

struct FioRange {
  Bytes low = 0, high = 0;
};
/// Parses "4k-64k" or "4k:64k"; a single size is a range when `single` is true.
FioRange fio_range(const std::string& text, const FioWord& word, bool single);

struct FioShare {
  Bytes size = 0;
  double percent = 0;
};
/// Parses sizes with shares, "4k/50:64k/". Sizes without a share divide the rest equally.
std::vector<FioShare> fio_split(const std::string& text, const FioWord& word);

/// Parses "/mnt/a:/mnt/b"; "\:" is a colon within a name.
std::vector<std::string> fio_paths(const FioWord& word);

}  // namespace edagen
