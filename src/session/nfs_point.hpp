// The NFS figures of a load point.
#pragma once

#include "edagen/parts/nfs_figures.hpp"
#include "edagen/search.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

/// What this host's NFS client counted in the window, per superblock, and what it means; nullopt: it counted nothing.
std::optional<NfsFigures> nfs_figures(const CurvePoint& point, const std::vector<NfsMountStats>& nfs);

}  // namespace edagen
