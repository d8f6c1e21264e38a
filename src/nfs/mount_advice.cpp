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
  if ((has_option(options, "soft") || has_option(options, "softerr")) && !has_option(options, "ro"))
    advice.push_back("a soft mount loses writes when the server is slow: use hard");
  if (has_option(options, "fsc"))
    advice.push_back("reads may come from a cache on a local disk (fsc): latencies are not the server's alone");
  // A lock op is one of fcntl.
  if (has_option(options, "nolock") || is("local_lock", "all") || is("local_lock", "posix"))
    advice.push_back("locks stay on this host (nolock or local_lock): no lock op goes to the server");
  else if (is("local_lock", "flock"))
    advice.push_back("locks by flock stay on this host (local_lock=flock): other hosts do not see them");
  return advice;
}

/// The first of the options that is 0; "": none.
std::string first_zero(const std::string& options, const std::vector<const char*>& names) {
  for (const char* const name : names)
    if (option_number(options, name) == 0) return fmt::format("{}=0", name);
  return "";
}

/// Options of a mount that cost much.
std::vector<std::string> slow_options(const std::string& options) {
  std::vector<std::string> advice;
  const auto is = [&](const char* name, const char* value) { return option_value(options, name) == value; };
  const bool noac = has_option(options, "noac"), is_udp = is("proto", "udp") || is("proto", "udp6");
  const bool is_written = !has_option(options, "ro");
  // The kernel begins with the shortest time and doubles it up to the longest: either 0 ends the caching.
  if (const std::string zero = noac ? "noac" : first_zero(options, {"acregmin", "acregmax"}); !zero.empty())
    advice.push_back(fmt::format("attributes are not cached ({}): every stat goes to the server", zero));
  else if (const std::string of_directories = first_zero(options, {"acdirmin", "acdirmax"}); !of_directories.empty())
    advice.push_back(fmt::format(
        "attributes of directories are not cached ({}): every lookup in one goes to the server", of_directories));
  if (has_option(options, "sync") && !noac && is_written)  // noac has the kernel print sync as well
    advice.push_back("writes wait for the server one by one (sync): every write call is a write to its disks");
  if (is("write", "wait") && is_written)
    advice.push_back("writes wait for the server one by one (write=wait): every write call is an RPC");
  for (const char* const flavor : {"krb5i", "krb5p"})
    if (is("sec", flavor))
      advice.push_back(fmt::format("sec={}: checksums{} of all RPCs take processors of client and server", flavor,
                                   is("sec", "krb5p") ? " and encryption" : ""));
  if (is("xprtsec", "tls") || is("xprtsec", "mtls"))
    advice.push_back("encryption of all RPCs (xprtsec) takes processors of client and server");
  const bool resends =
      !nfs_version(options).starts_with("4") && option_value(options, "proto").value_or("tcp").starts_with("tcp");
  if (const auto timeo = option_number(options, "timeo"); timeo && *timeo < 100 && resends)
    advice.push_back(
        fmt::format("timeo={}: over TCP, requests that are sent again after {} s load a slow server twice; "
                    "600 is the default",
                    *timeo, static_cast<double>(*timeo) / 10));
  if (is("lookupcache", "none"))
    advice.push_back("names are not cached (lookupcache=none): every path is looked up at the server");
  else if (is("lookupcache", "pos") || is("lookupcache", "positive"))
    advice.push_back("missing names are not cached (lookupcache=pos): every search along a path goes to the server");
  if (is_udp) advice.push_back("UDP: use TCP");  // which has no transfers above 32 KiB
  for (const std::string size : {"rsize", "wsize"})
    if (const auto bytes = option_number(options, size.c_str());
        bytes && *bytes < 65'536 && !is_udp && (is_written || size == "rsize"))
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
    if (const std::string differs = option_difference(mount.options, mounts.front().options); !differs.empty())
      say(mount, fmt::format("options differ from those of {}: {}", mounts.front().mount_point, differs));
  std::vector<std::string> advice;
  for (const auto& [which, what] : of_mounts) advice.push_back(which + ": " + what);
  // A session has slots of its own, as RDMA and UDP have.
  const auto has_such_slots = [](const NfsMountStats& mount) {
    const std::string protocol = mount.connections.empty() ? "" : mount.connections.front().protocol;
    return !mount.has_session && protocol != "udp" && protocol != "rdma";
  };
  if (const auto slots = settings.sysctls.find(slot_table); slots != settings.sysctls.end() &&
                                                            std::atol(slots->second.c_str()) > 128 &&
                                                            std::ranges::any_of(mounts, has_such_slots))
    advice.push_back(fmt::format("{} is {}: many servers execute at most 128 requests per connection; set 128 or less",
                                 slot_table, slots->second));
  if (!settings.clock_synchronised)
    advice.push_back(
        "the client's clock is not synchronised: programs that compare the server's times with it, as make does, go "
        "wrong");
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
