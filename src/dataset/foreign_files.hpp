// What lies in a dataset although edagen has not made it.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>

#include "base/stuck_watch.hpp"
#include "dataset/dataset_root.hpp"

namespace edagen {

/// Whether a file system gives that name to an open file that was removed.
bool is_of_removed_file(const char* name);

/// Throws Error (usage), naming it: it is not of the dataset, and building or restoring would lose it.
[[noreturn]] void refuse_foreign(const std::string& path);

/// Throws Error (usage) when anywhere in the dataset of `root` something lies whose name, for its place, is none of a
/// dataset whose directories are `depth` deep, or what has the name of a directory and is none, or has something
/// mounted on it; Error (run) when a directory cannot be listed. Changes nothing, follows no link. Directories of procs
/// ("c0003/p01") of which `skips` is true are not looked into.
void check_for_foreign(const DatasetRoot& root, int depth, const std::function<bool(const std::string&)>& skips,
                       std::size_t threads, const std::stop_token& stop, StuckWatch& watch);

}  // namespace edagen
