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

/// A list "read,write,trim". A direction that has no value of its own has the one before it; an empty one has none.
using FioDirections = std::array<std::optional<std::string>, 2>;
FioDirections fio_directions(const FioWord& word);

/// "4k", "0x1000", "1MiB", "(4*1k)". All parsers throw Error (usage).
std::int64_t fio_number(const std::string& text, const FioWord& word);
inline std::int64_t fio_number(const FioWord& word) { return fio_number(word.text(), word); }
/// "0" and "1"; a word without a value is true.
bool fio_bool(const FioWord& word);
/// "90", "2m", "1d"; `bare` is the unit of a number that has none.
Nanos fio_time(const std::string& text, const FioWord& word, Nanos bare);
/// A share in percent, from 0 to 100.
std::int64_t fio_percent(const std::string& text, const FioWord& word);

struct FioRange {
  Bytes low = 0, high = 0;
};
/// "4k-64k" or "4k:64k"; a single size is a range where `single` allows it.
FioRange fio_range(const std::string& text, const FioWord& word, bool single);

struct FioShare {
  Bytes size = 0;
  double percent = 0;
};
/// "4k/50:64k/": sizes with shares. What has no share gets an equal part of what is left.
std::vector<FioShare> fio_split(const std::string& text, const FioWord& word);

/// "/mnt/a:/mnt/b"; "\:" is a colon within a name.
std::vector<std::string> fio_paths(const FioWord& word);

}  // namespace edagen
