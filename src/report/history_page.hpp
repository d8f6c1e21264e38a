// Many nights as one HTML file that needs nothing else.
#pragma once

#include <string>
#include <vector>

#include "nights/night_changes.hpp"

namespace edagen {

/// A result of a night that is laid over those of others.
struct NightCurve {
  std::string measurement;
  Result result;
};

/// Each figure over the nights with intervals, changes marked, what each night was measured with, the curves of each
/// measurement laid over each other, and links to the nights' own reports: beside the files of their runs, which are
/// relative to the page. A run without a file has no link.
std::string history_html(const std::vector<Night>& nights, const std::vector<NightCurve>& curves);

}  // namespace edagen
