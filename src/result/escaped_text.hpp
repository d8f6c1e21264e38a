// Results hold text of whatever origin: names of workloads, paths, mount options, and the contents of files that were
// read. Shown as it is, an escape sequence in it would move the cursor, and a line feed would make a line of its own.
#pragma once

#include <type_traits>

#include "edagen/error.hpp"
#include "result/leaf_fields.hpp"

namespace edagen {

/// `value` with one_line() of all text: for all that is shown, and not for what is read again.
template <class T>
T with_escaped_text(const T& value) {
  return with_each_leaf(value, [](auto& leaf, const FieldRule&) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(leaf)>, std::string>)
      leaf = one_line(leaf, std::string::npos);
  });
}

}  // namespace edagen
