// The result document ("edagen.result/1", workloads/schema/result.schema.json): everything a run says, as JSON.
// Tables, CSV and HTML are made from this document alone, so that a finished run can be shown again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "edagen/curve/load_curve.hpp"

namespace edagen {

using Document = nlohmann::ordered_json;

/// As JSON text, on one line without an `indent`; paths that are not UTF-8 get U+FFFD in place of their odd bytes.
std::string dumped(const Document& document, int indent = -1);

Document load_point_json(const CurvePoint& point);

/// Adds the load points (ascending by requested rate), the answers, the overall response time and the end.
void finish_document(Document& result, const Curve& curve, const std::string& status);

/// The full run next to an answer of `at_latency_target`; nullptr without a search.
const Document* judged_point(const Document& result, const Document& answer);

Document interval_json(const Interval& interval);

/// The machine this runs on.
Document host_json();

/// "2026-11-21T07:58:27Z"
std::string rfc3339_now();

}  // namespace edagen
