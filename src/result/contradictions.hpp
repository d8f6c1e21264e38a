// Figures of one document that cannot all be true.
#pragma once

#include <string>

#include "result/result_json.hpp"

namespace edagen {

/// Throws Error (usage) that names the first place in a document, or in a part of one, where percentiles do not ascend,
/// a mean is above its maximum, something is valid for which there are reasons not to be or that has no rate, or a load
/// point
/// - has kinds of op, or clients, that are not together all its ops,
/// - has a rate or a share that is not what its ops, bytes and seconds give, or none although enough ops ended,
/// - has intervals that are not together its window and its ops,
/// - has groups that are not together its rate, or have more procs than the run, or no rate that could be requested,
/// - has a mean response that is not service and lag, or two means of the generator's lag,
/// - has errors, ops outstanding or stuck, or no ops, and is not invalid for that,
/// - is judged by a statistic that is none of its latencies, or not the one that the answers of its search name,
/// or an answer
/// - is outside its interval, or not met and has a rate,
/// - is valid without a demonstration, or, of a search, with one more than 5 % below it,
/// - is demonstrated above its target or its rate, or by a load point of another rate, or one that cannot show it,
/// - has MiB/s that no load point's MiB per op gives.
/// What is complete has no failure, and overall response time is not below 0.
/// What rounding does is let pass: 1 % between percentiles, 1e-5 of what follows from counts. So is what is not there,
/// and what counts other ops: latencies and generator_lag are of the ops that were due in the window, all else is of
/// those that ended in it; errors are of both, so that those of clients and intervals are fewer.
void check_contradictions(const Document& document, const std::string& where);

}  // namespace edagen
