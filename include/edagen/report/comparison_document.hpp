// The document of a comparison ("edagen.compare/1") and its text.
#pragma once

#include <string>
#include <vector>

#include "edagen/compare/comparison.hpp"
#include "edagen/compare/staleness.hpp"
#include "edagen/report/result_document.hpp"

namespace edagen {

/// What a comparison takes from one run.
struct RunFigures {
  double ops_per_sec = 0, mib_per_sec = 0;  ///< at the latency target, or achieved
  double response_ms = 0;                   ///< mean
  double rpcs_per_op = 0;                   ///< of NFS mounts; 0: none
  std::vector<std::string> invalid = {};    ///< why it says little; empty: it is valid
};

RunFigures figures_of(const Document& result, bool at_target);
std::string figure_text(const RunFigures& figures, bool at_target);

/// `at`: the latency target, as people say it ("2ms"); empty when latencies at a rate are compared.
Document comparison_document(const std::vector<std::string>& command, const std::string& at);
/// Variants are compared with the first that was added, repeat by repeat.
/// `staleness` is staleness_json(), or null.
void add_variant(Document& comparison, const std::string& name, const std::string& what, const std::vector<RunFigures>& runs,
                 bool at_target, Document staleness = nullptr);
void finish_comparison(Document& comparison, const std::string& status);
/// Of all its runs.
bool is_valid(const Document& comparison);

Document staleness_json(const Staleness& staleness);
std::string staleness_text(const Document& staleness);

std::string comparison_text(const Document& comparison);

}  // namespace edagen
