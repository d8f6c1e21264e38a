// What a person reads of the answers of a curve: the rates at its latency targets, why they are invalid, and what mends
// that.
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"

namespace edagen {

/// "2 ms mean response"
std::string target_name(const AnswerFigures& answer);

/// The headline, why it is invalid and what mends that, its confidence interval, and what demonstrates it.
std::string curve_answer_text(const Result& result, const AnswerFigures& answer);

/// Why load points that were asked for are invalid: those that the exit status counts (exit_status.cpp), as an overload
/// beyond the highest answer is expected; and their stalls, to which these reasons refer. Not what ended the load,
/// where the answers have that, nor a stall that is in `said`. "" of a search.
std::string invalid_points_text(const Result& result, const std::string& said);

/// Why it is not known whether no load meets the target, as where this host was the limit; empty: it is known.
std::vector<Invalid> other_reasons(const AnswerFigures& answer);

}  // namespace edagen
