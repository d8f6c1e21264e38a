#include "nfs/mountstats.hpp"

#include <libmount/libmount.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

using Counters = std::vector<Counter>;

/// Modulo 2^64, as the kernel counts.
Counter sum(Counter a, Counter b) {
  return static_cast<Counter>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
Counter less(Counter a, Counter b) {
  return static_cast<Counter>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// Numbers up to the first word that is none.
Counters numbers_of(std::istringstream& words) {
  Counters numbers;
  for (std::string word; words >> word;) {
    const char *const begin = word.data(), *const end = begin + word.size();
    std::uint64_t number = 0;
    Counter negative = 0;
    if (std::from_chars(begin, end, number).ptr == end) numbers.push_back(static_cast<Counter>(number));
    else if (std::from_chars(begin, end, negative).ptr == end) numbers.push_back(negative);
    else break;
  }
  return numbers;
}

Counter at(const Counters& numbers, std::size_t index) { return index < numbers.size() ? numbers[index] : 0; }

/// tcp: port binds connects connect-time idle sends recvs bad-xids req-u backlog-u [max-slots sending-u pending-u]
/// udp: port binds sends recvs bad-xids req-u backlog-u [max-slots sending-u pending-u]
/// rdma: port binds connects connect-time idle sends recvs bad-xids req-u backlog-u (read and write chunks follow)
TransportCounters transport_of(std::istringstream& words) {
  TransportCounters transport;
  words >> transport.protocol;
  const Counters n = numbers_of(words);
  transport.source_port = static_cast<unsigned>(std::clamp<Counter>(at(n, 0), 0, 65535));
  const bool connected = transport.protocol != "udp";
  const std::size_t first = connected ? 5 : 2;
  transport.reconnects = connected ? at(n, 2) : 0;
  transport.sends = at(n, first);
  transport.receives = at(n, first + 1);
  transport.requests_in_use = at(n, first + 3);
  transport.backlog = at(n, first + 4);
  transport.sending = transport.protocol == "rdma" ? 0 : at(n, first + 6);
  return transport;
}

constexpr std::array transport_counts{&TransportCounters::sends,      &TransportCounters::receives,
                                      &TransportCounters::reconnects, &TransportCounters::backlog,
                                      &TransportCounters::sending,    &TransportCounters::requests_in_use};
constexpr std::array rpc_counts{&RpcCounters::requests,   &RpcCounters::transmissions,  &RpcCounters::timeouts,
                                &RpcCounters::bytes_sent, &RpcCounters::bytes_received, &RpcCounters::errors};
constexpr std::array rpc_times{&RpcCounters::queue_ms, &RpcCounters::round_trip_ms, &RpcCounters::execute_ms};
constexpr std::array mount_counts{&NfsMountStats::read_bytes, &NfsMountStats::written_bytes, &NfsMountStats::pnfs_reads,
                                  &NfsMountStats::pnfs_writes};

RpcCounters rpc_of(std::istringstream& words) {
  const Counters n = numbers_of(words);
  return {.requests = at(n, 0),
          .transmissions = at(n, 1),
          .timeouts = at(n, 2),
          .bytes_sent = at(n, 3),
          .bytes_received = at(n, 4),
          .queue_ms = static_cast<double>(at(n, 5)),
          .round_trip_ms = static_cast<double>(at(n, 6)),
          .execute_ms = static_cast<double>(at(n, 7)),
          .errors = at(n, 8)};
}

/// The kernel writes blanks and backslashes of names as \040 and the like.
std::string unescaped(const std::string& name) {
  const std::unique_ptr<char, void (*)(void*)> text(::mnt_unmangle(name.c_str()), std::free);
  return text ? text.get() : name;
}

/// "device SOURCE mounted on POINT with fstype TYPE [statvers=V]"
bool read_device(std::istringstream& words, NfsMountStats& mount) {
  std::string mounted, on, with, fstype;
  words >> mount.source >> mounted >> on >> mount.mount_point >> with >> fstype >> mount.fstype;
  mount.source = unescaped(mount.source);
  mount.mount_point = unescaped(mount.mount_point);
  mount.address = export_server(mount.source);
  return mounted == "mounted" && (mount.fstype == "nfs" || mount.fstype == "nfs4");
}

/// Reads a line that is not one of an RPC.
void read_line(const std::string& key, std::istringstream& words, NfsMountStats& mount) {
  if (key == "opts:") {
    words >> mount.options;
    const std::string version = mount.version();
    mount.has_session |= version.starts_with("4.") && version != "4.0";
  } else if (key == "age:") {
    if (const Counters n = numbers_of(words); !n.empty())
      mount.age = std::chrono::seconds(std::clamp<Counter>(n[0], 0, 4'000'000'000));
  } else if (key == "events:") {
    const Counters n = numbers_of(words);  // from NFSIOS_SHORTREAD to NFSIOS_PNFS_WRITE of nfs_iostat.h
    const auto count = [&](std::size_t index) { return static_cast<double>(std::max<Counter>(0, at(n, index))); };
    mount.events.short_reads = count(22);
    mount.events.short_writes = count(23);
    mount.events.delayed_rpcs = count(24);
    mount.pnfs_reads = at(n, 25);
    mount.pnfs_writes = at(n, 26);
  } else if (key == "bytes:") {
    // normal read, written; direct read, written; server read, written; pages read, written
    const Counters n = numbers_of(words);
    mount.read_bytes = at(n, 4);
    mount.written_bytes = at(n, 5);
  } else if (key == "nfsv4:") {
    std::string parts;
    words >> parts;
    mount.has_session |= has_option(parts, "sessions");
  } else if (key == "xprt:") {
    mount.connections.push_back(transport_of(words));
  }
}

/// nullptr: there are fewer.
const NfsMountStats* nth_of_point(const std::vector<NfsMountStats>& mounts, const std::string& point, std::size_t n) {
  for (const NfsMountStats& mount : mounts)
    if (mount.mount_point == point && n-- == 0) return &mount;
  return nullptr;
}

bool has_less_requests(const NfsMountStats& then, const NfsMountStats& now) {
  return std::ranges::any_of(then.rpcs, [&](const auto& old) {
    const auto rpc = now.rpcs.find(old.first);
    return rpc == now.rpcs.end() ? old.second.requests > 0 : less(rpc->second.requests, old.second.requests) < 0;
  });
}

/// Ages are in whole seconds, by a clock that no NTP adjusts.
Nanos age_tolerance(Nanos elapsed) { return std::chrono::seconds(2) + elapsed / 100; }

/// Whether it is one superblock, whose counters went on. `elapsed` between the readings is 0 when it is not known.
bool is_same(const NfsMountStats& then, const NfsMountStats& now, Nanos elapsed) {
  if (then.source != now.source || has_less_requests(then, now)) return false;
  if (!then.age || !now.age) return true;
  const Nanos aged = *now.age - *then.age;
  return aged >= Nanos(0) && (elapsed == Nanos(0) || std::chrono::abs(aged - elapsed) <= age_tolerance(elapsed));
}

/// Whether `now`, which is another superblock than `then`, was made between the readings.
bool was_made_within(Nanos elapsed, const NfsMountStats* then, const NfsMountStats& now) {
  if (now.age && elapsed > Nanos(0)) return *now.age <= elapsed + age_tolerance(elapsed);
  if (then == nullptr) return false;
  return has_less_requests(*then, now) || (then->age && now.age && *now.age < *then->age);
}

void subtract(TransportCounters& change, const TransportCounters& then) {
  for (const auto field : transport_counts) change.*field = std::max<Counter>(0, less(change.*field, then.*field));
}

/// The n-th of those that have the port of `like`, or nullptr: connections to several addresses may share one.
const TransportCounters* nth_of_port(const std::vector<TransportCounters>& connections, const TransportCounters& like,
                                     std::size_t n) {
  for (const TransportCounters& each : connections)
    if (each.protocol == like.protocol && each.source_address == like.source_address &&
        each.source_port == like.source_port && n-- == 0)
      return &each;
  return nullptr;
}

/// The connections of a mount that was made anew may be older: they are the server's, and another mount keeps them.
void subtract_older_connections(NfsMountStats& change, const std::vector<NfsMountStats>& before) {
  std::map<unsigned, std::size_t> met;
  for (TransportCounters& connection : change.connections) {
    const std::size_t n = met[connection.source_port]++;
    connection.made_in_window = true;
    for (const NfsMountStats& mount : before) {
      if (mount.address != change.address || connection.source_port == 0) continue;
      const TransportCounters* const then = nth_of_port(mount.connections, connection, n);
      if (then == nullptr || less(connection.sends, then->sends) < 0) continue;
      subtract(connection, *then);
      connection.made_in_window = false;
      break;
    }
  }
}

void subtract(NfsMountStats& change, const NfsMountStats& then) {
  for (const auto field : mount_counts) change.*field = std::max<Counter>(0, less(change.*field, then.*field));
  change.events -= then.events;
  for (auto& [name, rpc] : change.rpcs)
    if (const auto old = then.rpcs.find(name); old != then.rpcs.end()) rpc -= old->second;
  for (std::size_t i = 0; i < std::min(change.connections.size(), then.connections.size()); ++i) {
    TransportCounters& connection = change.connections[i];
    const TransportCounters& old = then.connections[i];
    const bool is_new = connection.protocol != old.protocol || less(connection.sends, old.sends) < 0;
    if (!is_new) subtract(connection, old);
  }
}

}  // namespace

RpcCounters& RpcCounters::operator+=(const RpcCounters& other) {
  for (const auto field : rpc_counts) this->*field = sum(this->*field, other.*field);
  for (const auto field : rpc_times) this->*field += other.*field;
  return *this;
}

RpcCounters& RpcCounters::operator-=(const RpcCounters& other) {
  for (const auto field : rpc_counts) this->*field = less(this->*field, other.*field);
  for (const auto field : rpc_times) this->*field -= other.*field;
  return *this;
}

std::string NfsMountStats::version() const { return nfs_version(options); }

RpcCounters NfsMountStats::total() const {
  RpcCounters all;
  for (const auto& [name, rpc] : rpcs) all += rpc;
  return all;
}

std::vector<NfsMountStats> parse_mountstats(std::string_view text) {
  std::vector<NfsMountStats> mounts;
  NfsMountStats* mount = nullptr;
  bool in_rpcs = false;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    if (!(words >> key)) continue;
    if (key == "device") {
      NfsMountStats found;
      mount = read_device(words, found) ? &mounts.emplace_back(std::move(found)) : nullptr;
      in_rpcs = false;
    } else if (mount == nullptr) {
      continue;
    } else if (in_rpcs && key.size() > 1 && key.back() == ':') {
      mount->rpcs[key.substr(0, key.size() - 1)] = rpc_of(words);
    } else if (key == "per-op") {
      in_rpcs = true;
    } else {
      read_line(key, words, *mount);
    }
  }
  return mounts;
}

void add_mount_table(std::vector<NfsMountStats>& mounts, const std::vector<MountInfo>& table) {
  std::map<std::string, std::vector<const MountInfo*>> of_point;
  for (const MountInfo& info : table)
    if (info.is_nfs()) of_point[info.mount_point].push_back(&info);
  std::map<std::string, std::size_t> met;
  for (NfsMountStats& mount : mounts) {
    const std::vector<const MountInfo*>& infos = of_point[mount.mount_point];
    const std::size_t place = met[mount.mount_point]++;
    if (place >= infos.size()) continue;
    mount.device = infos[place]->device;
    mount.address = option_value(infos[place]->options, "addr").value_or(mount.address);
    mount.is_hidden = mount_at(mount.mount_point, table) != infos[place];
  }
}

void limit_slots(std::vector<NfsMountStats>& mounts, const std::string& sysctls) {
  for (NfsMountStats& mount : mounts) {
    const std::string protocol = mount.connections.empty() ? "tcp" : mount.connections.front().protocol;
    double slots = 0;
    std::ifstream file(sysctls + "/sunrpc/" + protocol + (protocol == "tcp" ? "_max" : "") + "_slot_table_entries");
    if (file >> slots && slots >= 1) mount.connection_slots = std::min(mount.connection_slots, slots);
  }
}

std::vector<NfsMountStats> read_mountstats() {
  std::vector<NfsMountStats> mounts;
  try {
    mounts = parse_mountstats(read_text_file("/proc/self/mountstats", largest_result));
  } catch (const Error&) {  // no /proc
    return {};
  }
  if (mounts.empty()) return mounts;
  add_mount_table(mounts, read_mountinfo());
  limit_slots(mounts);
  double slots = 0;
  const bool is_known = static_cast<bool>(std::ifstream("/sys/module/nfs/parameters/max_session_slots") >> slots);
  for (NfsMountStats& mount : mounts) {
    mount.read_at = now();
    if (is_known) mount.session_slots = std::max(1.0, slots);
  }
  return mounts;
}

std::vector<NfsMountStats> in_force(std::vector<NfsMountStats> mounts) {
  std::vector<NfsMountStats> uppermost;
  std::map<std::string, std::size_t> on_point;
  for (const NfsMountStats& mount : mounts) ++on_point[mount.mount_point];
  for (NfsMountStats& mount : mounts) {
    if (mount.is_hidden) continue;
    mount.hidden_below = on_point[mount.mount_point] - 1;
    const auto below = std::ranges::find(uppermost, mount.mount_point, &NfsMountStats::mount_point);
    if (below == uppermost.end()) uppermost.push_back(std::move(mount));
    else *below = std::move(mount);
  }
  return uppermost;
}

std::vector<NfsMountStats> once_per_superblock(std::vector<NfsMountStats> mounts) {
  std::vector<NfsMountStats> once;
  for (NfsMountStats& mount : mounts) {
    const auto same = [&](const NfsMountStats& other) { return !mount.device.empty() && other.device == mount.device; };
    if (const auto first = std::ranges::find_if(once, same); first != once.end())
      first->also_mounted_on.push_back(mount.mount_point);
    else once.push_back(std::move(mount));
  }
  return once;
}

std::vector<NfsMountStats> difference(const std::vector<NfsMountStats>& before,
                                      const std::vector<NfsMountStats>& after) {
  std::vector<NfsMountStats> changes;
  std::map<std::string, std::size_t> met;
  for (const NfsMountStats& now : after) {
    const NfsMountStats* const then = nth_of_point(before, now.mount_point, met[now.mount_point]++);
    const Nanos elapsed = before.empty() ? Nanos(0) : now.read_at - before.front().read_at;
    NfsMountStats change = now;
    if (then != nullptr && is_same(*then, now, elapsed)) subtract(change, *then);
    else if (was_made_within(elapsed, then, now)) change.made_in_window = true;
    else continue;
    if (change.made_in_window) subtract_older_connections(change, before);
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace edagen
