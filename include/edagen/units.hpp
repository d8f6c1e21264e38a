// Parsing and printing of quantities as people write them: "2ms", "64KiB", "1.5k".
// Parsers throw Error (usage) that names `where` and shows an example; they accept no sign and no junk, but
// commas between thousands.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

using Bytes = std::int64_t;
inline constexpr Bytes KiB = 1024;
inline constexpr Bytes MiB = 1024 * KiB;
inline constexpr Bytes GiB = 1024 * MiB;

/// Rounds down to a multiple of `unit` > 0; `value` >= 0.
constexpr Bytes round_down(Bytes value, Bytes unit) { return value / unit * unit; }
constexpr Bytes round_up(Bytes value, Bytes unit) { return (value + unit - 1) / unit * unit; }

/// "250us", "2ms", "10s", "5m", "1h30m"; a bare number is seconds. Range: 0 to 1,000 h.
Nanos parse_duration(std::string_view text, const std::string& where);
/// The same, but with a required unit, since a bare 2 could mean ms or s.
Nanos parse_latency(std::string_view text, const std::string& where);

/// "4096", "8k", "64KiB", "64MB", "1.5G": k, m, g, t, in either case and with or without B or iB, are powers of 1024,
/// as with fio. Range: 0 to 1 EiB.
Bytes parse_bytes(std::string_view text, const std::string& where);

/// "450", "20,000", "1.5k", "2M": operations per second, 1e-6 to 1e12.
double parse_rate(std::string_view text, const std::string& where);

/// "7", "20,000": digits alone, with commas between thousands or without; within [low, high].
std::uint64_t parse_whole(std::string_view text, const std::string& where, std::uint64_t low, std::uint64_t high);

std::string format_duration(Nanos duration);  ///< "250 us", "1.52 ms", "10 s", "5 min"
std::string format_bytes(Bytes bytes);        ///< "16 KiB", "1.2 GiB"
std::string format_count(double value);       ///< rounded, thousands separated by commas: "39,601"
/// "1 proc", "2,000 procs"
std::string counted(std::uint64_t count, std::string_view what);
std::string format_millis(double value);  ///< three digits or more: "0.0681", "1.52", "6,259"
std::string format_mib(double value);     ///< "71.6", "10,192"

/// The candidate with the smallest edit distance to `word`, and of several the one that begins like it; empty when none
/// is near: half the word would have to be changed.
template <class Range>
std::string nearest_name(std::string_view word, const Range& candidates);

/// The hint of a message about an unknown word: "did you mean 'b'? known: a, b, c". A word that is the beginning of a
/// name is near it, too. The folder of several names is printed once.
std::string known_names_hint(std::string_view word, const std::vector<std::string>& known);

/// Optimal string alignment distance (insert, delete, replace, swap neighbours).
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Range>
std::string nearest_name(std::string_view word, const Range& candidates) {
  std::string best;
  if (word.size() > 100) return best;
  std::size_t best_distance = (word.size() + 1) / 2, best_beginning = 0;
  for (const auto& candidate : candidates) {
    const std::string_view name = candidate;
    const std::size_t distance = edit_distance(word, name);
    const auto beginning = static_cast<std::size_t>(std::ranges::mismatch(word, name).in1 - word.begin());
    if (distance > best_distance || (distance == best_distance && beginning <= best_beginning)) continue;
    best = name, best_distance = distance, best_beginning = beginning;
  }
  return best;
}

}  // namespace edagen
