// The file that says: edagen made this directory and may remove it.
#pragma once

#include <optional>
#include <string>

namespace edagen {

struct DatasetMarker {
  std::string id;           ///< random; the same on every mount of one run
  std::string fingerprint;  ///< DatasetPlan::fingerprint
  bool complete = false;
  std::string made_at;                 ///< RFC 3339
  std::optional<double> budget_bytes;  ///< that its files were fitted to; nullopt: to none, or nobody said
};

/// Of the dataset directory `directory_fd`; nullopt when there is none. Throws Error (usage) when what has its name is
/// not a regular file of the directory's owner that nobody else may write, or not what edagen writes. `path` is the
/// directory's, for messages.
std::optional<DatasetMarker> read_marker(int directory_fd, const std::string& path);
/// Replaces the marker in one step. Only while the dataset is locked. Throws Error (run).
void write_marker(int directory_fd, const DatasetMarker& marker, const std::string& path);

/// Names within the dataset directory: of the marker, and of one that is being written.
inline constexpr const char* marker_name = "edagen.dataset.json";
inline constexpr const char* new_marker_name = "edagen.dataset.json.new";

}  // namespace edagen
