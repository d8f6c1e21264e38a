// Removing datasets outside of a run.
#pragma once

#include <string>

#include "base/stuck_watch.hpp"

namespace edagen {

/// Throws Error when `place` holds something else than a dataset of this user that no run uses. Changes nothing.
void check_dataset_at(const std::string& place, StuckWatch& watch);

/// Removes the dataset in `place`, a mounted directory or the URL of an NFS export, if there is one; with `id` only a
/// dataset of this id. Returns whether there was one, or an empty directory that a dataset has left. Throws Error.
bool remove_dataset_at(const std::string& place, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
