// An NFSv3 server for tests, with its files in memory. It counts RPCs, and fails as a test says.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "nfs_client/memory_files.hpp"
#include "rpc/lying_server.hpp"

namespace edagen::testing {

class MemoryServer {
 public:
  MemoryServer();

  std::uint16_t port() const { return server_.port(); }
  LyingServer& wire() { return server_; }
  NfsHandle root() const { return files_.root(); }

  /// Makes what a proc has at the start, in `directory` below the root.
  void add_proc(const std::string& directory, const FilePopulation& files);
  bool exists(const std::string& path) const;
  std::uint64_t size(const std::string& path) const;

  /// The procedures since the last call, in the order in which they came: "LOOKUP GETATTR".
  std::string procedures();
  /// The number of calls of each procedure, by the kernel's names.
  std::map<std::string, std::int64_t> counts() const;
  /// Machine and user of each caller, sorted: "edagen-0 1000, edagen-1 1000".
  std::string callers() const;
  /// What WRITEs brought since the last call, as "offset+length" with an s where it was to be stable.
  std::string writes();

  // --- faults

  /// After so many calls of the procedure the next ones, so many of them, get this status and do nothing.
  void fail(NfsProcedure procedure, NfsStatus status, int times = 1, int after = 0);
  /// The next call of the procedure is carried out, but its connection is closed instead of a reply.
  void lose_reply(NfsProcedure procedure);
  /// The next calls of the procedure, so many of them, are not heard.
  void ignore(NfsProcedure procedure, int times);
  /// All handles of the file are stale from now on: a LOOKUP gives another one.
  void make_stale(const std::string& path);
  /// Data that are not committed are lost, and the verifier is another one.
  void restart();
  /// No READ, and no WRITE, moves more bytes.
  void shorten_transfers(std::uint32_t most_bytes) {
    std::lock_guard lock(mutex_);
    files_.transfer_bytes_max = most_bytes;
  }
  /// Each READDIRPLUS gives so few entries.
  void shorten_listings(std::size_t most_entries) {
    std::lock_guard lock(mutex_);
    files_.listing_entries_max = most_entries;
  }
  /// The cookies of listings stay the same from now on.
  void stop_cookies() {
    std::lock_guard lock(mutex_);
    files_.cookies_stand_still = true;
  }
  /// Each READDIRPLUS begins with the first entry from now on.
  void ignore_cookies() {
    std::lock_guard lock(mutex_);
    files_.cookies_are_ignored = true;
  }
  /// Only GETATTR has attributes from now on.
  void leave_attributes_out() {
    std::lock_guard lock(mutex_);
    files_.leaves_attributes_out = true;
  }
  /// No call gets a reply any more.
  void stop_replies() {
    std::lock_guard lock(mutex_);
    is_silent_ = true;
  }

 private:
  struct Fault {
    NfsStatus status{};
    int times = 0, after = 0;
  };

  void serve(LyingServer::Wire& wire, const WireCall& call);
  ByteVector results_of(const WireCall& call);

  mutable std::mutex mutex_;
  MemoryFiles files_;
  std::vector<NfsProcedure> procedures_;
  std::map<std::string, std::int64_t> counts_;
  std::set<std::string> callers_;
  std::string writes_;
  std::map<NfsProcedure, Fault> faults_;
  std::map<NfsProcedure, int> lost_replies_, ignored_;
  bool is_silent_ = false;
  LyingServer server_;
};

}  // namespace edagen::testing
