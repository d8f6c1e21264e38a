// The files of an NFSv3 server in memory: names, attributes, sizes and the first bytes of each file. It carries calls
// out and writes their results; it has no sockets, no threads and no faults but those that a test sets.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "edagen/file_population.hpp"
#include "nfs3/nfs3_types.hpp"

namespace edagen::testing {

class MemoryFiles {
 public:
  struct Caller {
    std::uint32_t uid = 0, gid = 0;
  };

  MemoryFiles();

  NfsHandle root() const { return handle_of(root_number); }
  /// Makes what a proc has at the start, in `directory` below the root.
  void add_proc(const std::string& directory, const FilePopulation& files);
  bool exists(const std::string& path) const { return number_at(path) != 0; }
  std::uint64_t size(const std::string& path) const { return files_.at(number_at(path)).size; }

  /// Carries a call out. The results are valid until the next call.
  ByteSpan results_of(NfsProcedure procedure, ByteSpan arguments, const Caller& caller);

  /// All handles of the file are stale from now on: a LOOKUP gives another one.
  void make_stale(const std::string& path) { ++files_.at(number_at(path)).generation; }
  /// Data that are not committed are lost, and the verifier is another one.
  void restart() { ++verifier_; }

  std::uint32_t transfer_bytes_max = 1 << 20;  ///< of a READ or WRITE
  std::size_t listing_entries_max = 1000;      ///< of a READDIRPLUS
  bool cookies_stand_still = false, cookies_are_ignored = false, leaves_attributes_out = false;
  std::function<void(std::uint64_t offset, std::uint32_t taken, NfsStable stable)> on_write;

 private:
  struct File {
    NfsFileType type = NfsFileType::regular;
    std::uint64_t size = 0;
    std::uint32_t mode = 0644, generation = 1, links = 1;
    Caller owner;
    std::uint32_t changes = 0;                   ///< the time of change
    std::map<std::string, std::uint64_t> names;  ///< of a directory
    std::string target;                          ///< of a symbolic link
    std::vector<std::byte> first_bytes;          ///< the rest of the file reads as zeros
  };
  static constexpr std::uint64_t root_number = 1;

  void carry_out(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void get_attributes(XdrReader& call, XdrWriter& reply);
  void set_attributes(XdrReader& call, XdrWriter& reply);
  void on_file(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void read(XdrReader& call, XdrWriter& reply);
  void write(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void look_up(XdrReader& call, XdrWriter& reply);
  void make(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void remove(NfsProcedure procedure, XdrReader& call, XdrWriter& reply);
  void link(XdrReader& call, XdrWriter& reply);
  void rename(XdrReader& call, XdrWriter& reply);
  void list(XdrReader& call, XdrWriter& reply);

  NfsHandle handle_of(std::uint64_t number) const;
  std::uint64_t number_of(ByteSpan handle) const;  ///< 0: stale
  std::uint64_t number_at(const std::string& path) const;
  /// The number that `name` has in a directory; 0: none.
  std::uint64_t number_in(std::uint64_t directory, const std::string& name) const;
  std::uint64_t add(std::uint64_t directory, const std::string& name, NfsFileType type, std::uint64_t size = 0);
  void take_out(std::uint64_t directory, const std::string& name);
  static void apply(const NfsSetAttributes& attributes, File& file);
  void write_attributes(XdrWriter& reply, std::uint64_t number) const;
  void write_optional(XdrWriter& reply, std::uint64_t number) const;
  void write_change(XdrWriter& reply, std::uint64_t number) const;

  std::map<std::uint64_t, File> files_;
  std::uint64_t last_number_ = root_number;
  NfsVerifier verifier_ = 1;
  Caller caller_;
  std::vector<std::byte> room_ = std::vector<std::byte>((1 << 20) + 65536);  ///< of a reply
};

}  // namespace edagen::testing
