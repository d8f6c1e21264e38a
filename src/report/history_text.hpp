// Many nights, for a terminal.
#pragma once

#include <string>
#include <vector>

#include "nights/night_changes.hpp"

namespace edagen {

/// A line for each night, the last `most`, with its verdict; then the figures and where they changed.
std::string history_text(const std::vector<Night>& nights, std::size_t most = 30);

/// "m: ops/s", or without a measurement's name "ops/s".
std::string figure_name(const std::string& measurement, const std::string& figure);
std::string night_summary(const Night& night);
/// Why no change of level is listed, though the first and the last night may differ by much.
std::string unchanged_text(const std::vector<FigureSeries>& series);
/// Whether the last night that has the figure measured a simulated volume.
bool is_simulated(const FigureSeries& series, const std::vector<Night>& nights);
/// Whether the night in which the figure has its sample `at` measured it in invalid runs alone.
bool is_invalid(const FigureSeries& series, std::size_t at, const std::vector<Night>& nights);
/// How many nights after the last one that has the figure measured its volume: no load met the target, the load
/// point was of no use, or its latency was a lower bound.
std::size_t nights_without(const FigureSeries& series, const std::vector<Night>& nights);
/// ", INVALID: 3 of 12 nights": of those that a change is the difference of; "" of none.
std::string invalid_nights_text(const NightChange& change);

}  // namespace edagen
