// What nights keep in the directory of their history, by name, so that no other output takes its place.
#pragma once

#include <string>

namespace edagen {

inline constexpr const char* nights_file = "nights.jsonl";
inline constexpr const char* results_folder = "results";
inline constexpr const char* night_lock = "lock";
inline constexpr const char* night_marker = "edagen.night";  ///< in each folder of a night's results

/// Whether a file is there that is the lock of a history, its lines, or among the results of one of its nights.
bool is_kept_in_history(const std::string& path);

}  // namespace edagen
