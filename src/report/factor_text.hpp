// What each factor of a comparison does, alone and with the others.
#pragma once

#include <string>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "report/text_table.hpp"

namespace edagen {

/// "I/O rate at 2 ms"; `target`: " at 2 ms", or "" when latencies at a rate are compared.
std::string figure_name(const FactorEffects& effects, const std::string& target);
/// A row for each factor.
TextTable factor_table(const FactorEffects& effects);
/// Two rows for each pair of factors: the effect of each without and with the other.
TextTable pair_table(const FactorEffects& effects);
/// "I/O rate at 2 ms by nocto: +1.9 % to +14.6 %", of each factor with an effect on what is compared. The runs of all
/// combinations show it, so that its interval can be narrower than that of one combination against the first.
std::vector<std::string> factor_answers(const FactorEffects& effects, const std::string& figure);
/// A sentence for each other factor, with its dependence on others where that is shown, and what is not known.
std::vector<std::string> factor_sentences(const FactorEffects& effects, const std::string& figure);
/// The tables and sentences for a terminal; "" without factors.
std::string factor_text(const ComparisonResult& comparison, const std::string& target);

}  // namespace edagen
