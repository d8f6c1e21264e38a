// Blocking NFS calls of one thread, on a connection of its own: for what is done around a measurement.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "nfs3/nfs3_replies.hpp"
#include "nfs_dataset/nfs_export.hpp"
#include "rpc/rpc_connection.hpp"

namespace edagen {

struct NfsFile {
  NfsHandle handle;
  NfsAttributes attributes;
};

/// Attributes to set: the mode alone, or the size alone.
NfsSetAttributes mode_alone(std::uint32_t mode);
NfsSetAttributes size_alone(std::uint64_t size);

struct NfsEntry {
  std::string name;
  NfsFile file;
};

/// Each call waits for its reply, and repeats what the server puts off (JUKEBOX). What had been done when a call was
/// sent again is a success. Throws Error (run) when the server cannot be reached for `give_up`, sends what cannot be
/// decoded, or does not answer within a second of a stop.
class NfsSession {
 public:
  static constexpr Nanos give_up = std::chrono::seconds(30);

  /// `at` must outlive this object.
  explicit NfsSession(const NfsExport& at, std::stop_token stop = {});
  ~NfsSession();
  NfsSession(const NfsSession&) = delete;
  NfsSession& operator=(const NfsSession&) = delete;

  const NfsExport& at() const { return at_; }

  NfsStatus get_attributes(const NfsHandle& file, NfsAttributes& attributes);
  /// With `guard` nothing is set unless it is the file's time of change (not_sync).
  NfsStatus set_attributes(const NfsHandle& file, const NfsSetAttributes& attributes,
                           std::optional<NfsTime> guard = {});
  /// Which of the bits `wanted` are allowed.
  NfsStatus access(const NfsHandle& file, std::uint32_t wanted, std::uint32_t& allowed);
  NfsStatus look_up(const NfsHandle& directory, std::string_view name, NfsFile& file);
  /// A file that must not be there (exist).
  NfsStatus create(const NfsHandle& directory, std::string_view name, std::uint32_t mode, NfsFile& file);
  /// The same, decided by the server in one step even when the call is sent again. The mode is set afterwards.
  NfsStatus create_exclusively(const NfsHandle& directory, std::string_view name, std::uint32_t mode, NfsFile& file);
  NfsStatus make_directory(const NfsHandle& directory, std::string_view name, NfsFile& file);
  NfsStatus make_symlink(const NfsHandle& directory, std::string_view name, std::string_view target);
  NfsStatus make_link(const NfsHandle& file, const NfsHandle& directory, std::string_view name);
  NfsStatus remove(const NfsHandle& directory, std::string_view name);
  NfsStatus remove_directory(const NfsHandle& directory, std::string_view name);
  NfsStatus rename(const NfsHandle& directory, std::string_view from, std::string_view to);
  /// At most `most` bytes, to the end of the file.
  NfsStatus read(const NfsHandle& file, std::uint32_t most, std::string& text);
  /// `bytes` at `offset`, several WRITEs in flight, the last one alone. A single WRITE is stable by itself, several are
  /// by a COMMIT at the end; data that the server has lost until then are written again.
  NfsStatus write(const NfsHandle& file, std::uint64_t offset, ByteSpan bytes);
  /// What FSSTAT has of the export's file system.
  FreeSpace free_space();
  /// All entries but . and .. , with handles and attributes.
  NfsStatus list(const NfsHandle& directory, std::vector<NfsEntry>& entries);

 private:
  class Call;
  using Encode = std::function<void(XdrWriter&)>;

  void begin(Call& call, NfsProcedure procedure, const Encode& encode, std::uint32_t reply_count = 0);
  /// Waits for the call, and makes it again as long as the server puts it off.
  void end(Call& call);
  template <class Reply, class... More>
  Reply reply_of(Call& call, More... more);
  template <class Reply>
  Reply ask(Call& call, NfsProcedure procedure, const Encode& encode);
  void run(Nanos time);
  NfsStatus complete(const NfsHandle& handle, const std::optional<NfsAttributes>& attributes, NfsFile& file);
  NfsStatus made(const Call& call, const CreateReply& reply, const NfsHandle& directory, std::string_view name,
                 NfsFile& file);
  NfsStatus write_stable(const NfsHandle& file, std::uint64_t offset, ByteSpan bytes);
  NfsStatus write_unstable(const NfsHandle& file, std::uint64_t offset, ByteSpan bytes,
                           std::vector<NfsVerifier>& verifiers);
  [[noreturn]] void fail(const Call& call, const std::string& what) const;

  const NfsExport& at_;
  std::stop_token stop_;
  TimePoint stopped_at_ = TimePoint::max();
  RpcLoop loop_;
  std::unique_ptr<RpcConnection> connection_;
};

}  // namespace edagen
