// What a result holds before anything is measured.
#pragma once

#include "session/run_site.hpp"

namespace edagen {

Result run_header(const RunPlan& plan, const RunSite& site);

/// How data goes to and from files in this run.
IoFigures io_figures(const RunPlan& plan, const RunSite& site);

/// As that of a dataset and memory (plan_warnings.hpp), of the volume as it is found.
std::string cache_warning(const RunPlan& plan, const RunSite& site);

}  // namespace edagen
