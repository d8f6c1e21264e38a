// Results as JSON, both ways, and the schemas of what edagen writes: all are made from the fields() of the structs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "edagen/comparison_result.hpp"
#include "result/document_digest.hpp"
#include "result/document_kind.hpp"

namespace edagen {

using Document = nlohmann::ordered_json;

template <>
inline constexpr DocumentKind document_kind<Result> = {
    "edagen.result/1", "edagen result",
    "What a run found. A MiB is 2^20 bytes; latencies are in milliseconds; I/O rate is completed operations of every "
    "kind per second.",
    true};
template <>
inline constexpr DocumentKind document_kind<ComparisonResult> = {
    "edagen.compare/1", "edagen comparison", "What a comparison of variants found, from interleaved repeats of each.",
    true};

// The templates below are there for Result, ComparisonResult, and what lines of journals hold of them: load points,
// intervals, ops of an interval by kind and by mount, staleness. result_json.cpp names each type: one that is missing
// there is not found by the linker in a build of single files. Their definitions, for other types, are in
// result/schema_fields.hpp.

template <class Figures>
Document to_json(const Figures& figures);

/// Members that are not there keep their defaults. Throws nlohmann::json::exception when a type does not fit.
template <class Figures>
Figures from_json(const Document& document);

/// Throws Error (usage) when the document does not fit the schema; `where` names the document.
template <class Figures>
Figures from_checked_json(const Document& document, const std::string& where);

/// The JSON Schema of what to_json() returns.
template <class Figures>
Document schema_of();

/// As JSON text, on one line without an `indent`; paths that are not UTF-8 get U+FFFD in place of their odd bytes.
std::string dumped(const Document& document, int indent = -1);

/// A whole document, in lines.
template <IsDocument What>
std::string json_text(const What& what) {
  Document document = to_json(what);
  return dumped(document_kind<What>.has_digest ? with_digest(std::move(document)) : document, 2) + "\n";
}

}  // namespace edagen
