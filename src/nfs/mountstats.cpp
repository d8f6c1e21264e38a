#include "nfs/mountstats.hpp"

#include <libmount/libmount.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nfs/mount_info.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

std::vector<double> numbers_of(std::istringstream& words) {
  std::vector<double> numbers;
  for (double number; words >> number;) numbers.push_back(number);
  return numbers;
}

double at(const std::vector<double>& numbers, std::size_t index) { return index < numbers.size() ? numbers[index] : 0; }

/// tcp: port binds connects connect-time idle sends recvs bad-xids req-u backlog-u [max-slots sending-u pending-u]
/// udp: port binds sends recvs bad-xids req-u backlog-u ...
/// rdma: port binds connects connect-time idle sends recvs bad-xids req-u backlog-u (read and write chunks follow)
TransportCounters transport_of(std::istringstream& words) {
  TransportCounters transport;
  words >> transport.protocol;
  const std::vector<double> n = numbers_of(words);
  transport.source_port = static_cast<unsigned>(std::clamp(at(n, 0), 0.0, 65535.0));
  const bool connected = transport.protocol != "udp";
  const std::size_t first = connected ? 5 : 2;
  transport.reconnects = connected ? at(n, 2) : 0;
  transport.sends = at(n, first);
  transport.receives = at(n, first + 1);
  transport.requests_in_use = at(n, first + 3);
  transport.backlog = at(n, first + 4);
  return transport;
}

constexpr std::array rpc_counts{&RpcCounters::requests,   &RpcCounters::transmissions,  &RpcCounters::timeouts,
                                &RpcCounters::bytes_sent, &RpcCounters::bytes_received, &RpcCounters::errors};
constexpr std::array rpc_times{&RpcCounters::queue, &RpcCounters::round_trip, &RpcCounters::execute};

RpcCounters rpc_of(std::istringstream& words) {
  const std::vector<double> n = numbers_of(words);
  RpcCounters rpc;
  rpc.requests = at(n, 0);
  rpc.transmissions = at(n, 1);
  rpc.timeouts = at(n, 2);
  rpc.bytes_sent = at(n, 3);
  rpc.bytes_received = at(n, 4);
  rpc.queue = Millis(at(n, 5));
  rpc.round_trip = Millis(at(n, 6));
  rpc.execute = Millis(at(n, 7));
  rpc.errors = at(n, 8);
  return rpc;
}

/// The kernel writes blanks and backslashes of names as \040 and the like.
std::string unescaped(const std::string& name) {
  const std::unique_ptr<char, void (*)(void*)> text(::mnt_unmangle(name.c_str()), std::free);
  return text ? text.get() : name;
}

/// The server of "SERVER:/PATH"; SERVER may be "[IPv6]".
std::string server_of(const std::string& source) { return source.substr(0, source.rfind(":/")); }

/// "device SOURCE mounted on POINT with fstype TYPE [statvers=V]"
bool read_device(std::istringstream& words, NfsMountStats& mount) {
  std::string mounted, on, with, fstype;
  words >> mount.source >> mounted >> on >> mount.mount_point >> with >> fstype >> mount.fstype;
  mount.source = unescaped(mount.source);
  mount.mount_point = unescaped(mount.mount_point);
  mount.address = server_of(mount.source);
  return mounted == "mounted" && (mount.fstype == "nfs" || mount.fstype == "nfs4");
}

}  // namespace

RpcCounters& RpcCounters::operator+=(const RpcCounters& other) {
  for (const auto field : rpc_counts) this->*field += other.*field;
  for (const auto field : rpc_times) this->*field += other.*field;
  return *this;
}

RpcCounters& RpcCounters::operator-=(const RpcCounters& other) {
  if (requests < other.requests) return *this;  // the mount was made anew
  for (const auto field : rpc_counts) this->*field = std::max(0.0, this->*field - other.*field);
  for (const auto field : rpc_times) this->*field = std::max(Millis(0), this->*field - other.*field);
  return *this;
}

std::string NfsMountStats::version() const { return option_value(options, "vers").value_or(""); }

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
    } else if (key == "opts:") {
      words >> mount->options;
    } else if (key == "bytes:") {
      // normal read, written; direct read, written; server read, written; pages read, written
      const std::vector<double> n = numbers_of(words);
      mount->read_bytes = at(n, 4);
      mount->written_bytes = at(n, 5);
    } else if (key == "xprt:") {
      mount->connections.push_back(transport_of(words));
    } else if (key == "per-op") {
      in_rpcs = true;
    }
  }
  return mounts;
}

std::vector<NfsMountStats> read_mountstats() {
  std::vector<NfsMountStats> mounts;
  try {
    mounts = parse_mountstats(read_text_file("/proc/self/mountstats", largest_result));
  } catch (const Error&) {  // no /proc
    return {};
  }
  if (mounts.empty()) return mounts;
  for (const MountInfo& info : read_mountinfo())
    for (NfsMountStats& mount : mounts) {
      if (mount.mount_point != info.mount_point || !info.is_nfs()) continue;
      mount.device = info.device;
      mount.address = option_value(info.options, "addr").value_or(mount.address);
    }
  return mounts;
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
  for (const NfsMountStats& now : after) {
    const auto then = std::find_if(before.begin(), before.end(), [&](const NfsMountStats& mount) {
      return mount.mount_point == now.mount_point && mount.source == now.source;
    });
    if (then == before.end()) continue;
    NfsMountStats change = now;
    change.read_bytes -= std::min(then->read_bytes, change.read_bytes);
    change.written_bytes -= std::min(then->written_bytes, change.written_bytes);
    for (auto& [name, rpc] : change.rpcs)
      if (const auto old = then->rpcs.find(name); old != then->rpcs.end()) rpc -= old->second;
    for (std::size_t i = 0; i < std::min(change.connections.size(), then->connections.size()); ++i) {
      TransportCounters& mine = change.connections[i];
      const TransportCounters& old = then->connections[i];
      if (mine.sends < old.sends) continue;
      for (double TransportCounters::*field :
           {&TransportCounters::sends, &TransportCounters::receives, &TransportCounters::reconnects,
            &TransportCounters::backlog, &TransportCounters::requests_in_use})
        mine.*field = std::max(0.0, mine.*field - old.*field);
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace edagen
