#include "dataset/lock_holder.hpp"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/rfc3339.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The start of a process; 0 when there is no such process, or it has ended and its parent has not waited for it.
std::uint64_t start_of(long pid) {
  const std::string line = line_of(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = line.rfind(')');  // the name may hold any character
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  if (state == "Z" || state == "X") return 0;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  std::uint64_t start = 0;
  fields >> start;
  return start;
}

/// The name spaces of processes and of time, of which containers have their own.
std::string name_spaces() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string() + " " +
         std::filesystem::read_symlink("/proc/self/ns/time", ignored).string();
}

/// Whether the last renewal is too old. A text that is no time is none.
bool is_expired(const std::string& renewed) {
  const std::optional<std::time_t> time = parse_rfc3339(renewed);
  return time && std::time(nullptr) - *time > lock_expiry_seconds;
}

/// Whether the holder last wrote its name before this host was started. Another machine may have the same host name.
bool is_before_start_of_host(const LockHolder& holder) {
  timespec up{};
  ::clock_gettime(CLOCK_BOOTTIME, &up);
  const std::optional<std::time_t> written = parse_rfc3339(holder.renewed.empty() ? holder.since : holder.renewed);
  return written && *written < std::time(nullptr) - up.tv_sec;
}

}  // namespace

LockHolder this_process() {
  char host[HOST_NAME_MAX + 1] = {};
  ::gethostname(host, sizeof host - 1);
  return {.host = host,
          .boot = line_of("/proc/sys/kernel/random/boot_id"),
          .since = rfc3339_now(),
          .spaces = name_spaces(),
          .pid = ::getpid(),
          .started = start_of(::getpid()),
          .renewed = {}};
}

std::optional<LockHolder> parse_lock_holder(const std::string& text) {
  const auto flat = [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) { return depth < 2; };
  const auto json = nlohmann::json::parse(text, flat, false);
  if (!json.is_object()) return std::nullopt;
  for (const char* const key : {"host", "boot", "since"})
    if (!json.contains(key) || !json[key].is_string()) return std::nullopt;
  for (const char* const key : {"pid", "started"})
    if (!json.contains(key) || !json[key].is_number_unsigned()) return std::nullopt;
  const auto text_of = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : std::string();
  };
  return LockHolder{.host = json["host"],
                    .boot = json["boot"],
                    .since = json["since"],
                    .spaces = text_of("namespaces"),
                    .pid = json["pid"],
                    .started = json["started"],
                    .renewed = text_of("renewed")};
}

std::string lock_text(const LockHolder& holder) {
  nlohmann::json json = {{"host", holder.host}, {"boot", holder.boot},       {"namespaces", holder.spaces},
                         {"pid", holder.pid},   {"started", holder.started}, {"since", holder.since}};
  if (!holder.renewed.empty()) json["renewed"] = holder.renewed;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

bool has_ended(const LockHolder& holder) {
  const LockHolder me = this_process();
  if (!holder.renewed.empty() && is_expired(holder.renewed)) return true;
  if (holder.boot != me.boot) return holder.host == me.host && is_before_start_of_host(holder);
  const bool is_visible = holder.spaces.empty() || holder.spaces == me.spaces;
  return is_visible && me.started != 0 && holder.started != 0 && start_of(holder.pid) != holder.started;
}

std::string taken_text(const LockHolder& holder) {
  return fmt::format("is used by process {} on {} by now", holder.pid, holder.host);
}

void refuse_holder(const std::optional<LockHolder>& holder, const std::string& path, const std::string& hint) {
  if (!holder) throw usage_error(path, "is in use by another edagen", hint);
  throw usage_error(path,
                    fmt::format("is in use by edagen, process {} on {}, since {}{}", holder->pid, holder->host,
                                holder->since, holder->renewed.empty() ? "" : ", last renewed " + holder->renewed),
                    hint);
}

}  // namespace edagen
