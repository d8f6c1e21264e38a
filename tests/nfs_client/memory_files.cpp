#include "nfs_client/memory_files.hpp"

#include <algorithm>
#include <sstream>

#include "dataset/dataset_layout.hpp"

namespace edagen::testing {
namespace {

constexpr std::uint64_t file_system = 77;
constexpr std::size_t handle_bytes = 28, first_bytes_max = 4096;
constexpr std::uint64_t room_bytes = std::uint64_t{1} << 40;  ///< of the file system, and its number of files
constexpr std::size_t listing_head_bytes = 128, listing_entry_bytes = 160;  ///< without the name

void write_status(XdrWriter& reply, NfsStatus status) { reply.u32(static_cast<std::uint32_t>(status)); }

/// sattr3. Times are not kept.
NfsSetAttributes read_set_attributes(XdrReader& call) {
  NfsSetAttributes attributes;
  for (auto* const word : {&attributes.mode, &attributes.uid, &attributes.gid})
    if (call.boolean()) *word = call.u32();
  if (call.boolean()) attributes.size = call.u64();
  for (int time = 0; time < 2; ++time)
    if (call.u32() == static_cast<std::uint32_t>(NfsSetAttributes::SetTime::client)) call.u64();
  return attributes;
}

}  // namespace

MemoryFiles::MemoryFiles() {
  files_[root_number].type = NfsFileType::directory;
  files_[root_number].mode = 0777;
}

// --- what there is

NfsHandle MemoryFiles::handle_of(std::uint64_t number) const {
  std::byte bytes[handle_bytes]{};
  XdrWriter writer(bytes);
  writer.u64(file_system);
  writer.u32(files_.contains(number) ? files_.at(number).generation : 0);
  writer.u64(number);
  writer.u64(0x1234567890abcdef);
  return NfsHandle(ByteSpan(bytes));
}

std::uint64_t MemoryFiles::number_of(ByteSpan handle) const {
  XdrReader reader(handle);
  const std::uint64_t fsid = reader.u64();
  const std::uint32_t generation = reader.u32();
  const std::uint64_t number = reader.u64();
  const auto file = files_.find(number);
  const bool is_there = reader.ok() && fsid == file_system && file != files_.end();
  return is_there && file->second.generation == generation ? number : 0;
}

std::uint64_t MemoryFiles::number_in(std::uint64_t directory, const std::string& name) const {
  const auto above = files_.find(directory);
  if (above == files_.end()) return 0;
  const auto at = above->second.names.find(name);
  return at == above->second.names.end() ? 0 : at->second;
}

std::uint64_t MemoryFiles::number_at(const std::string& path) const {
  std::uint64_t number = root_number;
  std::istringstream components(path);
  for (std::string name; number != 0 && std::getline(components, name, '/');) number = number_in(number, name);
  return number;
}

std::uint64_t MemoryFiles::add(std::uint64_t directory, const std::string& name, NfsFileType type, std::uint64_t size) {
  const std::uint64_t number = ++last_number_;
  File& file = files_[number];
  file.type = type;
  file.size = size;
  file.owner = caller_;
  files_[directory].names[name] = number;
  ++files_[directory].changes;
  return number;
}

void MemoryFiles::take_out(std::uint64_t directory, const std::string& name) {
  const auto named = files_[directory].names.find(name);
  const std::uint64_t number = named->second;
  files_[directory].names.erase(named);
  ++files_[directory].changes;
  if (--files_[number].links == 0) files_.erase(number);
}

void MemoryFiles::add_proc(const std::string& directory, const FilePopulation& files) {
  const auto make_path = [&](const std::string& path, NfsFileType type, std::uint64_t size) {
    std::uint64_t at = root_number;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string name = path.substr(begin, end - begin);
      const std::uint64_t known = number_in(at, name);
      if (known != 0) at = known;
      else at = add(at, name, end == path.size() ? type : NfsFileType::directory, end == path.size() ? size : 0);
      begin = end + 1;
    }
  };
  const NameWriter names(files.dataset());
  using enum NameClass;
  for (const NameClass cls : {dataset_dir, data, empty, made_dir, symlink})
    for (std::uint64_t i = 0; i < files.count(cls); ++i) {
      const NfsFileType type = cls == dataset_dir || cls == made_dir ? NfsFileType::directory
                               : cls == symlink                      ? NfsFileType::symlink
                                                                     : NfsFileType::regular;
      make_path(directory + "/" + names.path({cls, i}), type,
                cls == data ? static_cast<std::uint64_t>(files.file_size(i)) : 0);
    }
}

// --- replies

void MemoryFiles::write_attributes(XdrWriter& reply, std::uint64_t number) const {
  const File& file = files_.at(number);
  for (const std::uint32_t word :
       {static_cast<std::uint32_t>(file.type), file.mode, file.links, file.owner.uid, file.owner.gid})
    reply.u32(word);
  for (const std::uint64_t word : {file.size, file.size, std::uint64_t{0}, file_system, number}) reply.u64(word);
  reply.u64(0);
  reply.u64(0);
  reply.u32(file.changes);
  reply.u32(0);
}

