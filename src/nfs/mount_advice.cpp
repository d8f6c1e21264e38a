#include "nfs/mount_advice.hpp"

#include <fmt/format.h>
#include <sys/timex.h>

#include <algorithm>
#include <fstream>

#include "edagen/units.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

constexpr const char* slot_table = "sunrpc.tcp_max_slot_table_entries";

/// The words of a file, one blank between them; nullopt when it cannot be read.
std::optional<std::string> words_of(const std::string& path) {
  std::ifstream file(path);
  std::string all;
  for (std::string word; file >> word;) all += (all.empty() ? "" : " ") + word;
  if (all.empty()) return std::nullopt;
  return all;
}

}  // namespace

const std::map<std::string, std::string>& recommended_sysctls() {
  static const std::map<std::string, std::string> all = {{"net.core.wmem_max", "16777216"},
                                                         {"net.core.wmem_default", "1048576"},
                                                         {"net.core.rmem_max", "16777216"},
                                                         {"net.core.rmem_default", "1048576"},
                                                         {"net.ipv4.tcp_rmem", "1048576 8388608 16777216"},
                                                         {"net.ipv4.tcp_wmem", "1048576 8388608 16777216"},
                                                         {"net.core.optmem_max", "4194304"},
                                                         {"net.core.somaxconn", "65535"},
                                                         {"net.ipv4.tcp_mem", "4096 89600 8388608"},
                                                         {"net.ipv4.tcp_window_scaling", "1"},
                                                         {"net.ipv4.tcp_timestamps", "0"},
                                                         {"net.ipv4.tcp_no_metrics_save", "1"},
                                                         {"net.ipv4.ip_local_port_range", "1024 65000"},
                                                         {"net.ipv4.tcp_slow_start_after_idle", "0"},
                                                         {"net.core.netdev_max_backlog", "300000"},
                                                         {"net.ipv4.tcp_sack", "0"},
                                                         {"net.ipv4.tcp_dsack", "0"},
                                                         {"vm.dirty_expire_centisecs", "30000"},
                                                         {"vm.dirty_writeback_centisecs", "30000"}};
  return all;
}

ClientSettings read_client_settings(const std::vector<NfsMountStats>& mounts) {
  ClientSettings settings;
  const auto read = [&](const std::string& name) {
    std::string path = "/proc/sys/" + name;
    std::replace(path.begin(), path.end(), '.', '/');
    if (const auto value = words_of(path)) settings.sysctls[name] = *value;
  };
  for (const auto& [name, unused] : recommended_sysctls()) read(name);
  read(slot_table);
  for (const NfsMountStats& mount : mounts)
    if (const auto value = words_of("/sys/class/bdi/" + mount.device + "/read_ahead_kb"))
      settings.read_ahead_kib[mount.mount_point] = std::atoi(value->c_str());
  timex clock{};
  settings.clock_synchronised = ::adjtimex(&clock) != TIME_ERROR;
  return settings;
}

