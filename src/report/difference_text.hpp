// What differs between nights, as a terminal and a chat have room for it; documents and pages have all of it.
#pragma once

#include <string>

#include "base/part_difference.hpp"
#include "edagen/error.hpp"

namespace edagen {

/// One line of any origin, of `bytes` at most where it has no differences ("kernel '6.1' is '6.8' now; mount ...").
/// The first two of these are left, or the first of long ones, and how many more there are.
inline std::string few_differences(const std::string& text, std::size_t bytes = 400) {
  const std::string few = shortened_difference(text, 2, 200);
  return few.empty() ? one_line(text, bytes) : few;
}

}  // namespace edagen
