// What a person reads of a curve.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "edagen/result.hpp"
#include "report/text_table.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// `search_blocks`: with the load points of a search, too, that show no answer by themselves. `beside`: what others
/// have measured.
std::string curve_text(const Result& result, bool search_blocks, const std::vector<LoadTable>& beside);

/// "load point, 5 job sets"; of a sweep or of repeats which one it is.
std::string point_name(const Result& result, const PointFigures& point);
std::string load_points_title(const Result& result);
TextTable load_point_table(const Result& result, const std::vector<const PointFigures*>& points);
/// "At 1,000, 2,000 ops/s this host's processors were 95 % busy or more: ...": points, valid ones, too, of which the
/// latency may be this host's, as where it is the limit of an answer; "" of none.
std::string busy_points_text(const Result& result, const std::vector<const PointFigures*>& points);
/// "Overall response time 1.20 ms (...)", and what it is of where that is no mean response. `result` has one.
std::string overall_response_time_text(const Result& result);

/// The I/O rate and MiB/s of an answer: "> 20,000", "none", "not known".
std::pair<std::string, std::string> answer_cells(const Result& result, const AnswerFigures& answer);

}  // namespace edagen