namespace {

/// Options of a mount with which data are lost, or with which a run measures something else than the server.
std::vector<std::string> wrong_options(const std::string& options) {
  std::vector<std::string> advice;
  const auto is = [&](const char* name, const char* value) { return option_value(options, name) == value; };
  if (has_option(options, "soft") || has_option(options, "softerr"))
    advice.push_back("a soft mount loses writes when the server is slow: use hard");
  if (has_option(options, "fsc"))
    advice.push_back("reads may come from a cache on a local disk (fsc): latencies are not the server's alone");
  if (has_option(options, "nolock") || is("local_lock", "all") || is("local_lock", "flock"))
    advice.push_back("locks stay on this host (nolock or local_lock): no lock op goes to the server");
  return advice;
}

/// Options of a mount that cost much.
std::vector<std::string> slow_options(const std::string& options) {
  std::vector<std::string> advice;
  const auto is = [&](const char* name, const char* value) { return option_value(options, name) == value; };
  const bool noac = has_option(options, "noac");
  if (noac || option_number(options, "acregmax") == 0)
    advice.push_back("attributes are not cached (noac or actimeo=0): every stat goes to the server");
  else if (option_number(options, "acdirmax") == 0)
    advice.push_back("attributes of directories are not cached (acdirmax=0): every lookup in one goes to the server");
  if (has_option(options, "sync") && !noac)  // noac has the kernel print sync as well
    advice.push_back("writes wait for the server one by one (sync): every write call is a write to its disks");
  if (is("lookupcache", "none"))
    advice.push_back("names are not cached (lookupcache=none): every path is looked up at the server");
  else if (is("lookupcache", "pos") || is("lookupcache", "positive"))
    advice.push_back("missing names are not cached (lookupcache=pos): every search along a path goes to the server");
  if (is("proto", "udp") || is("proto", "udp6")) advice.push_back("UDP: use TCP");
  for (const char* const size : {"rsize", "wsize"})
    if (const auto bytes = option_number(options, size); bytes && *bytes < 65'536)
      advice.push_back(fmt::format("{}={} is below 64 KiB; 262144 is recommended", size, *bytes));
  return advice;
}

}  // namespace

bool has_asked_connections(const std::string& options, std::size_t connections) {
  const auto number = static_cast<long>(connections);
  const long asked = std::max(1L, option_number(options, "nconnect").value_or(1));
  const long further_addresses = std::max(1L, option_number(options, "max_connect").value_or(1)) - 1;
  return number >= asked && number - asked <= further_addresses;
}

std::vector<std::string> mount_advice(const std::vector<NfsMountStats>& mounts, const ClientSettings& settings) {
  std::vector<std::pair<std::string, std::string>> of_mounts;  // which, and what: once for all that it is true of
  const auto say = [&](const NfsMountStats& mount, const std::string& text) {
    const auto said = std::ranges::find(of_mounts, text, &std::pair<std::string, std::string>::second);
    if (said == of_mounts.end()) of_mounts.emplace_back(mount.mount_point, text);
    else said->first += ", " + mount.mount_point;
  };
  for (const NfsMountStats& mount : mounts) {
    if (mount.hidden_below > 0)
      say(mount, fmt::format("this mount hides {} on the same directory, which nothing reaches until it is unmounted",
                             counted(mount.hidden_below, "mount")));
    if (const std::size_t real = mount.connections.size(); real > 0 && !has_asked_connections(mount.options, real))
      say(mount, fmt::format("nconnect={} was asked for, but there {} {}: all mounts of one server address have the "
                             "connections of the first one made to it",
                             option_number(mount.options, "nconnect").value_or(1), real == 1 ? "is" : "are", real));
    for (const std::string& text : wrong_options(mount.options)) say(mount, text);
  }
  for (const NfsMountStats& mount : mounts)
    for (const std::string& text : slow_options(mount.options)) say(mount, text);
  for (const NfsMountStats& mount : mounts)
    if (const auto ahead = settings.read_ahead_kib.find(mount.mount_point);
        ahead != settings.read_ahead_kib.end() && ahead->second < 512)
      say(mount,
          fmt::format("read-ahead is {} KiB; large sequential reads want more (/sys/class/bdi/.../read_ahead_kb)",
                      ahead->second));
  for (const NfsMountStats& mount : mounts)
    if (comparable_options(mount.options) != comparable_options(mounts.front().options))
      say(mount, "options differ from those of " + mounts.front().mount_point);
  std::vector<std::string> advice;
  for (const auto& [which, what] : of_mounts) advice.push_back(which + ": " + what);
  if (const auto slots = settings.sysctls.find(slot_table);
      slots != settings.sysctls.end() && std::atol(slots->second.c_str()) > 128)
    advice.push_back(fmt::format("{} is {}: a server executes at most 128 requests per connection; set 128 or less",
                                 slot_table, slots->second));
  if (!settings.clock_synchronised)
    advice.push_back("the client's clock is not synchronised: attribute caching compares times of client and server");
  return advice;
}

std::vector<std::string> sysctl_advice(const ClientSettings& settings) {
  std::vector<std::string> advice;
  for (const auto& [name, value] : recommended_sysctls())
    if (const auto found = settings.sysctls.find(name); found != settings.sysctls.end() && found->second != value)
      advice.push_back(fmt::format("{} is {}, not {} as with published EDA results", name, found->second, value));
  return advice;
}

}  // namespace edagen
