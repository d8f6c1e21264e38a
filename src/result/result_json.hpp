// Results as JSON, both ways: the one place that knows the members' names. The schemas are in workloads/schema/.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "edagen/comparison_result.hpp"

namespace edagen {

using Document = nlohmann::ordered_json;

Document to_json(const Result& result);
Document to_json(const PointFigures& point);
Document to_json(const IntervalFigures& interval);
Document to_json(const std::map<OpKind, IntervalOpFigures>& ops);  ///< by the kind's name
Document to_json(const ComparisonResult& comparison);
Document to_json(const StalenessFigures& staleness);
/// What a run's end adds to its header: status, dates and answers, without the load points.
Document end_json(const Result& result);

/// Members that are not there keep their defaults. Throws nlohmann::json::exception when a type does not fit: check the
/// schema first.
Result result_from_json(const Document& document);
PointFigures point_from_json(const Document& document);
IntervalFigures interval_from_json(const Document& document);
ComparisonResult comparison_from_json(const Document& document);
StalenessFigures staleness_from_json(const Document& document);
/// Adds what end_json() wrote.
void add_end(Result& result, const Document& document);

/// As JSON text, on one line without an `indent`; paths that are not UTF-8 get U+FFFD in place of their odd bytes.
std::string dumped(const Document& document, int indent = -1);

/// A whole document: what has a to_json(), in lines. Documents of results have a digest (result/document_digest.hpp).
template <class What>
std::string json_text(const What& what) {
  return dumped(to_json(what), 2) + "\n";
}
template <>
std::string json_text(const Result& result);
template <>
std::string json_text(const ComparisonResult& comparison);

}  // namespace edagen
