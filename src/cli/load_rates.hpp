// --points: which load points a curve has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace edagen {

/// As typed: a number of load points, or their loads.
struct GivenPoints {
  std::size_t count = 0;      ///< equally spaced up to the highest load; 0: `loads` are given
  std::vector<double> loads;  ///< ascending, two or more: ops/s, or job sets when load is added as job sets
};

/// "10"; "100:550:50", which is START:END:STEP; or "2k,4k,8k". Throws Error (usage) where it may mean something else.
GivenPoints parse_points(const std::string& text);

}  // namespace edagen
