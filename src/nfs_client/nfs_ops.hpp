// Ops as RPCs: what a Linux client of NFSv3 sends for each kind (close-to-open).
#pragma once

#include "edagen/target.hpp"
#include "nfs_client/nfs_call.hpp"
#include "nfs_client/nfs_proc.hpp"
#include "nfs_client/task.hpp"

namespace edagen {

/// The ops of the clients of one loop. References given to its coroutines outlive them.
class NfsOps {
 public:
  explicit NfsOps(ClientLoop& loop) : loop_(loop) {}

  /// Carries out the op, whose kind has RPCs: see ops_without_rpcs().
  Task<OpResult> carry_out(NfsProc& proc, const Op& op);
  /// Drops the handles that the op used, because one of them is stale.
  void forget(NfsProc& proc, const Op& op);
  /// Commits all data of the proc that is not committed. Gives 0 or the first errno.
  Task<int> commit_all(NfsProc& proc);

 private:
  /// What is known of a file after its look-up.
  struct Found {
    NfsHandle handle;
    bool has_size = false;  ///< attributes have just come, or are trusted
    Bytes size = 0;
  };
  /// The bytes that a transfer has moved, and how it ended.
  struct Moved {
    int error = 0;
    Bytes bytes = 0;
  };
  struct Transfer;

  Task<OpResult> refuse();

  // find_names.cpp
  bool find_known(NfsProc& proc, NameRef name, NfsHandle& handle) const;
  bool find_known_directory(NfsProc& proc, std::uint64_t index, NfsHandle& handle) const;
  Task<int> find(NfsProc& proc, NameRef name, Found& found);
  Task<int> find_directory(NfsProc& proc, std::uint64_t index, NfsHandle& handle);
  /// The directory of a name that is to be made there.
  Task<int> find_directory_of(NfsProc& proc, NameRef name, NfsHandle& handle);
  Task<int> find_home(NfsProc& proc);
  /// The first use of a directory that a LOOKUP has found: whether it may be searched.
  Task<int> enter(NfsProc& proc, const NfsHandle& directory);
  /// Whether attributes are not trusted at all (attributes=0), so that each look at them is a GETATTR.
  static bool trusts_nothing(const NfsProc& proc) { return proc.settings().trusted_time == std::chrono::seconds(0); }
  /// A GETATTR of a client that trusts nothing; nothing for others.
  Task<int> revalidate(NfsProc& proc, const NfsHandle& handle);
  Task<int> look_up(NfsProc& proc, const NfsHandle& directory, std::string_view name, Found& found);
  void learn(NfsProc& proc, NameRef name, const NfsHandle& handle);
  /// Attributes that have come with a reply, of a client that trusts them for a time.
  void learn(NfsProc& proc, NameRef name, const std::optional<NfsAttributes>& attributes);
  TrustedAttributes* trusted(NfsProc& proc, NameRef name) const;

  // name_ops.cpp
  Task<OpResult> stat(NfsProc& proc, Op op);
  Task<OpResult> access(NfsProc& proc, Op op);
  Task<OpResult> create(NfsProc& proc, Op op);
  Task<OpResult> remove(NfsProc& proc, Op op);
  Task<OpResult> make_directory(NfsProc& proc, Op op);
  Task<OpResult> rename(NfsProc& proc, Op op);
  Task<OpResult> make_symlink(NfsProc& proc, Op op);
  Task<OpResult> make_link(NfsProc& proc, Op op);
  Task<OpResult> readlink(NfsProc& proc, Op op);
  Task<OpResult> change_mode(NfsProc& proc, Op op);
  Task<OpResult> readdir(NfsProc& proc, Op op);
  Task<OpResult> statfs(NfsProc& proc, Op op);
  Task<int> get_attributes(NfsProc& proc, NameRef name, Found& found);
  /// Requests the access unless it is known.
  Task<int> ask_access(NfsProc& proc, NameRef name, const NfsHandle& handle, std::uint32_t needed);
  /// Whether an error of a call that changes names is what a second transmission makes of a success.
  bool is_repeated_success(const NfsProc& proc, const NfsCall& call, NfsStatus status);

  // file_ops.cpp
  Task<OpResult> positioned(NfsProc& proc, Op op);
  Task<OpResult> open_session(NfsProc& proc, Op op);
  Task<OpResult> close_session(NfsProc& proc, Op op);
  Task<OpResult> read_file(NfsProc& proc, Op op);
  Task<OpResult> write_file(NfsProc& proc, Op op);
  Task<OpResult> append(NfsProc& proc, Op op);
  Task<OpResult> truncate(NfsProc& proc, Op op);
  Task<OpResult> copy(NfsProc& proc, Op op);
  Task<int> open(NfsProc& proc, NameRef name, std::uint32_t needed, Found& found);
  Task<int> open_or_create(NfsProc& proc, NameRef name, Found& found);
  Task<int> ensure_open(NfsProc& proc, NameRef name, FilePlace place, OpenNfsFile*& file);
  Task<int> close(NfsProc& proc, OpenNfsFile& file);
  Task<int> set_size(NfsProc& proc, NameRef name, const NfsHandle& handle, Bytes size);
  /// Writes what an op writes to a file that is closed after it.
  Task<int> write_and_commit(NfsProc& proc, const NfsHandle& file, const Op& op, FileExtent extent, OpResult& result);

  // transfers.cpp
  Task<Moved> read(NfsProc& proc, const NfsHandle& file, FileExtent extent);
  Task<Moved> read_part(NfsProc& proc, const NfsHandle& file, FileExtent extent);
  /// `durable`: commit() follows, which costs no RPC when all data are in one WRITE: that is FILE_SYNC.
  Task<Moved> write(NfsProc& proc, const NfsHandle& file, FileExtent extent, bool durable, UnstableData& unstable);
  Task<Moved> write_part(NfsProc& proc, const NfsHandle& file, FileExtent extent, NfsStable stable,
                         UnstableData& unstable);
  Task<Moved> in_parts(Transfer transfer);
  Task<Moved> lane(Transfer& transfer);
  /// `of_all`: as fsync(2), also of data whose COMMIT by another op is in flight. This op then sends a COMMIT of its
  /// own.
  Task<int> commit(NfsProc& proc, const NfsHandle& file, UnstableData& unstable, bool of_all = false);
  Task<int> rewrite(NfsProc& proc, const NfsHandle& file, UnstableData& unstable, NfsVerifier verifier);

  ClientCounters& counters(const NfsProc& proc) { return loop_.counters(proc.identity->server_number()); }

  ClientLoop& loop_;
};

}  // namespace edagen
