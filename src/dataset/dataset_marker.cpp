#include "dataset/dataset_marker.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/descriptor.hpp"
#include "base/own_file.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr const char* schema = "edagen.dataset/1";

}  // namespace

std::optional<DatasetMarker> parse_marker(const std::string& text) {
  // A marker is flat: nested documents are refused before they nest deep enough to harm.
  const auto shallow = [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) { return depth < 2; };
  const auto json = nlohmann::json::parse(text, shallow, false);
  const auto has = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
  if (!json.is_object() || !has("schema") || json["schema"] != schema || !has("id") || json["id"] == "" ||
      !has("fingerprint") || !has("state") || !has("made_at"))
    return std::nullopt;
  const bool fitted = json.contains("budget_bytes") && json["budget_bytes"].is_number();
  return DatasetMarker{.id = json["id"],
                       .fingerprint = json["fingerprint"],
                       .complete = json["state"] == "complete",
                       .made_at = json["made_at"],
                       .budget_bytes = fitted ? std::optional(json["budget_bytes"].get<double>()) : std::nullopt};
}

std::string marker_text(const DatasetMarker& marker) {
  nlohmann::json json = {{"schema", schema},
                         {"id", marker.id},
                         {"fingerprint", marker.fingerprint},
                         {"state", marker.complete ? "complete" : "building"},
                         {"made_at", marker.made_at}};
  if (marker.budget_bytes) json["budget_bytes"] = *marker.budget_bytes;
  return json.dump(2) + "\n";
}

void refuse_marker(const std::string& path) {
  throw usage_error(path + "/" + marker_name, "is not a marker of edagen's", "move the directory away");
}

std::optional<DatasetMarker> read_marker(int directory_fd, const std::string& path) {
  std::optional<std::string> text;
  // With nocto an NFS client opens a file that another client has replaced, and finds out when it reads (ESTALE). The
  // next open gets the new file.
  for (int left = 2;; --left) {
    try {
      const Descriptor file = open_own_file(directory_fd, marker_name, O_RDONLY, path);
      if (!file) return std::nullopt;
      text = read_own_file(file.get(), max_marker_bytes, path);
      break;
    } catch (const Error& error) {
      if (left == 0 || error.kind() != Error::Kind::run) throw;
    }
  }
  std::optional<DatasetMarker> marker = text ? parse_marker(*text) : std::nullopt;
  if (!marker) refuse_marker(path);
  return marker;
}

void write_marker(int directory_fd, const DatasetMarker& marker, const std::string& path) {
  if (!replace_file(directory_fd, marker_name, new_marker_name, marker_text(marker)))
    throw run_error(path + "/" + marker_name, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace edagen
