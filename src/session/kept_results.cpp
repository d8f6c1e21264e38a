#include "session/kept_results.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/destination.hpp"
#include "base/pattern.hpp"
#include "edagen/error.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "session/outputs.hpp"

namespace edagen {

namespace fs = std::filesystem;

namespace {

Error unusable(const Place& place, const std::string& why) {
  return usage_error(fmt::format("{} {}", place.name, place.path), why);
}

/// The whole path without slashes at its end, which need not exist. Throws Error (usage) when it is a link of another
/// user in a directory that all may write.
fs::path own_path(const Place& place) {
  std::error_code ignored;
  fs::path itself = (fs::absolute(place.path, ignored) / "").parent_path();
  try {
    static_cast<void>(destination_of(itself.string()));
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::permission_denied) throw unusable(place, error.code().message());
  }
  return itself;
}

}  // namespace

std::string KeptResults::file(std::size_t variant, std::size_t repeat) const {
  if (plan_.results_directory.empty()) return "";
  constexpr std::size_t most_bytes = 200;  // most file systems allow 255 in a name, whose beginning is unique
  std::string name = plan_.variants[variant].name.substr(0, most_bytes);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '=') c = '_';
  return fmt::format("{}/{}-{}-{}.json", plan_.results_directory, variant + 1, name, repeat + 1);
}

std::vector<std::string> KeptResults::files() const {
  std::vector<std::string> all;
  if (plan_.results_directory.empty()) return all;
  StuckWatch::Thread self(watch_);
  self.call_started("looking at results", plan_.results_directory);
  for (std::size_t variant = 0; variant < plan_.variants.size(); ++variant)
    for (std::size_t repeat = 0; repeat < plan_.repeats; ++repeat) all.push_back(file(variant, repeat));
  static const Pattern kept(R"(^\d+-.*-\d+\.json$)");
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(plan_.results_directory, error))
    if (kept.is_in(entry.path().filename().string())) all.push_back(entry.path().string());
  return all;
}

void KeptResults::check_directory(const std::vector<std::string>& mounts) const {
  if (plan_.results_directory.empty()) return;
  const Place place{"results", plan_.results_directory};
  StuckWatch::Thread self(watch_);
  check_not_in_dataset(place, mounts, self);
  self.call_started("looking at results", place.path);
  std::error_code ignored;
  const fs::path itself = own_path(place);
  if (fs::is_directory(itself, ignored)) return;
  const bool is_other = fs::exists(itself, ignored);
  if (is_other || !fs::is_directory(itself.parent_path(), ignored))
    throw unusable(place, std::strerror(is_other ? ENOTDIR : ENOENT));
}

void KeptResults::make_directory() const {
  if (plan_.results_directory.empty()) return;
  StuckWatch::Thread self(watch_);
  self.call_started("making", plan_.results_directory);
  const Place place{"results", plan_.results_directory};
  std::error_code error;
  fs::create_directory(place.path, error);
  if (error) throw unusable(place, error.message());
  static_cast<void>(own_path(place));  // what has taken the place meanwhile counts as one that is there
}

std::optional<Result> KeptResults::read(std::size_t variant, std::size_t repeat) const {
  const std::string path = file(variant, repeat);
  if (path.empty()) return std::nullopt;
  StuckWatch::Thread self(watch_);
  self.call_started("reading", path);
  std::error_code error;
  if (!fs::exists(path, error)) return std::nullopt;
  return read_unedited_result(path);
}

bool KeptResults::write(std::size_t variant, std::size_t repeat, const Result& result) const {
  const std::string path = file(variant, repeat);
  if (path.empty()) return true;
  const Output<Result> output{{"result", path}, json_text<Result>, true};
  return write_outputs(std::vector{output}, result, watch_);
}

}  // namespace edagen
