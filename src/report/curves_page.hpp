// What pages of results and of comparisons share: curves over each other, kinds of op and settings side by side.
#pragma once

#include <map>
#include <utility>

#include "edagen/comparison_result.hpp"
#include "report/page_blocks.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// A curve of a chart, under its name where there are several.
struct NamedCurve {
  std::string name;
  std::vector<VariantPoint> points;
  std::vector<AnswerFigures> answers;
};
/// What others have measured.
NamedCurve curve_of(const LoadTable& table);
void add_curves(Document& blocks, const std::vector<NamedCurve>& curves);

/// Mean responses by kind of op, beside each other; nothing of fewer than two.
void add_op_kinds(Document& blocks, const std::vector<std::pair<std::string, std::map<OpKind, Millis>>>& means);

using Settings = std::vector<std::pair<std::string, std::string>>;
/// What was measured with what, side by side; what differs is marked.
void add_configurations(Document& blocks, const std::vector<std::pair<std::string, Settings>>& all);
/// A table of settings.
Document settings_table(const Settings& settings);
/// `run` is a Result or a VariantRun.
Settings load_settings(const auto& run);
/// The host and the program, of a Result or a ComparisonResult.
Settings origin_settings(const auto& document);

}  // namespace edagen
