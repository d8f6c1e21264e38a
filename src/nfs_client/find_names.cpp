#include <cerrno>
#include <string_view>

#include "edagen/parts/random.hpp"
#include "nfs_client/leaf_name.hpp"
#include "nfs_client/nfs_ops.hpp"

namespace edagen {
namespace {

/// Splits the first component off a path.
std::string_view first_component(std::string_view& path) {
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string_view first = path.substr(0, end);
  path.remove_prefix(std::min(end + 1, path.size()));
  return first;
}

/// The number of a directory on the way to one of the dataset's: of its path below the proc's own directory.
NameRef on_the_way(std::string_view path) {
  std::uint64_t number = path.size();
  for (const char letter : path) number = derive_seed(number, static_cast<std::uint8_t>(letter));
  return {NameClass::none, number};
}

}  // namespace

bool NfsOps::find_known_directory(NfsProc& proc, std::uint64_t index, NfsHandle& handle) const {
  if (index < proc.place->files.dataset().directories)
    return proc.identity->handles().find(proc.key({NameClass::dataset_dir, index}), handle);
  handle = proc.home;
  return static_cast<bool>(handle);
}

/// False also where find() has to look at the directory for each op.
bool NfsOps::find_known(NfsProc& proc, NameRef name, NfsHandle& handle) const {
  if (trusts_nothing(proc)) return false;
  if (name.cls != NameClass::none) return proc.identity->handles().find(proc.key(name), handle);
  handle = proc.home;
  return static_cast<bool>(handle);
}

TrustedAttributes* NfsOps::trusted(NfsProc& proc, NameRef name) const {
  if (!proc.settings().trusted_time) return nullptr;
  TrustedAttributes* const attributes = proc.identity->handles().attributes(proc.key(name));
  return attributes && attributes->until_ms > loop_.milliseconds() ? attributes : nullptr;
}

void NfsOps::learn(NfsProc& proc, NameRef name, const NfsHandle& handle) {
  if (handle) proc.identity->handles().insert(proc.key(name), handle);
}

void NfsOps::learn(NfsProc& proc, NameRef name, const std::optional<NfsAttributes>& attributes) {
  const auto trusted_time = proc.settings().trusted_time;
  if (!trusted_time || !attributes) return;
  TrustedAttributes* const known = proc.identity->handles().attributes(proc.key(name));
  if (!known) return;
  constexpr std::int64_t longest_ms = 0xffffffff;
  const std::int64_t until = loop_.milliseconds() + std::chrono::milliseconds(*trusted_time).count();
  known->until_ms = static_cast<std::uint32_t>(std::min(until, longest_ms));
  known->size = static_cast<std::uint32_t>(std::min<std::uint64_t>(attributes->size, TrustedAttributes::unknown_size));
}

Task<int> NfsOps::look_up(NfsProc& proc, const NfsHandle& directory, std::string_view name, Found& found) {
  NfsCallOf<LookupReply> call(loop_, *proc.identity, NfsProcedure::lookup);
  encode_lookup(call.writer(), directory, name);
  const int error = co_await call;
  if (error != 0) co_return error;
  found.handle = call.reply.file;
  found.has_size = call.reply.attributes.has_value();
  if (found.has_size) found.size = static_cast<Bytes>(call.reply.attributes->size);
  co_return found.handle ? 0 : EBADMSG;
}

Task<int> NfsOps::enter(NfsProc& proc, const NfsHandle& directory) {
  NfsCallOf<AccessReply> call(loop_, *proc.identity, NfsProcedure::access);
  encode_access(call.writer(), directory, access_read | access_lookup | access_modify | access_extend | access_delete);
  const int error = co_await call;
  if (error != 0) co_return error;
  co_return (call.reply.access & access_lookup) != 0 ? 0 : EACCES;
}

Task<int> NfsOps::revalidate(NfsProc& proc, const NfsHandle& handle) {
  if (!trusts_nothing(proc)) co_return 0;
  NfsCallOf<GetattrReply> call(loop_, *proc.identity, NfsProcedure::getattr);
  encode_getattr(call.writer(), handle);
  const int error = co_await call;
  co_return error;
}

Task<int> NfsOps::find_home(NfsProc& proc) {
  std::string_view rest = proc.place->directory;
  const std::string_view first = first_component(rest);
  const NfsHandle root = NfsHandle(proc.identity->server().root);
  Found found;
  found.handle = first.empty() ? root : proc.identity->directory(first);
  int error = 0;
  if (!found.handle) {
    error = co_await enter(proc, root);
    if (error == 0) error = co_await look_up(proc, root, first, found);
    if (error == 0) error = co_await enter(proc, found.handle);
    if (error != 0) co_return error;
    proc.identity->set_directory(first, found.handle);
  }
  while (!rest.empty()) {
    const NfsHandle above = found.handle;
    error = co_await look_up(proc, above, first_component(rest), found);
    if (error == 0) error = co_await enter(proc, found.handle);
    if (error != 0) co_return error;
  }
  proc.home = found.handle;
  co_return 0;
}

Task<int> NfsOps::find_directory(NfsProc& proc, std::uint64_t index, NfsHandle& handle) {
  if (find_known_directory(proc, index, handle)) co_return 0;
  if (!proc.home) {
    const int error = co_await find_home(proc);
    if (error != 0) co_return error;
  }
  handle = proc.home;
  if (index >= proc.place->files.dataset().directories) co_return 0;
  char path[NameWriter::longest];
  const std::string_view whole(path, static_cast<std::size_t>(proc.names.write_directory(index, path) - path));
  for (std::string_view rest = whole; !rest.empty();) {
    const std::string_view component = first_component(rest);
    const std::string_view so_far = whole.substr(0, static_cast<std::size_t>(component.end() - whole.begin()));
    const NameRef name = rest.empty() ? NameRef{NameClass::dataset_dir, index} : on_the_way(so_far);
    if (proc.identity->handles().find(proc.key(name), handle)) continue;
    Found found;
    const NfsHandle above = handle;
    int error = co_await look_up(proc, above, component, found);
    if (error == 0) error = co_await enter(proc, found.handle);
    if (error != 0) co_return error;
    handle = found.handle;
    learn(proc, name, handle);
  }
  co_return 0;
}

Task<int> NfsOps::find_directory_of(NfsProc& proc, NameRef name, NfsHandle& handle) {
  int error = co_await find_directory(proc, proc.names.directory_of(name), handle);
  if (error == 0) error = co_await revalidate(proc, handle);
  co_return error;
}

/// Looks the name up where its handle is not known. A client that trusts nothing looks at the directory before, and
/// once more for a name that is known.
Task<int> NfsOps::find(NfsProc& proc, NameRef name, Found& found) {
  if (find_known(proc, name, found.handle)) co_return 0;
  const bool is_directory = name.cls == NameClass::dataset_dir || name.cls == NameClass::none;
  const std::uint64_t own = proc.place->files.dataset().directories;
  const std::uint64_t index = name.cls == NameClass::none ? own
                              : is_directory              ? name.index
                                                          : proc.names.directory_of(name);
  NfsHandle directory;
  if (!find_known_directory(proc, index, directory)) {
    const int error = co_await find_directory(proc, index, directory);
    if (error != 0) co_return error;
  }
  found.handle = directory;
  if (is_directory) co_return 0;
  if (trusts_nothing(proc)) {
    int error = co_await revalidate(proc, directory);
    const bool is_known = proc.identity->handles().find(proc.key(name), found.handle);
    if (error == 0 && is_known) error = co_await revalidate(proc, directory);
    if (error != 0 || is_known) co_return error;
  }
  NfsCallOf<LookupReply> call(loop_, *proc.identity, NfsProcedure::lookup);
  encode_lookup(call.writer(), directory, LeafName(proc.names, name).view());
  const int error = co_await call;
  if (error != 0) co_return error;
  if (!call.reply.file) co_return EBADMSG;
  found.handle = call.reply.file;
  found.has_size = call.reply.attributes.has_value();
  if (found.has_size) found.size = static_cast<Bytes>(call.reply.attributes->size);
  learn(proc, name, found.handle);
  learn(proc, name, call.reply.attributes);
  co_return 0;
}

void NfsOps::forget(NfsProc& proc, const Op& op) {
  char path[NameWriter::longest];
  for (const NameRef name : {op.name, op.other}) {
    proc.identity->handles().erase(proc.key(name));
    if (name.cls == NameClass::data) proc.files.forget(name.index);
    const std::uint64_t directory = name.cls == NameClass::dataset_dir ? name.index : proc.names.directory_of(name);
    proc.identity->handles().erase(proc.key({NameClass::dataset_dir, directory}));
    std::string_view whole(path, static_cast<std::size_t>(proc.names.write_directory(directory, path) - path));
    for (std::size_t end = whole.rfind('/'); end != std::string_view::npos; end = whole.rfind('/')) {
      whole = whole.substr(0, end);
      proc.identity->handles().erase(proc.key(on_the_way(whole)));
    }
  }
  proc.home = NfsHandle();
  proc.identity->forget_directories();
}

}  // namespace edagen
