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
constexpr std::size_t most_marker_bytes = 65'536;

}  // namespace

std::optional<DatasetMarker> read_marker(int directory_fd, const std::string& path) {
  const Descriptor file = open_own_file(directory_fd, marker_name, O_RDONLY, path);
  if (!file) return std::nullopt;
  const auto text = read_own_file(file.get(), most_marker_bytes, path);
  // A marker is flat: nested documents are refused before they nest deep enough to harm.
  const auto shallow = [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) { return depth < 2; };
  const auto json = text ? nlohmann::json::parse(*text, shallow, false) : nlohmann::json();
  const auto has = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
  if (!json.is_object() || !has("schema") || json["schema"] != schema || !has("id") || json["id"] == "" ||
      !has("fingerprint") || !has("state") || !has("made_at"))
    throw usage_error(path + "/" + marker_name, "is not a marker of edagen's", "move the directory away");
  const bool fitted = json.contains("budget_bytes") && json["budget_bytes"].is_number();
  return DatasetMarker{.id = json["id"],
                       .fingerprint = json["fingerprint"],
                       .complete = json["state"] == "complete",
                       .made_at = json["made_at"],
                       .budget_bytes = fitted ? std::optional(json["budget_bytes"].get<double>()) : std::nullopt};
}

void write_marker(int directory_fd, const DatasetMarker& marker, const std::string& path) {
  nlohmann::json json = {{"schema", schema},
                         {"id", marker.id},
                         {"fingerprint", marker.fingerprint},
                         {"state", marker.complete ? "complete" : "building"},
                         {"made_at", marker.made_at}};
  if (marker.budget_bytes) json["budget_bytes"] = *marker.budget_bytes;
  const std::string text = json.dump(2) + "\n";
  if (!replace_file(directory_fd, marker_name, new_marker_name, text))
    throw run_error(path + "/" + marker_name, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace edagen
