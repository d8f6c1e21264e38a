#include "nfs/nfs_option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <variant>
#include <vector>

#include "base/number.hpp"
#include "base/words.hpp"

namespace edagen {
namespace {

struct Flag {};  ///< takes no value
struct Text {
  bool is_needed = true;
};
struct Number {
  std::int64_t lowest = 0, highest = 0xffff'ffff;
};
struct Words {
  std::vector<std::string> all;
  bool is_needed = true;
  bool are_several = false;  ///< separated by colons
};
using Values = std::variant<Flag, Text, Number, Words>;

/// nfs(5) and fs/nfs/fs_context.c, then mount(8).
std::map<std::string, Values> made_table() {
  const Words versions{{"2", "3", "4", "4.0", "4.1", "4.2"}}, mount_transports{{"tcp", "udp", "tcp6", "udp6"}};
  std::map<std::string, Values> table = {{"vers", versions},
                                         {"nfsvers", versions},
                                         {"minorversion", Number{0, 2}},
                                         {"proto", Words{{"tcp", "udp", "rdma", "tcp6", "udp6", "rdma6"}}},
                                         {"port", Number{0, 65'535}},
                                         {"addr", Text{}},
                                         {"clientaddr", Text{}},
                                         {"nconnect", Number{1, 16}},
                                         {"max_connect", Number{1, 16}},
                                         {"rsize", Number{}},
                                         {"wsize", Number{}},
                                         {"bsize", Number{}},
                                         {"namlen", Number{}},
                                         {"actimeo", Number{}},
                                         {"acregmin", Number{}},
                                         {"acregmax", Number{}},
                                         {"acdirmin", Number{}},
                                         {"acdirmax", Number{}},
                                         {"timeo", Number{1}},
                                         {"retrans", Number{}},
                                         {"retry", Number{}},
                                         {"lookupcache", Words{{"all", "none", "pos", "positive"}}},
                                         {"local_lock", Words{{"all", "flock", "posix", "none"}}},
                                         {"sec", Words{{"none", "null", "sys", "krb5", "krb5i", "krb5p", "lkey",
                                                        "lkeyi", "lkeyp", "spkm3", "spkm3i", "spkm3p"},
                                                       true,
                                                       true}},
                                         {"xprtsec", Words{{"none", "tls", "mtls"}}},
                                         {"cert_serial", Text{}},
                                         {"privkey_serial", Text{}},
                                         {"write", Words{{"lazy", "eager", "wait"}}},
                                         {"rdirplus", Words{{"none", "force"}, false}},
                                         {"fsc", Text{false}},
                                         {"fatal_neterrors", Text{}},
                                         {"mountaddr", Text{}},
                                         {"mounthost", Text{}},
                                         {"mountport", Number{0, 65'535}},
                                         {"mountproto", mount_transports},
                                         {"mountvers", Number{1, 3}},
                                         {"mountprog", Number{}},
                                         {"nfsprog", Number{}},
                                         {"comment", Text{}},
                                         {"context", Text{}},
                                         {"fscontext", Text{}},
                                         {"defcontext", Text{}},
                                         {"rootcontext", Text{}},
                                         {"user", Text{false}}};
  for (const char* const name :
       {"v2", "v3", "v4", "v4.0", "v4.1", "v4.2", "tcp", "udp", "rdma", "hard", "soft", "softerr", "bg", "fg", "sloppy",
        // mount(8)
        "defaults", "rw", "sync", "async", "dirsync", "_netdev", "nofail", "owner", "group", "users", "silent", "loud"})
    table.emplace(name, Flag{});
  // With "no" before them as well.
  for (const char* const name : {"ac", "acl", "alignwrite", "cto", "fsc", "intr", "lock", "migration", "posix",
                                 "rdirplus", "resvport", "sharecache", "softreval", "trunkdiscovery", "quota",
                                 // mount(8)
                                 "atime", "auto", "dev", "diratime", "exec", "iversion", "lazytime", "mand", "relatime",
                                 "strictatime", "suid", "symfollow", "user"}) {
    table.emplace(name, Flag{});
    table.emplace(std::string("no") + name, Flag{});
  }
  return table;
}

const std::map<std::string, Values>& table() {
  static const std::map<std::string, Values> made = made_table();
  return made;
}

struct WrongValue {
  const std::string& value;

  std::string operator()(const Flag&) const { return value.empty() ? "" : "no value is allowed"; }
  std::string operator()(const Text& text) const { return value.empty() && text.is_needed ? "a value is needed" : ""; }
  std::string operator()(const Number& number) const {
    const auto given = whole_number_of<std::int64_t>(value);
    const bool is_good = given >= number.lowest && given <= number.highest;
    return is_good ? "" : fmt::format("a number from {} to {} is needed", number.lowest, number.highest);
  }
  std::string operator()(const Words& words) const {
    if (value.empty() && !words.is_needed) return "";
    const std::set<std::string> known(words.all.begin(), words.all.end());
    const auto given = words.are_several ? split_at(value, ':') : std::vector{value};
    const bool is_good = std::ranges::all_of(given, [&](const std::string& word) { return known.contains(word); });
    return is_good ? "" : fmt::format("one of {} is needed", fmt::join(words.all, ", "));
  }
};

}  // namespace

const std::set<std::string>& nfs_option_names() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all;
    for (const auto& [name, values] : table()) all.insert(name);
    return all;
  }();
  return names;
}

std::string wrong_value(const MountOption& option) {
  const auto found = table().find(option.name);
  return found == table().end() ? "" : std::visit(WrongValue{option.value}, found->second);
}

std::string setting_of(const std::string& name) {
  static const std::map<std::string, std::string> others = {
      {"nfsvers", "vers"}, {"minorversion", "vers"}, {"v2", "vers"},          {"v3", "vers"},         {"v4", "vers"},
      {"v4.0", "vers"},    {"v4.1", "vers"},         {"v4.2", "vers"},        {"tcp", "proto"},       {"udp", "proto"},
      {"rdma", "proto"},   {"soft", "hard"},         {"softerr", "hard"},     {"local_lock", "lock"}, {"async", "sync"},
      {"bg", "fg"},        {"relatime", "atime"},    {"strictatime", "atime"}};
  const bool is_negated = name.starts_with("no") && table().contains(name.substr(2));
  const std::string positive = is_negated ? name.substr(2) : name;
  const auto other = others.find(positive);
  return other == others.end() ? positive : other->second;
}

std::map<std::string, std::string> settings_in_force(const std::string& options) {
  static const std::map<std::string, std::string> defaults = {{"hard", "hard"},     {"cto", "cto"},
                                                              {"ac", "ac"},         {"acl", "acl"},
                                                              {"lock", "none"},     {"rdirplus", "rdirplus"},
                                                              {"sync", "async"},    {"resvport", "resvport"},
                                                              {"nconnect", "1"},    {"lookupcache", "all"},
                                                              {"max_connect", "1"}, {"softreval", "nosoftreval"},
                                                              {"fsc", "nofsc"},     {"migration", "nomigration"},
                                                              {"write", "lazy"},    {"posix", "noposix"},
                                                              {"suid", "suid"},     {"dev", "dev"},
                                                              {"exec", "exec"},     {"acregmin", "3"},
                                                              {"acregmax", "60"},   {"acdirmin", "30"},
                                                              {"acdirmax", "60"}};
  static const std::set<std::string> without_effect = {
      "atime",     "auto",      "comment",    "defaults",  "diratime",   "fg",        "group",   "intr",   "loud",
      "mountaddr", "mounthost", "mountport",  "mountprog", "mountproto", "mountvers", "_netdev", "nofail", "owner",
      "retry",     "rw",        "sharecache", "silent",    "sloppy",     "user",      "users"};
  std::map<std::string, std::string> settings;
  for (const auto& [name, value] : parse_mount_options(options).value_or(std::vector<MountOption>{})) {
    if (name == "actimeo") {
      for (const std::string& time : attribute_times()) settings[time] = value;
    } else if (name == "nolock" || name == "lock") {
      settings["lock"] = name == "nolock" ? "all" : "none";
    } else if (name == "lookupcache") {
      settings[name] = value.substr(0, 3);  // "pos" is "positive"
    } else if (!name.starts_with("x-") && !name.starts_with("X-")) {
      settings[setting_of(name)] = name == "rdirplus" && value == "none" ? "nordirplus" : value.empty() ? name : value;
    }
  }
  if (const std::string version = nfs_version(options); !version.empty()) settings["vers"] = version;
  if (settings["ac"] == "noac") {
    for (const std::string& time : attribute_times()) settings.erase(time);
    settings["sync"] = "sync";
  }
  std::erase_if(settings, [](const auto& setting) {
    const auto without = defaults.find(setting.first);
    return setting.second.empty() || without_effect.contains(setting.first) ||
           (without != defaults.end() && without->second == setting.second);
  });
  return settings;
}

const std::set<std::string>& attribute_times() {
  static const std::set<std::string> names = {"acregmin", "acregmax", "acdirmin", "acdirmax"};
  return names;
}

}  // namespace edagen
