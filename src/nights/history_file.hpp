// The nights that are kept in a directory: DIR/nights.jsonl, a line each.
#pragma once

#include <string>
#include <vector>

#include "base/own_file.hpp"
#include "base/text_file.hpp"
#include "nights/night.hpp"
#include "result/history_directory.hpp"

namespace edagen {

inline constexpr Bytes most_history = largest_result / 2;  ///< of the lines that are kept

struct History {
  std::vector<Night> nights;  ///< ascending in time; of two lines for one night on one host the last one counts
  std::vector<Night> ahead;   ///< of a clock that was wrong: see read_history()
  std::size_t left_out = 0;   ///< lines that are none
  bool broken_end = false;    ///< the last line is one of them: the last night may be missing
};

/// `path`: a directory of nights, or a file of such lines, also of several put together. Lines that are broken, as by a
/// full disk, are left out. Nights after `latest` (RFC 3339; empty: a day from now) are apart when others are not: a
/// clock that once ran ahead does not block all nights after it. Throws Error (usage) when it cannot
/// be read or holds lines and no night.
History read_history(const std::string& path, const std::string& latest = "");

/// The same of a directory that is open; its file must be this user's alone to write. No nights when there is none yet.
History read_own_history(const OwnDirectory& directory);

/// With nights that are not in the file, each where read_history() puts it.
void add_nights(History& history, std::vector<Night> more);

/// "broken lines left out: 2; nights of the future left out: 1", or nothing: what is not in `nights`.
std::string left_out_in_words(const History& history);

/// Adds a line, on the disk when this returns. A part of a line is never left: before it, one that a crash has left is
/// ended. Throws Error (run).
void append_night(const OwnDirectory& directory, const Night& night);

/// Whether the file is larger than most_history, so that keep_nights() is due.
bool has_too_many_bytes(const OwnDirectory& directory);

/// Keeps the last `most` nights, as far as they are no more than `most_bytes`, and lines that are none as they are, by
/// a file that takes the place of the old one. Throws Error (run; usage when it cannot be read).
void keep_nights(const OwnDirectory& directory, std::size_t most, Bytes most_bytes = most_history);

/// A result as a night of one measurement, for a history of files.
Night night_of(const Result& result, const std::string& measurement, const std::string& file);

}  // namespace edagen
