// The file that says: edagen made this directory and may remove it.
#pragma once

#include <optional>
#include <string>

namespace edagen {

struct DatasetMarker {
  std::string id;           ///< random; the same on every mount of one volume
  std::string fingerprint;  ///< DatasetPlan::fingerprint
  bool complete = false;
  std::string made_at;      ///< RFC 3339
};

/// Of the dataset directory `directory_fd`; nullopt when there is no marker that edagen wrote.
std::optional<DatasetMarker> read_marker(int directory_fd);
/// Replaces the marker in one step. Throws Error (run).
void write_marker(int directory_fd, const DatasetMarker& marker);
/// The marker's name within the dataset directory.
inline constexpr const char* marker_name = "edagen.dataset.json";

}  // namespace edagen
