// Results hold text of whatever origin: names of workloads, paths, mount options, what a file says that was read. Shown
// as it is, an escape sequence in it would move the cursor, a line feed make a line of its own.
#pragma once

#include "result/result_json.hpp"

namespace edagen {

/// The same with one_line() of all text. For all that is shown, and not for what is read again.
Result inert(const Result& result);
ComparisonResult inert(const ComparisonResult& comparison);
Document inert(const Document& document);

}  // namespace edagen
