// The file that marks a directory as made by edagen, so that edagen may remove it.
#pragma once

#include <optional>
#include <string>

namespace edagen {

struct DatasetMarker {
  std::string id;           ///< random; the same on every mount of one run
  std::string fingerprint;  ///< DatasetPlan::fingerprint
  bool complete = false;
  std::string made_at;                 ///< RFC 3339
  std::optional<double> budget_bytes;  ///< budget to which its files were fitted; nullopt: none, or unknown
};

/// nullopt when the text is not what marker_text() gives.
std::optional<DatasetMarker> parse_marker(const std::string& text);
std::string marker_text(const DatasetMarker& marker);
inline constexpr std::size_t max_marker_bytes = 65'536;
/// Throws Error (usage): the marker in the directory `path` is not edagen's.
[[noreturn]] void refuse_marker(const std::string& path);

/// The marker in the dataset directory `directory_fd`; nullopt when there is none. Throws Error (usage) when the file
/// is not a regular file of the directory's owner that nobody else may write, or not what edagen writes. `path` is the
/// directory's, for messages.
std::optional<DatasetMarker> read_marker(int directory_fd, const std::string& path);
/// Replaces the marker atomically. The dataset must be locked. Throws Error (run).
void write_marker(int directory_fd, const DatasetMarker& marker, const std::string& path);

/// Names within the dataset directory: that of the marker, and of a marker that is being written.
inline constexpr const char* marker_name = "edagen.dataset.json";
inline constexpr const char* new_marker_name = "edagen.dataset.json.new";

}  // namespace edagen
