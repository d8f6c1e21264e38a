#include "result/result_json.hpp"

#include "result/schema_fields.hpp"

namespace edagen {

using IntervalOps = std::map<OpKind, IntervalOpFigures>;
using IntervalMounts = std::vector<IntervalOpFigures>;

template Document to_json(const Result&);
template Document to_json(const ComparisonResult&);
template Document to_json(const PointFigures&);
template Document to_json(const IntervalFigures&);
template Document to_json(const IntervalOps&);
template Document to_json(const IntervalMounts&);
template Document to_json(const StalenessFigures&);
template Document to_json(const RunFigures&);
template Document to_json(const VariantRun&);
template Document to_json(const AlternationFigures&);

template Result from_json(const Document&);
template ComparisonResult from_json(const Document&);
template PointFigures from_json(const Document&);

template Result from_checked_json(const Document&, const std::string&);
template ComparisonResult from_checked_json(const Document&, const std::string&);
template PointFigures from_checked_json(const Document&, const std::string&);
template IntervalFigures from_checked_json(const Document&, const std::string&);
template IntervalOps from_checked_json(const Document&, const std::string&);
template IntervalMounts from_checked_json(const Document&, const std::string&);
template StalenessFigures from_checked_json(const Document&, const std::string&);
template RunFigures from_checked_json(const Document&, const std::string&);
template VariantRun from_checked_json(const Document&, const std::string&);
template AlternationFigures from_checked_json(const Document&, const std::string&);

template Document schema_of<Result>();
template Document schema_of<ComparisonResult>();

std::string dumped(const Document& document, int indent) {
  return document.dump(indent, ' ', false, Document::error_handler_t::replace);
}

}  // namespace edagen
