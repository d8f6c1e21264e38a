#include <algorithm>
#include <cerrno>

#include "nfs_client/nfs_ops.hpp"

namespace edagen {

/// An extent that takes several READs or WRITEs, of which so many lanes are in flight at once.
struct NfsOps::Transfer {
  static constexpr std::size_t most_lanes = 8;

  NfsProc& proc;
  const NfsHandle& file;
  FileExtent extent;
  Bytes part;                        ///< most bytes of one RPC
  UnstableData* unstable = nullptr;  ///< of a write
  Bytes begun = 0;                   ///< bytes that lanes have taken
  int error = 0;                     ///< the first one; no part is begun after it
};

Task<NfsOps::Moved> NfsOps::read(NfsProc& proc, const NfsHandle& file, FileExtent extent) {
  const Bytes part = proc.settings().read_size;
  if (extent.length <= part) return read_part(proc, file, extent);
  return in_parts({.proc = proc, .file = file, .extent = extent, .part = part});
}

Task<NfsOps::Moved> NfsOps::write(NfsProc& proc, const NfsHandle& file, FileExtent extent, bool durable,
                                  UnstableData& unstable) {
  const Bytes part = proc.settings().write_size;
  if (extent.length <= part)
    return write_part(proc, file, extent, durable && !unstable.any() ? NfsStable::file_sync : NfsStable::unstable,
                      unstable);
  return in_parts({.proc = proc, .file = file, .extent = extent, .part = part, .unstable = &unstable});
}

Task<NfsOps::Moved> NfsOps::in_parts(Transfer transfer) {
  std::array<Task<Moved>, Transfer::most_lanes> lanes;
  const auto parts = static_cast<std::size_t>((transfer.extent.length + transfer.part - 1) / transfer.part);
  const std::size_t count = std::min(parts, lanes.size());
  Join join;
  for (std::size_t i = 0; i < count; ++i) {
    lanes[i] = lane(transfer);
    join.expect_another();
    lanes[i].start(join, 0);
  }
  co_await join;
  Moved moved{.error = transfer.error};
  for (std::size_t i = 0; i < count; ++i) moved.bytes += lanes[i].value().bytes;
  co_return moved;
}

Task<NfsOps::Moved> NfsOps::lane(Transfer& transfer) {
  Moved all;
  while (transfer.error == 0 && transfer.begun < transfer.extent.length) {
    const FileExtent part{transfer.extent.offset + transfer.begun,
                          std::min(transfer.part, transfer.extent.length - transfer.begun)};
    transfer.begun += part.length;
    Moved moved;
    if (transfer.unstable)
      moved = co_await write_part(transfer.proc, transfer.file, part, NfsStable::unstable, *transfer.unstable);
    else moved = co_await read_part(transfer.proc, transfer.file, part);
    all.bytes += moved.bytes;
    if (transfer.error == 0) transfer.error = moved.error;
  }
  co_return all;
}

/// One READ, and more of them for what a server leaves out.
Task<NfsOps::Moved> NfsOps::read_part(NfsProc& proc, const NfsHandle& file, FileExtent extent) {
  Moved moved;
  while (moved.bytes < extent.length) {
    const Bytes rest = extent.length - moved.bytes;
    ReadCall call(loop_, *proc.identity, file, static_cast<std::uint64_t>(extent.offset + moved.bytes),
                  static_cast<std::uint32_t>(rest));
    moved.error = co_await call;
    if (moved.error != 0) co_return moved;
    const auto bytes = static_cast<Bytes>(call.reply.data.size());
    moved.bytes += bytes;
    counters(proc).read_bytes.add(bytes);
    if (bytes == rest) break;
    if (bytes == 0 || call.reply.at_end) {
      moved.error = short_read_error;
      co_return moved;
    }
    counters(proc).short_reads.add(1);
  }
  co_return moved;
}

/// One WRITE, and more of them for what a server leaves out.
Task<NfsOps::Moved> NfsOps::write_part(NfsProc& proc, const NfsHandle& file, FileExtent extent, NfsStable stable,
                                       UnstableData& unstable) {
  Moved moved;
  while (moved.bytes < extent.length) {
    const FileExtent rest{extent.offset + moved.bytes, extent.length - moved.bytes};
    WriteCall call(loop_, *proc.identity, file, static_cast<std::uint64_t>(rest.offset),
                   proc.payload->stretch(rest.length), stable);
    moved.error = co_await call;
    if (moved.error != 0) co_return moved;
    const auto bytes = static_cast<Bytes>(call.reply.count);
    moved.bytes += bytes;
    counters(proc).written_bytes.add(bytes);
    if (call.reply.committed == NfsStable::unstable) {
      const NfsVerifier verifier = call.reply.verifier;
      const bool has_lost = unstable.any() && unstable.verifier() != verifier;
      if (has_lost) {
        moved.error = co_await rewrite(proc, file, unstable, verifier);
        if (moved.error != 0) co_return moved;
      }
      if (!unstable.any()) unstable.set_verifier(verifier);
      unstable.add({rest.offset, bytes});
    }
    if (bytes == rest.length) break;
    if (bytes == 0) {
      moved.error = short_write_error;
      co_return moved;
    }
    counters(proc).short_writes.add(1);
  }
  co_return moved;
}

/// The server has started anew, as its verifier shows: what it may have lost is written again. The bytes are others
/// than before, which have no more meaning.
Task<int> NfsOps::rewrite(NfsProc& proc, const NfsHandle& file, UnstableData& unstable, NfsVerifier verifier) {
  if (!unstable.may_rewrite()) co_return EIO;
  counters(proc).verifier_changes.add(1);
  const std::vector<FileExtent> lost = unstable.take();
  unstable.set_verifier(verifier);
  for (const FileExtent& extent : lost) {
    counters(proc).rewritten_bytes.add(extent.length);
    const Moved moved = co_await write(proc, file, extent, false, unstable);
    if (moved.error != 0) co_return moved.error;
  }
  co_return 0;
}

Task<int> NfsOps::commit(NfsProc& proc, const NfsHandle& file, UnstableData& unstable, bool of_all) {
  while (unstable.any() || (of_all && unstable.is_committing())) {
    // What other ops write meanwhile is for the next COMMIT.
    const UnstableData::Committing taken(unstable);
    const NfsVerifier verifier = unstable.verifier();
    NfsCallOf<CommitReply> call(loop_, *proc.identity, NfsProcedure::commit);
    encode_commit(call.writer(), file, 0, 0);
    const int error = co_await call;
    // Whether data that another op has taken are lost is shown by the reply to that op.
    const bool is_kept = error == 0 && (taken.extents.empty() || call.reply.verifier == verifier);
    if (is_kept) {
      unstable.committed();
      co_return 0;
    }
    for (const FileExtent& extent : taken.extents) unstable.add(extent);
    if (error != 0) co_return error;
    const int lost = co_await rewrite(proc, file, unstable, call.reply.verifier);
    if (lost != 0) co_return lost;
  }
  co_return 0;
}

}  // namespace edagen
