#include <cerrno>

#include "nfs_client/leaf_name.hpp"
#include "nfs_client/nfs_ops.hpp"

namespace edagen {
namespace {

FilePlace place_of(const Op& op) {
  switch (op.kind) {
    case OpKind::open:
    case OpKind::close: return op.writing ? FilePlace::writing : FilePlace::reading;
    case OpKind::read_seq: return FilePlace::reading;
    case OpKind::write_seq: return FilePlace::writing;
    default: return FilePlace::random;
  }
}

bool reads(const Op& op) {
  return op.kind == OpKind::read_seq || op.kind == OpKind::read_rand || op.kind == OpKind::rmw;
}
bool writes(const Op& op) {
  return op.kind == OpKind::write_seq || op.kind == OpKind::write_rand || op.kind == OpKind::rmw;
}
/// Its data are on the server's storage when it ends.
bool is_durable(const Op& op) { return op.commit || op.sync || op.direct || op.kind == OpKind::fsync; }
std::uint32_t needed_of(FilePlace place) {
  return place == FilePlace::reading   ? access_read
         : place == FilePlace::writing ? access_modify
                                       : access_read | access_modify;
}

}  // namespace

/// As open(2): the attributes are asked for, unless a LOOKUP has just brought them, and the access.
Task<int> NfsOps::open(NfsProc& proc, NameRef name, std::uint32_t needed, Found& found) {
  if (!find_known(proc, name, found.handle)) {
    const int error = co_await find(proc, name, found);
    if (error != 0) co_return error;
  }
  if (const TrustedAttributes* const known = trusted(proc, name);
      known && !found.has_size && known->size != TrustedAttributes::unknown_size) {
    found.has_size = true;
    found.size = known->size;
  }
  if (!found.has_size) {
    const int error = co_await get_attributes(proc, name, found);
    if (error != 0) co_return error;
  }
  const int error = co_await ask_access(proc, name, found.handle, needed);
  co_return error;
}

/// As open(2) with O_CREAT and O_TRUNC.
Task<int> NfsOps::open_or_create(NfsProc& proc, NameRef name, Found& found) {
  int error = co_await open(proc, name, access_modify, found);
  if (error == 0) {
    error = co_await set_size(proc, name, found.handle, 0);
    co_return error;
  }
  if (error != ENOENT) co_return error;
  NfsHandle directory;
  error = co_await find_directory(proc, proc.names.directory_of(name), directory);
  if (error != 0) co_return error;
  NfsCallOf<CreateReply> call(loop_, *proc.identity, NfsProcedure::create);
  NfsSetAttributes attributes;
  attributes.mode = 0644;
  encode_create(call.writer(), directory, LeafName(proc.names, name).view(), attributes, true);
  error = co_await call;
  const bool is_of_another = error != 0 && call.status() == NfsStatus::exist && !call.was_repeated();
  if (is_of_another) {  // another proc that shares it has just made it: it is opened as it is
    error = co_await find(proc, name, found);
    if (error == 0) error = co_await set_size(proc, name, found.handle, 0);
    co_return error;
  }
  if (error != 0 && !is_repeated_success(proc, call, NfsStatus::exist)) co_return error;
  proc.identity->handles().erase(proc.key(name));
  learn(proc, name, error == 0 ? call.reply.file : NfsHandle());
  error = 0;
  if (!proc.identity->handles().find(proc.key(name), found.handle)) error = co_await find(proc, name, found);
  co_return error;
}

Task<int> NfsOps::set_size(NfsProc& proc, NameRef name, const NfsHandle& handle, Bytes size) {
  NfsCallOf<SetattrReply> call(loop_, *proc.identity, NfsProcedure::setattr);
  NfsSetAttributes attributes;
  attributes.size = static_cast<std::uint64_t>(size);
  encode_setattr(call.writer(), handle, attributes);
  const int error = co_await call;
  if (TrustedAttributes* const known = trusted(proc, name)) *known = {};  // replies may leave attributes out
  if (error == 0) learn(proc, name, call.reply.change.after);
  co_return error;
}

// --- files that stay open

Task<int> NfsOps::ensure_open(NfsProc& proc, NameRef name, FilePlace place, OpenNfsFile*& file) {
  while ((file = proc.files.find(name.index, place)) != nullptr) {
    if (file->state == OpenNfsFile::State::open) {
      if (file->handle) co_return 0;
      Found again;
      ++file->users;  // an op on another file of this use must not close it meanwhile
      const int error = co_await find(proc, name, again);  // the handle was stale
      --file->users;
      if (error == 0) file->handle = again.handle;  // else it is that of the directory
      co_return error;
    }
    co_await file->gate.opened();
  }
  while (OpenNfsFile* const old = proc.files.idle_at(place)) {
    const int error = co_await close(proc, *old);
    if (error != 0) co_return error;
  }
  file = &proc.files.closed();
  file->state = OpenNfsFile::State::opening;
  file->index = name.index;
  file->place = place;
  Found found;
  const int error = co_await open(proc, name, needed_of(place), found);
  file->handle = found.handle;
  file->state = error == 0 ? OpenNfsFile::State::open : OpenNfsFile::State::closed;
  file->gate.open();
  co_return error;
}

/// Close-to-open: what was written is on the server's storage when the file is closed.
Task<int> NfsOps::close(NfsProc& proc, OpenNfsFile& file) {
  file.state = OpenNfsFile::State::closing;
  int error = 0;
  if (file.handle) {
    const bool has_written = file.unstable.any();
    error = co_await commit(proc, file.handle, file.unstable);
    if (error == 0 && has_written) error = co_await revalidate(proc, file.handle);
  }
  file.unstable = UnstableData();
  file.state = OpenNfsFile::State::closed;
  co_return error;
}

Task<int> NfsOps::commit_all(NfsProc& proc) {
  int first = 0;
  while (OpenNfsFile* const file = proc.files.unstable()) {
    int error = ESTALE;
    if (file->handle) error = co_await commit(proc, file->handle, file->unstable);
    if (error != 0) file->unstable = UnstableData();
    if (first == 0) first = error;
  }
  co_return first;
}

Task<OpResult> NfsOps::open_session(NfsProc& proc, Op op) {
  const FilePlace place = place_of(op);
  OpResult result;
  OpenNfsFile* file = proc.files.find(op.name.index, place);
  if (file) result.error = co_await close(proc, *file);  // open only when the close before has failed
  if (result.error == 0) result.error = co_await ensure_open(proc, op.name, place, file);
  co_return result;
}

Task<OpResult> NfsOps::close_session(NfsProc& proc, Op op) {
  OpResult result;
  OpenNfsFile* file = nullptr;
  result.error = co_await ensure_open(proc, op.name, place_of(op), file);  // it is open unless this is the first op
  if (result.error == 0) result.error = co_await close(proc, *file);
  co_return result;
}

/// Reads, writes or syncs at the op's place in a file that stays open between ops.
Task<OpResult> NfsOps::positioned(NfsProc& proc, Op op) {
  OpResult result;
  OpenNfsFile* file = proc.files.find(op.name.index, place_of(op));
  if (!file || file->state != OpenNfsFile::State::open || !file->handle) {
    result.error = co_await ensure_open(proc, op.name, place_of(op), file);
    if (result.error != 0) co_return result;
  }
  ++file->users;
  const NfsHandle handle = file->handle;  // another op may find it stale
  const FileExtent extent{op.offset, op.length};
  if (reads(op)) {
    const Moved moved = co_await read(proc, handle, extent);
    result.bytes_read = moved.bytes;
    result.error = moved.error;
  }
  if (writes(op) && result.error == 0) {
    const Moved moved = co_await write(proc, handle, extent, is_durable(op), file->unstable);
    result.bytes_written = moved.bytes;
    result.error = moved.error;
  }
  if (is_durable(op) && result.error == 0)
    result.error = co_await commit(proc, handle, file->unstable, op.commit || op.kind == OpKind::fsync);
  --file->users;
  co_return result;
}

// --- files that an op opens and closes

Task<OpResult> NfsOps::read_file(NfsProc& proc, Op op) {
  OpResult result;
  Found found;
  result.error = co_await open(proc, op.name, access_read, found);
  if (result.error != 0) co_return result;
  const Moved moved = co_await read(proc, found.handle, {0, op.length});
  result.bytes_read = moved.bytes;
  result.error = moved.error;
  co_return result;
}

/// Writes what an op writes to a file that is closed after it.
Task<int> NfsOps::write_and_commit(NfsProc& proc, const NfsHandle& file, const Op& op, FileExtent extent,
                                   OpResult& result) {
  UnstableData unstable;
  const Moved moved = co_await write(proc, file, extent, true, unstable);
  result.bytes_written += moved.bytes;
  if (TrustedAttributes* const known = trusted(proc, op.kind == OpKind::copyfile ? op.other : op.name))
    known->size =
        static_cast<std::uint32_t>(std::min<Bytes>(extent.offset + moved.bytes, TrustedAttributes::unknown_size));
  if (moved.error != 0) co_return moved.error;
  int error = co_await commit(proc, file, unstable);
  if (error == 0 && !op.direct) error = co_await revalidate(proc, file);
  co_return error;
}

Task<OpResult> NfsOps::write_file(NfsProc& proc, Op op) {
  OpResult result;
  Found found;
  result.error = co_await open_or_create(proc, op.name, found);
  if (result.error == 0) result.error = co_await write_and_commit(proc, found.handle, op, {0, op.length}, result);
  co_return result;
}

Task<OpResult> NfsOps::append(NfsProc& proc, Op op) {
  OpResult result;
  Found found;
  result.error = co_await open(proc, op.name, access_modify, found);
  if (result.error == 0) result.error = co_await revalidate(proc, found.handle);  // for the size
  if (result.error == 0 && op.truncating) {
    result.error = co_await set_size(proc, op.name, found.handle, 0);
    found.size = 0;
  }
  const FileExtent extent{found.size, op.length};
  if (result.error == 0) result.error = co_await write_and_commit(proc, found.handle, op, extent, result);
  co_return result;
}

Task<OpResult> NfsOps::truncate(NfsProc& proc, Op op) {
  OpResult result;
  Found found;
  result.error = co_await open(proc, op.name, access_modify, found);
  if (result.error != 0) co_return result;
  result.error = co_await set_size(proc, op.name, found.handle, op.length);
  if (result.error == 0) result.error = co_await revalidate(proc, found.handle);
  co_return result;
}

/// What is written has the workload's shares of duplicate and compressible blocks, as what was read has.
Task<OpResult> NfsOps::copy(NfsProc& proc, Op op) {
  OpResult result;
  Found from, to;
  result.error = co_await open(proc, op.name, access_read, from);
  if (result.error == 0) result.error = co_await open(proc, op.other, access_modify, to);
  if (result.error == 0) result.error = co_await set_size(proc, op.other, to.handle, 0);
  if (result.error != 0) co_return result;
  const FileExtent whole{0, op.length};
  const Moved moved = co_await read(proc, from.handle, whole);
  result.bytes_read = moved.bytes;
  result.error = moved.error;
  if (result.error == 0) result.error = co_await write_and_commit(proc, to.handle, op, whole, result);
  co_return result;
}

// --- all kinds

Task<OpResult> NfsOps::carry_out(NfsProc& proc, const Op& op) {
  switch (op.kind) {
    case OpKind::stat: return stat(proc, op);
    case OpKind::access: return access(proc, op);
    case OpKind::create: return create(proc, op);
    case OpKind::unlink:
    case OpKind::rmdir: return remove(proc, op);
    case OpKind::mkdir: return make_directory(proc, op);
    case OpKind::rename: return rename(proc, op);
    case OpKind::symlink: return make_symlink(proc, op);
    case OpKind::link: return make_link(proc, op);
    case OpKind::readlink: return readlink(proc, op);
    case OpKind::chmod: return change_mode(proc, op);
    case OpKind::truncate: return truncate(proc, op);
    case OpKind::readdir: return readdir(proc, op);
    case OpKind::statfs: return statfs(proc, op);
    case OpKind::open: return open_session(proc, op);
    case OpKind::close: return close_session(proc, op);
    case OpKind::read_file: return read_file(proc, op);
    case OpKind::write_file: return write_file(proc, op);
    case OpKind::write_append: return append(proc, op);
    case OpKind::copyfile: return copy(proc, op);
    case OpKind::read_seq:
    case OpKind::read_rand:
    case OpKind::write_seq:
    case OpKind::write_rand:
    case OpKind::rmw:
    case OpKind::fsync: return positioned(proc, op);
    case OpKind::mmap_read:
    case OpKind::mmap_write:
    case OpKind::lock: break;
  }
  return refuse();
}

/// For a kind that has no RPCs here.
Task<OpResult> NfsOps::refuse() { co_return OpResult{.error = ENOSYS, .bytes_read = 0, .bytes_written = 0}; }

}  // namespace edagen
