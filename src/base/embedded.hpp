// Files that were put into the binary when it was built (cmake/Embed.cmake).
#pragma once

#include <string_view>
#include <vector>

namespace edagen {

struct EmbeddedFile {
  std::string_view path;  ///< as in the source tree: "workloads/eda_mixed.json"
  struct Extent {
    const char* begin;
    const char* end;
  } extent;
  std::string_view content() const { return {extent.begin, static_cast<std::size_t>(extent.end - extent.begin)}; }
};

/// Sorted by path.
const std::vector<EmbeddedFile>& embedded_files();

/// The content of `path`; throws std::logic_error when there is no such file.
std::string_view embedded_file(std::string_view path);

}  // namespace edagen