void MemoryFiles::write_optional(XdrWriter& reply, std::uint64_t number) const {
  const bool has_them = !leaves_attributes_out && files_.contains(number);
  reply.boolean(has_them);
  if (has_them) write_attributes(reply, number);
}

void MemoryFiles::write_change(XdrWriter& reply, std::uint64_t number) const {
  reply.boolean(false);
  write_optional(reply, number);
}

ByteSpan MemoryFiles::results_of(NfsProcedure procedure, ByteSpan arguments, const Caller& caller) {
  caller_ = caller;
  XdrReader call(arguments);
  XdrWriter reply(room_);
  carry_out(procedure, call, reply);
  return reply.written();
}

void MemoryFiles::carry_out(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  using enum NfsProcedure;
  switch (procedure) {
    case null: break;
    case getattr: return get_attributes(call, reply);
    case setattr: return set_attributes(call, reply);
    case access:
    case readlink:
    case fsinfo:
    case fsstat: return on_file(procedure, call, reply);
    case NfsProcedure::read: return this->read(call, reply);
    case NfsProcedure::write:
    case commit: return this->write(procedure, call, reply);
    case NfsProcedure::rename: return this->rename(call, reply);
    case NfsProcedure::link: return this->link(call, reply);
    case readdirplus: return list(call, reply);
    case lookup: return look_up(call, reply);
    case NfsProcedure::remove:
    case rmdir: return this->remove(procedure, call, reply);
    case create:
    case mkdir:
    case symlink: return make(procedure, call, reply);
    default: write_status(reply, NfsStatus::notsupp); break;
  }
}

void MemoryFiles::get_attributes(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  write_status(reply, number ? NfsStatus::ok : NfsStatus::stale);
  if (number) write_attributes(reply, number);
}

void MemoryFiles::apply(const NfsSetAttributes& attributes, File& file) {
  file.mode = attributes.mode.value_or(file.mode);
  file.owner.uid = attributes.uid.value_or(file.owner.uid);
  file.owner.gid = attributes.gid.value_or(file.owner.gid);
  file.size = attributes.size.value_or(file.size);
  file.first_bytes.resize(std::min<std::uint64_t>(file.first_bytes.size(), file.size));
  ++file.changes;
}

void MemoryFiles::set_attributes(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  const NfsSetAttributes attributes = read_set_attributes(call);
  const bool is_guarded = call.boolean();
  NfsStatus status = number ? NfsStatus::ok : NfsStatus::stale;
  if (number && is_guarded && call.u32() != files_.at(number).changes) status = NfsStatus::not_sync;
  if (status == NfsStatus::ok) apply(attributes, files_.at(number));
  write_status(reply, status);
  write_change(reply, number);
}

void MemoryFiles::on_file(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  using enum NfsProcedure;
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  write_status(reply, number ? NfsStatus::ok : NfsStatus::stale);
  write_optional(reply, number);
  if (!number) return;
  if (procedure == access) reply.u32(call.u32());
  if (procedure == readlink) reply.string(files_.at(number).target);
  if (procedure == fsstat) {
    for (int i = 0; i < 6; ++i) reply.u64(room_bytes);
    reply.u32(0);
  }
  if (procedure == fsinfo) {
    for (const std::uint32_t word :
         {transfer_bytes_max, transfer_bytes_max, 1U, transfer_bytes_max, transfer_bytes_max, 1U, 65536U})
      reply.u32(word);
    reply.u64(room_bytes);
    reply.u64(1);     // time_delta
    reply.u32(0x1b);  // links, symbolic links, homogeneous, times can be set
  }
}

void MemoryFiles::read(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t offset = call.u64();
  const std::uint32_t count = call.u32();
  write_status(reply, number ? NfsStatus::ok : NfsStatus::stale);
  write_optional(reply, number);
  if (!number) return;
  const File& file = files_.at(number);
  const std::uint64_t rest = file.size - std::min(offset, file.size);
  std::vector<std::byte> bytes(std::min<std::uint64_t>({rest, count, transfer_bytes_max}));
  for (std::size_t i = 0; i < bytes.size() && offset + i < file.first_bytes.size(); ++i)
    bytes[i] = file.first_bytes[offset + i];
  reply.u32(static_cast<std::uint32_t>(bytes.size()));
  reply.boolean(bytes.size() == rest);
  reply.opaque(bytes);
}

