// An NFSv3 server for tests: names and sizes in memory, without data. It counts RPCs, and fails as a test says.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "edagen/file_population.hpp"
#include "nfs3/nfs3_types.hpp"
#include "rpc/lying_server.hpp"

namespace edagen::testing {

class MemoryServer {
 public:
  MemoryServer();

  std::uint16_t port() const { return server_.port(); }
  LyingServer& wire() { return server_; }
  NfsHandle root() const { return handle_of(root_number); }

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

  /// The next calls of the procedure, so many of them, get this status and do nothing.
  void fail(NfsProcedure procedure, NfsStatus status, int times = 1);
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
    most_bytes_ = most_bytes;
  }
  /// Each READDIRPLUS gives so few entries.
  void shorten_listings(std::size_t most_entries) {
    std::lock_guard lock(mutex_);
    most_entries_ = most_entries;
  }
  /// The cookies of listings stay the same from now on.
  void stop_cookies() {
    std::lock_guard lock(mutex_);
    cookies_stand_still_ = true;
  }
  /// No call gets a reply any more.
  void stop_replies() {
    std::lock_guard lock(mutex_);
    is_silent_ = true;
  }

 private:
  struct File {
    NfsFileType type = NfsFileType::regular;
    std::uint64_t size = 0;
    std::uint32_t mode = 0644, generation = 1, links = 1;
    std::map<std::string, std::uint64_t> names;  ///< of a directory
    std::string target;
  };
  struct Fault {
    NfsStatus status{};
    int times = 0;
  };
  static constexpr std::uint64_t root_number = 1;

  void serve(LyingServer::Wire& wire, const WireCall& call);
  ByteVector results_of(const WireCall& call);
  void carry_out(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void on_file(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void on_data(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void on_names(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void rename(XdrReader& call, XdrWriter& reply);
  void list(XdrReader& call, XdrWriter& reply);

  NfsHandle handle_of(std::uint64_t number) const;
  std::uint64_t number_of(ByteSpan handle) const;  ///< 0: stale
  std::uint64_t number_at(const std::string& path) const;
  std::uint64_t add(std::uint64_t directory, const std::string& name, NfsFileType type, std::uint64_t size = 0);
  void remove(std::uint64_t directory, const std::string& name);
  void write_attributes(XdrWriter& reply, std::uint64_t number) const;
  void write_optional(XdrWriter& reply, std::uint64_t number) const;
  void write_change(XdrWriter& reply, std::uint64_t number) const;
  void set_attributes(XdrReader& call, std::uint64_t number);

  mutable std::mutex mutex_;
  std::map<std::uint64_t, File> files_;
  std::uint64_t last_number_ = root_number;
  NfsVerifier verifier_ = 1;
  std::vector<NfsProcedure> procedures_;
  std::map<std::string, std::int64_t> counts_;
  std::set<std::string> callers_;
  std::string writes_;
  std::map<NfsProcedure, Fault> faults_;
  std::map<NfsProcedure, int> lost_replies_, ignored_;
  std::uint32_t most_bytes_ = 1 << 20;
  std::vector<std::byte> room_ = std::vector<std::byte>((1 << 20) + 65536);  ///< of a reply
  std::size_t most_entries_ = 1000;
  bool cookies_stand_still_ = false, is_silent_ = false;
  LyingServer server_;
};

}  // namespace edagen::testing
