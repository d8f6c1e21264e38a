// Finds files in a dataset that edagen has not made.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include "base/stuck_watch.hpp"
#include "dataset/dataset_root.hpp"

namespace edagen {

/// Throws Error (usage) about a file that is not of the dataset and that building or restoring would lose.
[[noreturn]] void refuse_foreign(const std::string& path);

/// Throws Error (usage) when the dataset of `root`, whose directories are `depth` deep, has a foreign name anywhere, or
/// something other than a directory under a directory's name, or a mount on a directory. Throws Error (run) when a
/// directory cannot be listed. Changes nothing and follows no link. Directories of procs ("c0003/p01") for which
/// `skips` is true are not entered.
void check_for_foreign(const DatasetRoot& root, int depth, const std::function<bool(const std::string&)>& skips,
                       std::size_t threads, const std::stop_token& stop, StuckWatch& watch);

}  // namespace edagen
