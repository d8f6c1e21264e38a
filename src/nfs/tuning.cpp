#include "edagen/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <sstream>

#include "base/definition_file.hpp"
#include "base/json_schema.hpp"
#include "base/words.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs/mount_advice.hpp"
#include "nfs/nfs_option_table.hpp"
#include "nfs/tuning_checks.hpp"

namespace edagen {
namespace {

const DefinitionFolder folder{"workloads/tunings/", "tunings"};

/// Sysctls of the network, the NFS client and its write-back, besides those that are recommended: harmless for a host
/// as a whole, and set back after a run (which vm.dirty_bytes could not be: the kernel takes no 0).
constexpr const char* harmless_sysctls =
    "net.core.busy_poll net.core.busy_read net.core.dev_weight net.core.netdev_budget "
    "net.core.netdev_budget_usecs net.core.netdev_max_backlog net.core.optmem_max "
    "net.core.rps_sock_flow_entries net.ipv4.tcp_adv_win_scale net.ipv4.tcp_autocorking "
    "net.ipv4.tcp_congestion_control net.ipv4.tcp_dsack net.ipv4.tcp_ecn net.ipv4.tcp_frto "
    "net.ipv4.tcp_limit_output_bytes net.ipv4.tcp_low_latency net.ipv4.tcp_moderate_rcvbuf "
    "net.ipv4.tcp_mtu_probing net.ipv4.tcp_notsent_lowat net.ipv4.tcp_pacing_ca_ratio "
    "net.ipv4.tcp_pacing_ss_ratio net.ipv4.tcp_recovery net.ipv4.tcp_reordering net.ipv4.tcp_sack "
    "net.ipv4.tcp_tso_win_divisor net.ipv4.udp_mem net.ipv4.udp_rmem_min net.ipv4.udp_wmem_min "
    "fs.nfs.nfs_callback_tcpport fs.nfs.nfs_congestion_kb fs.nfs.nfs_mountpoint_timeout "
    "fs.nfs.nlm_grace_period fs.nfs.nlm_timeout sunrpc.max_resvport sunrpc.min_resvport "
    "sunrpc.rdma_inline_write_padding sunrpc.rdma_max_inline_read sunrpc.rdma_max_inline_write "
    "sunrpc.rdma_memreg_strategy sunrpc.rdma_pad_optimize sunrpc.rdma_slot_table_entries "
    "sunrpc.tcp_fin_timeout sunrpc.tcp_max_slot_table_entries sunrpc.tcp_slot_table_entries "
    "sunrpc.udp_slot_table_entries vm.dirty_background_ratio vm.dirty_expire_centisecs vm.dirty_ratio "
    "vm.dirty_writeback_centisecs vm.vfs_cache_pressure";

const std::set<std::string>& known_sysctls() {
  static const std::set<std::string> known = [] {
    std::istringstream names(harmless_sysctls);
    std::set<std::string> all(std::istream_iterator<std::string>{names}, std::istream_iterator<std::string>{});
    for (const auto& [name, value] : recommended_sysctls()) all.insert(name);
    return all;
  }();
  return known;
}

void check_sysctls(const Tuning& tuning, const std::string& where) {
  for (const auto& [name, value] : tuning.sysctls) {
    if (!known_sysctls().contains(name))
      throw usage_error(where, fmt::format("'{}' is not a sysctl of the network or of NFS that a tuning may set", name),
                        did_you_mean(name, known_sysctls()));
    if (value.find_first_not_of(" \t\n\r") == std::string::npos)
      throw usage_error(where, fmt::format("{} has no value: it would not be set", name));
    if (value.find_first_of("\n\r") != std::string::npos)
      throw usage_error(where, fmt::format("the value of {} has more than one line", name));
  }
}

/// With this option of mount(8), mount changes another mount, makes a directory or carries out a program.
bool has_other_effects(const std::string& name) {
  static const std::set<std::string> others = {"bind",    "rbind",    "move",       "remount",     "loop",     "offset",
                                               "private", "rprivate", "shared",     "rshared",     "slave",    "rslave",
                                               "helper",  "uhelper",  "unbindable", "runbindable", "sizelimit"};
  return others.contains(name) || name.starts_with("x-mount.") || name.starts_with("X-mount.");
}

}  // namespace

void check_tuning_options(const std::string& options, const std::string& where) {
  if (options.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=.:-,%/@+") !=
      std::string::npos)
    throw usage_error(where, fmt::format("'{}' holds a character that no NFS option has", options));
  const auto read = parse_mount_options(options);
  if (!read) throw usage_error(where, fmt::format("'{}' are not mount options", options));
  for (const auto& [name, value] : *read) {
    if (name == "ro") throw usage_error(where, "'ro' leaves nothing to measure: a dataset is written first");
    if (has_other_effects(name))
      throw usage_error(where, fmt::format("'{}' has mount(8) do something else than mount the export", name));
    if (name == "sharecache")
      throw usage_error(where, "'sharecache' cannot be in force: each tuning has a mount of its own (nosharecache)");
    const bool is_comment = name.size() > 2 && (name.starts_with("x-") || name.starts_with("X-"));
    if (is_comment) continue;
    if (!nfs_option_names().contains(name))
      throw usage_error(where, fmt::format("'{}' is not an NFS mount option", name),
                        did_you_mean(name, nfs_option_names()));
    if (const std::string wrong = wrong_value({name, value}); !wrong.empty())
      throw usage_error(where, fmt::format("'{}{}{}': {}", name, value.empty() ? "" : "=", value, wrong));
  }
}

std::string same_tuning(const Tuning& tuning, const std::vector<Tuning>& others) {
  const auto is_same = [&](const Tuning& other) {
    return other.sysctls == tuning.sysctls && other.read_ahead_kib == tuning.read_ahead_kib &&
           settings_in_force(other.options) == settings_in_force(tuning.options);
  };
  const auto found = std::ranges::find_if(others, is_same);
  return found == others.end() ? "" : found->name;
}

std::vector<std::string> builtin_tuning_names() { return folder.names(); }

std::vector<Tuning> load_tunings(const std::string& name_or_path) {
  const nlohmann::json document = folder.read(name_or_path);
  check_schema(document, "workloads/schema/tunings.schema.json", name_or_path);
  std::vector<Tuning> tunings;
  for (std::size_t i = 0; i < document.at("tunings").size(); ++i) {
    const auto& node = document.at("tunings")[i];
    Tuning tuning;
    tuning.name = node.at("name");
    tuning.options = node.at("options");
    if (node.contains("sysctls")) tuning.sysctls = node.at("sysctls");
    if (node.contains("recommended_sysctls") && node.at("recommended_sysctls").get<bool>())
      tuning.sysctls.insert(recommended_sysctls().begin(), recommended_sysctls().end());
    if (node.contains("read_ahead_kib")) tuning.read_ahead_kib = node.at("read_ahead_kib").get<int>();
    const std::string where = fmt::format("{}#/tunings/{}", name_or_path, i);
    check_tuning_options(tuning.options, where + "/options");
    check_sysctls(tuning, where + "/sysctls");
    for (const Tuning& other : tunings)
      if (other.name == tuning.name)
        throw usage_error(where + "/name", fmt::format("'{}' is there twice", tuning.name));
    tunings.push_back(std::move(tuning));
  }
  return tunings;
}

namespace {

/// Whether an option after the one at `place` sets the same: the last one counts, and actimeo sets four times.
bool is_set_again(const std::vector<MountOption>& options, std::size_t place, const std::string& name) {
  const auto sets_it = [&](const MountOption& later) {
    return setting_of(later.name) == setting_of(name) || (later.name == "actimeo" && attribute_times().contains(name));
  };
  return std::any_of(options.begin() + static_cast<std::ptrdiff_t>(place) + 1, options.end(), sets_it);
}

/// Why an option that only some versions have is not in force; empty: it is, or it is none of these.
std::string missing_in_version(const MountOption& option, const NfsMountStats& mount) {
  const auto& [name, value] = option;
  const std::string locks = option_value(mount.options, "local_lock").value_or("none");
  if (name == "nolock" && !has_option(mount.options, "nolock") && locks != "all") return "locks go to the server";
  if (name == "local_lock" && locks != value) return "it is " + locks;
  if ((name == "max_connect" || name == "trunkdiscovery") && !mount.has_session)
    return "only NFSv4.1 and newer have it";
  return "";
}

}  // namespace

std::vector<std::string> not_in_force(const Tuning& tuning, const NfsMountStats& mount) {
  static const std::set<std::string> flags = {"nocto",      "noac",       "noacl", "soft",      "softerr",
                                              "hard",       "nordirplus", "sync",  "softreval", "posix",
                                              "noresvport", "migration",  "fsc"};
  static const std::set<std::string> numbers = {"rsize",    "wsize",    "timeo",    "retrans",
                                                "acregmin", "acregmax", "acdirmin", "acdirmax"};
  const auto has = [&](const std::string& name) { return has_option(mount.options, name.c_str()); };
  const auto number = [&](const std::string& name) { return option_number(mount.options, name.c_str()); };
  std::vector<std::string> missing;
  const std::string version = nfs_version(tuning.options), found = mount.version();
  if (!version.empty() && found != version && !(version == "4" && found.starts_with("4")))
    missing.push_back(fmt::format("vers={} (it is {})", version, found));
  const auto asked = parse_mount_options(tuning.options).value_or(std::vector<MountOption>{});
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string &name = asked[i].name, &value = asked[i].value;
    if (is_set_again(asked, i, name)) continue;
    const auto fail = [&](const std::string& what) {
      missing.push_back(fmt::format("{}{}{} ({})", name, value.empty() ? "" : "=", value, what));
    };
    if (name == "nconnect") {
      if (const std::size_t connections = mount.connections.size(); !has_asked_connections(tuning.options, connections))
        fail((connections == 1 ? "there is " : "there are ") + counted(connections, "connection"));
    } else if (numbers.contains(name)) {
      if (const auto got = number(name); !got || std::to_string(*got) != value)
        fail(fmt::format("it is {}", got ? std::to_string(*got) : "not there"));
    } else if (name == "actimeo") {
      if (std::ranges::any_of(attribute_times(), [&](const std::string& time) {
            return !is_set_again(asked, i, time) && number(time) != std::atol(value.c_str());
          }))
        fail("attribute times differ");
    } else if (name == "lookupcache") {
      const std::string got = option_value(mount.options, "lookupcache").value_or("all");
      if (got.substr(0, 3) != value.substr(0, 3)) fail("it is " + got);  // the kernel prints "pos" for "positive"
    } else if (flags.contains(name)) {
      if (!has(name)) fail("it is not among " + mount.options);
    } else if (name == "cto" || name == "ac" || name == "acl") {
      if (has("no" + name)) fail("no" + name + " is in force");
    } else if (const std::string why = missing_in_version(asked[i], mount); !why.empty()) {
      fail(why);
    }
  }
  return missing;
}

}  // namespace edagen
