// What differs between nights, as a terminal and a chat have room for it; documents and pages have all of it.
#pragma once

#include <fmt/format.h>

#include <string>

#include "edagen/error.hpp"

namespace edagen {

/// One line of any origin, of `bytes` at most. When it has more than two differences ("kernel '6.1' is '6.8' now; mount
/// ..."), or long ones, it is cut to the first, and to how many more there are.
inline std::string few_differences(const std::string& text, std::size_t bytes = 400) {
  constexpr std::size_t room = 200, most = 2;
  const std::string end = "' now";  // part_difference()
  std::size_t shown = 0, count = 0, more = 0;
  for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at)) {
    at += end.size();
    if (count == 0 || (count < most && more == 0 && at <= room)) shown = at, ++count;
    else ++more;
  }
  return more > 0 ? one_line(text.substr(0, shown)) + fmt::format(", and {} more", more) : one_line(text, bytes);
}

}  // namespace edagen
