#include <cerrno>

#include "nfs_client/leaf_name.hpp"
#include "nfs_client/nfs_ops.hpp"

namespace edagen {
namespace {

OpResult result_of(int error) { return {.error = error, .bytes_read = 0, .bytes_written = 0}; }

}  // namespace

bool NfsOps::is_repeated_success(const NfsProc& proc, const NfsCall& call, NfsStatus status) {
  if (!call.was_repeated() || call.status() != status) return false;
  counters(proc).repeated_changes.add(1);
  return true;
}

Task<OpResult> NfsOps::stat(NfsProc& proc, Op op) {
  Found found;
  if (!find_known(proc, op.name, found.handle)) {
    const int error = co_await find(proc, op.name, found);
    if (error != 0 || (found.has_size && !trusts_nothing(proc))) co_return result_of(error);
  }
  if (trusted(proc, op.name)) co_return OpResult{};
  const int error = co_await get_attributes(proc, op.name, found);
  co_return result_of(error);
}

Task<int> NfsOps::get_attributes(NfsProc& proc, NameRef name, Found& found) {
  NfsCallOf<GetattrReply> call(loop_, *proc.identity, NfsProcedure::getattr);
  encode_getattr(call.writer(), found.handle);
  const int error = co_await call;
  if (error != 0) co_return error;
  found.has_size = true;
  found.size = static_cast<Bytes>(call.reply.attributes.size);
  learn(proc, name, std::optional(call.reply.attributes));
  co_return 0;
}

Task<int> NfsOps::ask_access(NfsProc& proc, NameRef name, const NfsHandle& handle, std::uint32_t needed) {
  HandleCache& handles = proc.identity->handles();
  if (handles.may_access(proc.key(name))) {
    const int error = co_await revalidate(proc, handle);
    co_return error;
  }
  constexpr std::uint32_t asked = access_read | access_modify | access_extend | access_execute;
  NfsCallOf<AccessReply> call(loop_, *proc.identity, NfsProcedure::access);
  encode_access(call.writer(), handle, asked);
  const int error = co_await call;
  if (error != 0) co_return error;
  learn(proc, name, call.reply.attributes);
  constexpr std::uint32_t both = access_read | access_modify;
  handles.set_may_access(proc.key(name), (call.reply.access & both) == both);
  co_return (call.reply.access & needed) == needed ? 0 : EACCES;
}

Task<OpResult> NfsOps::access(NfsProc& proc, Op op) {
  Found found;
  if (!find_known(proc, op.name, found.handle)) {
    const int error = co_await find(proc, op.name, found);
    if (error != 0) co_return result_of(error);
  } else if (proc.identity->handles().may_access(proc.key(op.name)) && !trusted(proc, op.name)) {
    const int error = co_await get_attributes(proc, op.name, found);  // the access is known while they do not change
    co_return result_of(error);
  }
  const int error = co_await ask_access(proc, op.name, found.handle, access_read);
  co_return result_of(error);
}

/// As open(2) with O_EXCL.
Task<OpResult> NfsOps::create(NfsProc& proc, Op op) {
  NfsHandle directory;
  int error = co_await find_directory_of(proc, op.name, directory);
  if (error != 0) co_return result_of(error);
  NfsCallOf<CreateReply> call(loop_, *proc.identity, NfsProcedure::create);
  encode_create_exclusive(call.writer(), directory, LeafName(proc.names, op.name).view(), loop_.next_verifier());
  error = co_await call;
  if (error != 0 && !is_repeated_success(proc, call, NfsStatus::exist)) co_return result_of(error);
  proc.identity->handles().erase(proc.key(op.name));
  learn(proc, op.name, error == 0 ? call.reply.file : NfsHandle());
  Found found;
  error = 0;
  if (!proc.identity->handles().find(proc.key(op.name), found.handle)) error = co_await find(proc, op.name, found);
  if (error != 0) co_return result_of(error);
  NfsCallOf<SetattrReply> mode(loop_, *proc.identity, NfsProcedure::setattr);
  NfsSetAttributes attributes;
  attributes.mode = 0644;
  attributes.set_accessed = attributes.set_modified = NfsSetAttributes::SetTime::server;
  encode_setattr(mode.writer(), found.handle, attributes);
  error = co_await mode;
  if (error == 0) learn(proc, op.name, mode.reply.change.after);
  co_return result_of(error);
}

/// unlink and rmdir. What is removed is looked up before.
Task<OpResult> NfsOps::remove(NfsProc& proc, Op op) {
  Found found;
  NfsHandle directory;
  int error = co_await find(proc, op.name, found);
  if (error == 0) error = co_await find_directory(proc, proc.names.directory_of(op.name), directory);
  if (error != 0) co_return result_of(error);
  const bool removes_directory = op.kind == OpKind::rmdir;
  NfsCallOf<RemoveReply> call(loop_, *proc.identity, removes_directory ? NfsProcedure::rmdir : NfsProcedure::remove);
  const LeafName leaf(proc.names, op.name);
  if (removes_directory) encode_rmdir(call.writer(), directory, leaf.view());
  else encode_remove(call.writer(), directory, leaf.view());
  error = co_await call;
  const bool removed = error == 0 || is_repeated_success(proc, call, NfsStatus::noent);
  if (removed) proc.identity->handles().erase(proc.key(op.name));
  co_return result_of(removed ? 0 : error);
}

Task<OpResult> NfsOps::make_directory(NfsProc& proc, Op op) {
  NfsHandle directory;
  int error = co_await find_directory_of(proc, op.name, directory);
  if (error != 0) co_return result_of(error);
  NfsCallOf<CreateReply> call(loop_, *proc.identity, NfsProcedure::mkdir);
  NfsSetAttributes attributes;
  attributes.mode = 0755;
  encode_mkdir(call.writer(), directory, LeafName(proc.names, op.name).view(), attributes);
  error = co_await call;
  if (error == 0) learn(proc, op.name, call.reply.file);
  co_return result_of(error == 0 || is_repeated_success(proc, call, NfsStatus::exist) ? 0 : error);
}

Task<OpResult> NfsOps::rename(NfsProc& proc, Op op) {
  Found found;
  NfsHandle from, to;
  int error = co_await find(proc, op.name, found);  // what is moved, but not what it replaces
  if (error == 0) error = co_await find_directory(proc, proc.names.directory_of(op.name), from);
  if (error == 0) error = co_await find_directory_of(proc, op.other, to);
  if (error != 0) co_return result_of(error);
  NfsCallOf<RenameReply> call(loop_, *proc.identity, NfsProcedure::rename);
  encode_rename(call.writer(), from, LeafName(proc.names, op.name).view(), to, LeafName(proc.names, op.other).view());
  error = co_await call;
  if (error != 0 && !is_repeated_success(proc, call, NfsStatus::noent)) co_return result_of(error);
  HandleCache& handles = proc.identity->handles();
  handles.erase(proc.key(op.name));
  handles.erase(proc.key(op.other));
  learn(proc, op.other, found.handle);
  co_return OpResult{};
}

Task<OpResult> NfsOps::make_symlink(NfsProc& proc, Op op) {
  NfsHandle directory;
  int error = co_await find_directory_of(proc, op.name, directory);
  if (error != 0) co_return result_of(error);
  NfsCallOf<CreateReply> call(loop_, *proc.identity, NfsProcedure::symlink);
  const NfsSetAttributes attributes;
  encode_symlink(call.writer(), directory, LeafName(proc.names, op.name).view(), attributes,
                 LeafName(proc.names, op.other).view());
  error = co_await call;
  if (error == 0) learn(proc, op.name, call.reply.file);
  co_return result_of(error == 0 || is_repeated_success(proc, call, NfsStatus::exist) ? 0 : error);
}

Task<OpResult> NfsOps::make_link(NfsProc& proc, Op op) {
  Found target;
  int error = co_await find(proc, op.other, target);
  if (error == 0 && !target.has_size) error = co_await revalidate(proc, target.handle);
  if (error != 0) co_return result_of(error);
  NfsHandle directory;
  error = co_await find_directory_of(proc, op.name, directory);
  if (error != 0) co_return result_of(error);
  NfsCallOf<LinkReply> call(loop_, *proc.identity, NfsProcedure::link);
  encode_link(call.writer(), target.handle, directory, LeafName(proc.names, op.name).view());
  error = co_await call;
  if (error == 0) learn(proc, op.name, target.handle);
  co_return result_of(error == 0 || is_repeated_success(proc, call, NfsStatus::exist) ? 0 : error);
}

Task<OpResult> NfsOps::readlink(NfsProc& proc, Op op) {
  Found found;
  int error = co_await find(proc, op.name, found);
  if (error == 0 && !found.has_size) error = co_await revalidate(proc, found.handle);
  if (error != 0) co_return result_of(error);
  NfsCallOf<ReadlinkReply> call(loop_, *proc.identity, NfsProcedure::readlink);
  encode_readlink(call.writer(), found.handle);
  error = co_await call;
  co_return result_of(error);
}

Task<OpResult> NfsOps::change_mode(NfsProc& proc, Op op) {
  Found found;
  int error = co_await find(proc, op.name, found);
  if (error != 0) co_return result_of(error);
  NfsCallOf<SetattrReply> call(loop_, *proc.identity, NfsProcedure::setattr);
  NfsSetAttributes attributes;
  attributes.mode = static_cast<std::uint32_t>(op.length);
  encode_setattr(call.writer(), found.handle, attributes);
  error = co_await call;
  if (error == 0) learn(proc, op.name, call.reply.change.after);
  proc.identity->handles().set_may_access(proc.key(op.name), false);
  co_return result_of(error);
}

Task<OpResult> NfsOps::readdir(NfsProc& proc, Op op) {
  Found found;
  int error = co_await find(proc, op.name, found);
  if (error != 0) co_return result_of(error);
  const NfsHandle directory = found.handle;
  if (!trusted(proc, op.name)) error = co_await get_attributes(proc, op.name, found);  // as open(2)
  if (error != 0) co_return result_of(error);
  std::uint64_t cookie = 0;
  NfsVerifier verifier = 0;
  ListingLoop loop;
  int restarts_left = 5;
  for (;;) {
    ReaddirplusCall call(loop_, *proc.identity, directory, cookie, verifier);
    error = co_await call;
    if (call.status() == NfsStatus::bad_cookie && restarts_left-- > 0) {  // the directory has changed
      cookie = verifier = 0;
      loop = ListingLoop();
      continue;
    }
    if (error != 0) co_return result_of(error);
    DirectoryEntries& entries = call.reply.entries;
    for (DirectoryEntry entry; entries.next(entry);)
      if (const NameRef name = NameWriter::parse_leaf(entry.name); name.cls != NameClass::none) {
        learn(proc, name, entry.file);
        learn(proc, name, entry.attributes);
      }
    if (!entries.ok()) co_return result_of(EBADMSG);  // also when the cookie does not advance
    if (entries.end_of_directory()) co_return OpResult{};
    cookie = entries.cookie();
    if (loop.comes_back_to(cookie)) co_return result_of(EBADMSG);
    verifier = call.reply.verifier;
  }
}

Task<OpResult> NfsOps::statfs(NfsProc& proc, Op) {
  if (!proc.home) {
    const int error = co_await find_home(proc);
    if (error != 0) co_return result_of(error);
  }
  NfsCallOf<FsstatReply> call(loop_, *proc.identity, NfsProcedure::fsstat);
  encode_fsstat(call.writer(), proc.home);
  const int error = co_await call;
  co_return result_of(error);
}

}  // namespace edagen
