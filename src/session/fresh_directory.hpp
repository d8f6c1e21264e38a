// The directories below $TMPDIR in which runs without a volume work.
#pragma once

#include <string>
#include <vector>

namespace edagen {

/// $TMPDIR, or /tmp. Throws Error (usage).
std::string place_of_fresh_directories();

/// Makes a directory there, and returns its path. Throws Error (run), or Error (usage) where there is no $TMPDIR.
std::string make_fresh_directory();

/// Removes `directory`, out of which a dataset was removed, when it is one that make_fresh_directory() has made and
/// nothing else is in it.
void remove_fresh_directory(const std::string& directory);

/// The directories of this user whose runs were killed, which hold a dataset that no run uses, sorted by name. Throws
/// Error (usage).
std::vector<std::string> fresh_directories_left();

}  // namespace edagen
