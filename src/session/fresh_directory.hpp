// The directories below $TMPDIR in which runs without a volume work.
#pragma once

#include <string>
#include <vector>

namespace edagen {

/// Where they are made. Throws Error (usage).
std::string place_of_fresh_directories();

/// Makes one. Throws Error (run).
std::string make_fresh_directory();

/// Those of this user whose runs were killed: they hold a dataset that no run uses. In the order of their names.
std::vector<std::string> fresh_directories_left();

}  // namespace edagen