/// WRITE and COMMIT.
void MemoryFiles::write(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t offset = call.u64();
  const std::uint32_t count = call.u32();
  write_status(reply, number ? NfsStatus::ok : NfsStatus::stale);
  if (number && procedure == NfsProcedure::write) {
    const auto stable = static_cast<NfsStable>(call.u32());
    const std::uint32_t taken = std::min(count, transfer_bytes_max);
    const ByteSpan data = call.opaque(count);
    File& file = files_.at(number);
    file.size = std::max(file.size, offset + taken);
    ++file.changes;
    if (offset < first_bytes_max) {
      const std::size_t kept = std::min<std::size_t>({data.size(), taken, first_bytes_max - offset});
      file.first_bytes.resize(std::max<std::size_t>(file.first_bytes.size(), offset + kept));
      std::ranges::copy(data.first(kept), file.first_bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    }
    if (on_write) on_write(offset, taken, stable);
    write_change(reply, number);
    reply.u32(taken);
    reply.u32(static_cast<std::uint32_t>(stable));
    return reply.u64(verifier_);
  }
  write_change(reply, number);
  if (number) reply.u64(verifier_);
}

void MemoryFiles::look_up(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t number = number_in(directory, std::string(call.string(max_nfs_name_bytes)));
  write_status(reply, !directory ? NfsStatus::stale : !number ? NfsStatus::noent : NfsStatus::ok);
  if (number) {
    reply.opaque(handle_of(number).span());
    write_optional(reply, number);
  }
  write_optional(reply, directory);
}

/// CREATE (in all modes of the protocol a name that is there is an error), MKDIR and SYMLINK.
void MemoryFiles::make(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  constexpr std::uint32_t exclusive = 2;
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string name(call.string(max_nfs_name_bytes));
  const bool is_there = number_in(directory, name) != 0;
  write_status(reply, !directory ? NfsStatus::stale : is_there ? NfsStatus::exist : NfsStatus::ok);
  if (!directory || is_there) return write_change(reply, directory);
  const NfsFileType type = procedure == NfsProcedure::mkdir     ? NfsFileType::directory
                           : procedure == NfsProcedure::symlink ? NfsFileType::symlink
                                                                : NfsFileType::regular;
  const std::uint64_t number = add(directory, name, type);
  File& file = files_.at(number);
  if (procedure != NfsProcedure::create || call.u32() != exclusive) apply(read_set_attributes(call), file);
  if (procedure == NfsProcedure::symlink) file.target = call.string(max_nfs_link_bytes);
  reply.boolean(true);
  reply.opaque(handle_of(number).span());
  write_optional(reply, number);
  write_change(reply, directory);
}

/// REMOVE and RMDIR.
void MemoryFiles::remove(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string name(call.string(max_nfs_name_bytes));
  const std::uint64_t number = number_in(directory, name);
  NfsStatus status = !directory ? NfsStatus::stale : !number ? NfsStatus::noent : NfsStatus::ok;
  if (number && procedure == NfsProcedure::rmdir && !files_.at(number).names.empty()) status = NfsStatus::notempty;
  if (status == NfsStatus::ok) take_out(directory, name);
  write_status(reply, status);
  write_change(reply, directory);
}

void MemoryFiles::link(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string name(call.string(max_nfs_name_bytes));
  NfsStatus status = !number || !directory ? NfsStatus::stale : NfsStatus::ok;
  if (number_in(directory, name) != 0) status = NfsStatus::exist;
  if (status == NfsStatus::ok) {
    files_.at(directory).names[name] = number;
    ++files_.at(number).links;
  }
  write_status(reply, status);
  write_optional(reply, number);
  write_change(reply, directory);
}

void MemoryFiles::rename(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t from = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string old_name(call.string(max_nfs_name_bytes));
  const std::uint64_t to = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string new_name(call.string(max_nfs_name_bytes));
  const std::uint64_t number = number_in(from, old_name);
  const NfsStatus status = !from || !to ? NfsStatus::stale : !number ? NfsStatus::noent : NfsStatus::ok;
  if (status == NfsStatus::ok) {
    if (const std::uint64_t replaced = number_in(to, new_name); replaced != 0 && replaced != number)
      take_out(to, new_name);
    files_.at(from).names.erase(old_name);
    files_.at(to).names[new_name] = number;
  }
  write_status(reply, status);
  write_change(reply, from);
  write_change(reply, to);
}

/// The cookie of an entry is its place, from 1 on.
void MemoryFiles::list(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t asked = call.u64(), cookie = cookies_are_ignored ? 0 : asked;
  call.u64();  // the verifier
  call.u32();  // bytes of names
  std::size_t room = std::max<std::size_t>(call.u32(), listing_head_bytes) - listing_head_bytes;
  write_status(reply, directory ? NfsStatus::ok : NfsStatus::stale);
  write_optional(reply, directory);
  if (!directory) return;
  reply.u64(1);  // the verifier of cookies
  std::uint64_t place = 0;
  std::size_t entries = 0;
  bool is_all = true;
  for (const auto& [name, number] : files_.at(directory).names) {
    if (++place <= cookie) continue;
    const std::size_t bytes = listing_entry_bytes + name.size();
    if (entries++ >= listing_entries_max || bytes > room) {
      is_all = false;
      break;
    }
    room -= bytes;
    reply.boolean(true);
    reply.u64(number);
    reply.string(name);
    reply.u64(cookies_stand_still ? 1 : place);
    write_optional(reply, number);
    reply.boolean(true);
    reply.opaque(handle_of(number).span());
  }
  reply.boolean(false);
  reply.boolean(is_all);
}

}  // namespace edagen::testing
