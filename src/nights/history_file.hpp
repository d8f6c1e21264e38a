// The nights that are kept in a directory: DIR/nights.jsonl, a line each.
#pragma once

#include <string>
#include <vector>

#include "base/own_file.hpp"
#include "base/text_file.hpp"
#include "nights/night.hpp"
#include "result/history_directory.hpp"

namespace edagen {

inline constexpr Bytes max_history = largest_result / 2;  ///< size of the lines that are kept

struct History {
  std::vector<Night> nights;  ///< ascending in time; of two lines for one night on one host the last one counts
  std::vector<Night> ahead;   ///< nights of a wrong clock: see read_history()
  std::size_t left_out = 0;   ///< broken lines
  bool broken_end = false;    ///< whether the last line is broken, so that the last night may be missing
};

/// `path`: a directory of nights, or a file with their lines, which may be several histories put together. Broken
/// lines, as of a full disk, are left out. Nights after `latest` (RFC 3339; empty: a day from now) go into `ahead`,
/// unless all nights are: a clock that once ran ahead does not block the nights after it. Throws Error (usage) when the
/// file cannot be read or holds lines but no night.
History read_history(const std::string& path, const std::string& latest = "");

/// The same for an open directory, whose file only this user may be able to write. No nights when there is no file yet.
History read_own_history(const OwnDirectory& directory);

/// Adds nights that are not in the file, where read_history() would put them.
void add_nights(History& history, std::vector<Night> more);

/// What is not in `nights`: "broken lines left out: 2; nights of the future left out: 1", or "".
std::string left_out_in_words(const History& history);

/// Adds a line, which is on the disk when this returns. A failure leaves no part of a line, and a part that a crash has
/// left is ended first. Throws Error (run).
void append_night(const OwnDirectory& directory, const Night& night);

/// Whether the file is larger than max_history, so that keep_nights() is due.
bool has_too_many_bytes(const OwnDirectory& directory);

/// Keeps the last `most` nights, of `max_bytes` together at most, and all broken lines, in a file that replaces the old
/// one. Throws Error (run; usage when the file cannot be read).
void keep_nights(const OwnDirectory& directory, std::size_t most, Bytes max_bytes = max_history);

/// A night of one measurement, made from a result.
Night night_of(const Result& result, const std::string& measurement, const std::string& file);

}  // namespace edagen
