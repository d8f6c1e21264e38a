#include "edagen/dataset/dataset_marker.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "edagen/core/descriptor.hpp"
#include "edagen/core/error.hpp"

namespace edagen {
namespace {

constexpr const char* schema = "edagen.dataset/1";
constexpr const char* temporary_name = "edagen.dataset.json.new";

}  // namespace

std::optional<DatasetMarker> read_marker(int directory_fd) {
  const Descriptor file(::openat(directory_fd, marker_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return std::nullopt;
  std::string text(64 * 1024, 0);
  const ssize_t length = ::read(file.get(), text.data(), text.size());
  if (length <= 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(length));
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("schema", "") != schema || !json.contains("id")) return std::nullopt;
  return DatasetMarker{json.value("id", ""), json.value("fingerprint", ""), json.value("state", "") == "complete",
                       json.value("made_at", "")};
}

void write_marker(int directory_fd, const DatasetMarker& marker) {
  const nlohmann::json json = {{"schema", schema},
                               {"id", marker.id},
                               {"fingerprint", marker.fingerprint},
                               {"state", marker.complete ? "complete" : "building"},
                               {"made_at", marker.made_at}};
  const std::string text = json.dump(2) + "\n";
  Descriptor file(
      ::openat(directory_fd, temporary_name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
  const bool written = file && ::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                       ::fsync(file.get()) == 0 && file.close() == 0 &&
                       ::renameat(directory_fd, temporary_name, directory_fd, marker_name) == 0;
  if (!written) throw run_error(marker_name, std::string("cannot be written: ") + std::strerror(errno));
}

}  // namespace edagen
