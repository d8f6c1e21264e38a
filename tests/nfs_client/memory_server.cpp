#include "nfs_client/memory_server.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>
#include <utility>

#include "dataset/dataset_layout.hpp"

namespace edagen::testing {
namespace {

constexpr std::uint64_t file_system = 77;
constexpr std::size_t handle_bytes = 28;

}  // namespace

MemoryServer::MemoryServer() : server_([this](LyingServer::Wire& wire, const WireCall& call) { serve(wire, call); }) {
  files_[root_number].type = NfsFileType::directory;
}

// --- what there is

NfsHandle MemoryServer::handle_of(std::uint64_t number) const {
  std::byte bytes[handle_bytes]{};
  XdrWriter writer(bytes);
  writer.u64(file_system);
  writer.u32(files_.contains(number) ? files_.at(number).generation : 0);
  writer.u64(number);
  writer.u64(0x1234567890abcdef);
  return NfsHandle(ByteSpan(bytes));
}

std::uint64_t MemoryServer::number_of(ByteSpan handle) const {
  XdrReader reader(handle);
  const std::uint64_t fsid = reader.u64();
  const std::uint32_t generation = reader.u32();
  const std::uint64_t number = reader.u64();
  const auto file = files_.find(number);
  const bool is_there = reader.ok() && fsid == file_system && file != files_.end();
  return is_there && file->second.generation == generation ? number : 0;
}

std::uint64_t MemoryServer::number_at(const std::string& path) const {
  std::uint64_t number = root_number;
  std::istringstream components(path);
  for (std::string name; std::getline(components, name, '/');) {
    const auto& names = files_.at(number).names;
    const auto at = names.find(name);
    if (at == names.end()) return 0;
    number = at->second;
  }
  return number;
}

std::uint64_t MemoryServer::add(std::uint64_t directory, const std::string& name, NfsFileType type,
                                std::uint64_t size) {
  const std::uint64_t number = ++last_number_;
  files_[number] = {.type = type, .size = size, .mode = 0644, .generation = 1, .links = 1, .names = {}, .target = {}};
  files_[directory].names[name] = number;
  return number;
}

void MemoryServer::remove(std::uint64_t directory, const std::string& name) {
  const std::uint64_t number = files_[directory].names[name];
  files_[directory].names.erase(name);
  if (--files_[number].links == 0) files_.erase(number);
}

void MemoryServer::add_proc(const std::string& directory, const FilePopulation& files) {
  std::lock_guard lock(mutex_);
  const auto make = [&](const std::string& path, NfsFileType type, std::uint64_t size) {
    std::uint64_t at = root_number;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string name = path.substr(begin, end - begin);
      const auto known = files_[at].names.find(name);
      if (known != files_[at].names.end()) at = known->second;
      else at = add(at, name, end == path.size() ? type : NfsFileType::directory, end == path.size() ? size : 0);
      begin = end + 1;
    }
    return at;
  };
  const NameWriter names(files.dataset());
  using enum NameClass;
  for (const NameClass cls : {dataset_dir, data, empty, made_dir, symlink})
    for (std::uint64_t i = 0; i < files.count(cls); ++i) {
      const NfsFileType type = cls == dataset_dir || cls == made_dir ? NfsFileType::directory
                               : cls == symlink                      ? NfsFileType::symlink
                                                                     : NfsFileType::regular;
      make(directory + "/" + names.path({cls, i}), type,
           cls == data ? static_cast<std::uint64_t>(files.file_size(i)) : 0);
    }
}

bool MemoryServer::exists(const std::string& path) const {
  std::lock_guard lock(mutex_);
  return number_at(path) != 0;
}

std::uint64_t MemoryServer::size(const std::string& path) const {
  std::lock_guard lock(mutex_);
  return files_.at(number_at(path)).size;
}

// --- what it has seen, and how it fails

std::string MemoryServer::procedures() {
  std::lock_guard lock(mutex_);
  std::string all;
  for (const NfsProcedure procedure : procedures_) all += (all.empty() ? "" : " ") + std::string(to_string(procedure));
  procedures_.clear();
  return all;
}

std::map<std::string, std::int64_t> MemoryServer::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

std::string MemoryServer::callers() const {
  std::lock_guard lock(mutex_);
  return fmt::format("{}", fmt::join(callers_, ", "));
}

std::string MemoryServer::writes() {
  std::lock_guard lock(mutex_);
  return std::exchange(writes_, {});
}

void MemoryServer::fail(NfsProcedure procedure, NfsStatus status, int times) {
  std::lock_guard lock(mutex_);
  faults_[procedure] = {status, times};
}

void MemoryServer::lose_reply(NfsProcedure procedure) {
  std::lock_guard lock(mutex_);
  lost_replies_[procedure] = 1;
}

void MemoryServer::ignore(NfsProcedure procedure, int times) {
  std::lock_guard lock(mutex_);
  ignored_[procedure] = times;
}

void MemoryServer::make_stale(const std::string& path) {
  std::lock_guard lock(mutex_);
  ++files_.at(number_at(path)).generation;
}

void MemoryServer::restart() {
  std::lock_guard lock(mutex_);
  ++verifier_;
}

void MemoryServer::serve(LyingServer::Wire& wire, const WireCall& call) {
  std::unique_lock lock(mutex_);
  const auto procedure = static_cast<NfsProcedure>(call.procedure);
  procedures_.push_back(procedure);
  callers_.insert(fmt::format("{} {}", call.machine, call.uid));
  ++counts_[std::string(to_string(procedure))];
  if (is_silent_) return;
  if (int& ignored = ignored_[procedure]; ignored > 0) {
    --ignored;
    return;
  }
  const ByteVector results = results_of(call);
  const bool is_lost = lost_replies_[procedure] > 0;
  if (is_lost) --lost_replies_[procedure];
  lock.unlock();
  if (is_lost) wire.close(call.connection);
  else wire.answer(call, results);
}

// --- replies

void MemoryServer::write_attributes(XdrWriter& reply, std::uint64_t number) const {
  const File& file = files_.at(number);
  reply.u32(static_cast<std::uint32_t>(file.type));
  reply.u32(file.mode);
  reply.u32(file.links);
  reply.u32(0);
  reply.u32(0);
  reply.u64(file.size);
  reply.u64(file.size);
  reply.u64(0);
  reply.u64(file_system);
  reply.u64(number);
  for (int i = 0; i < 3; ++i) reply.u64(0);
}

void MemoryServer::write_optional(XdrWriter& reply, std::uint64_t number) const {
  reply.boolean(files_.contains(number));
  if (files_.contains(number)) write_attributes(reply, number);
}

void MemoryServer::write_change(XdrWriter& reply, std::uint64_t number) const {
  reply.boolean(false);
  write_optional(reply, number);
}

ByteVector MemoryServer::results_of(const WireCall& call) {
  const auto procedure = static_cast<NfsProcedure>(call.procedure);
  XdrWriter reply(room_);
  XdrReader arguments(call.arguments);
  if (Fault& fault = faults_[procedure]; fault.times > 0) {
    --fault.times;
    reply.u32(static_cast<std::uint32_t>(fault.status));
    // What stands after a failure: attributes that are left out.
    if (procedure != NfsProcedure::getattr) reply.boolean(false);
    const bool has_change = procedure == NfsProcedure::setattr || procedure >= NfsProcedure::write;
    if (has_change && procedure != NfsProcedure::readdirplus && procedure != NfsProcedure::fsstat) reply.boolean(false);
    if (procedure == NfsProcedure::rename) reply.u64(0);
    if (procedure == NfsProcedure::link) reply.boolean(false);
  } else {
    carry_out(procedure, arguments, reply);
  }
  return {reply.written().begin(), reply.written().end()};
}

void MemoryServer::carry_out(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  using enum NfsProcedure;
  switch (procedure) {
    case null: break;
    case getattr:
    case setattr:
    case access:
    case readlink:
    case fsstat: on_file(procedure, call, reply); break;
    case read:
    case write:
    case commit: on_data(procedure, call, reply); break;
    case rename: this->rename(call, reply); break;
    case readdirplus: list(call, reply); break;
    default: on_names(procedure, call, reply); break;
  }
}

void MemoryServer::set_attributes(XdrReader& call, std::uint64_t number) {
  File& file = files_.at(number);
  if (call.boolean()) file.mode = call.u32();
  if (call.boolean()) call.u32();
  if (call.boolean()) call.u32();
  if (call.boolean()) file.size = call.u64();
}

void MemoryServer::on_file(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  using enum NfsProcedure;
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  reply.u32(static_cast<std::uint32_t>(number ? NfsStatus::ok : NfsStatus::stale));
  if (procedure == getattr) {
    if (number) write_attributes(reply, number);
    return;
  }
  if (procedure == setattr) {
    if (number) set_attributes(call, number);
    return write_change(reply, number);
  }
  write_optional(reply, number);
  if (!number) return;
  if (procedure == access) reply.u32(call.u32());
  if (procedure == readlink) reply.string(files_.at(number).target);
  if (procedure != fsstat) return;
  for (int i = 0; i < 6; ++i) reply.u64(1 << 30);
  reply.u32(0);
}

void MemoryServer::on_data(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  using enum NfsProcedure;
  const std::uint64_t number = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t offset = call.u64();
  const std::uint32_t count = call.u32();
  reply.u32(static_cast<std::uint32_t>(number ? NfsStatus::ok : NfsStatus::stale));
  if (procedure == read) {
    write_optional(reply, number);
    if (!number) return;
    const std::uint64_t rest = files_.at(number).size - std::min(offset, files_.at(number).size);
    const auto bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>({rest, count, most_bytes_}));
    reply.u32(bytes);
    reply.boolean(bytes == rest);
    return reply.opaque(std::vector<std::byte>(bytes));
  }
  write_change(reply, number);
  if (!number) return;
  if (procedure == write) {
    const std::uint32_t stable = call.u32(), taken = std::min(count, most_bytes_);
    files_.at(number).size = std::max(files_.at(number).size, offset + taken);
    writes_ += fmt::format("{}{}+{}{}", writes_.empty() ? "" : " ", offset, taken, stable == 2 ? "s" : "");
    reply.u32(taken);
    reply.u32(stable);
  }
  reply.u64(verifier_);
}

void MemoryServer::on_names(NfsProcedure procedure, XdrReader& call, XdrWriter& reply) {
  using enum NfsProcedure;
  const std::uint64_t linked = procedure == link ? number_of(call.opaque(max_nfs_handle_bytes)) : root_number;
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string name(call.string(max_nfs_name_bytes));
  const auto status = [&](NfsStatus its) { reply.u32(static_cast<std::uint32_t>(its)); };
  const bool is_there = directory && files_.at(directory).names.contains(name);
  const bool makes = procedure == create || procedure == mkdir || procedure == symlink || procedure == link;
  NfsStatus its = !directory || !linked ? NfsStatus::stale : NfsStatus::ok;
  if (its == NfsStatus::ok && makes && is_there) its = NfsStatus::exist;
  if (its == NfsStatus::ok && !makes && !is_there) its = NfsStatus::noent;
  status(its);
  if (its != NfsStatus::ok) {
    if (procedure == link) write_optional(reply, linked);
    if (procedure == lookup) return write_optional(reply, directory);
    return write_change(reply, directory);
  }
  std::uint64_t number = 0;
  switch (procedure) {
    case lookup:
      number = files_.at(directory).names.at(name);
      reply.opaque(handle_of(number).span());
      write_optional(reply, number);
      return write_optional(reply, directory);
    case remove:
    case rmdir: this->remove(directory, name); return write_change(reply, directory);
    case link:
      files_.at(directory).names[name] = linked;
      ++files_.at(linked).links;
      write_optional(reply, linked);
      return write_change(reply, directory);
    case mkdir: number = add(directory, name, NfsFileType::directory); break;
    case symlink: number = add(directory, name, NfsFileType::symlink); break;
    default: number = add(directory, name, NfsFileType::regular); break;
  }
  reply.boolean(true);
  reply.opaque(handle_of(number).span());
  write_optional(reply, number);
  write_change(reply, directory);
}

void MemoryServer::rename(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t from = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string old_name(call.string(max_nfs_name_bytes));
  const std::uint64_t to = number_of(call.opaque(max_nfs_handle_bytes));
  const std::string new_name(call.string(max_nfs_name_bytes));
  NfsStatus status = !from || !to ? NfsStatus::stale : NfsStatus::ok;
  if (status == NfsStatus::ok && !files_.at(from).names.contains(old_name)) status = NfsStatus::noent;
  if (status == NfsStatus::ok) {
    const std::uint64_t number = files_.at(from).names.at(old_name);
    if (files_.at(to).names.contains(new_name)) remove(to, new_name);
    files_.at(from).names.erase(old_name);
    files_.at(to).names[new_name] = number;
  }
  reply.u32(static_cast<std::uint32_t>(status));
  write_change(reply, from);
  write_change(reply, to);
}

/// The cookie of an entry is its place, from 1 on.
void MemoryServer::list(XdrReader& call, XdrWriter& reply) {
  const std::uint64_t directory = number_of(call.opaque(max_nfs_handle_bytes));
  const std::uint64_t cookie = call.u64();
  reply.u32(static_cast<std::uint32_t>(directory ? NfsStatus::ok : NfsStatus::stale));
  write_optional(reply, directory);
  if (!directory) return;
  reply.u64(1);  // the verifier of cookies
  std::uint64_t place = 0;
  std::size_t entries = 0;
  bool is_all = true;
  for (const auto& [name, number] : files_.at(directory).names) {
    if (++place <= cookie) continue;
    if (entries++ >= most_entries_) {
      is_all = false;
      break;
    }
    reply.boolean(true);
    reply.u64(number);
    reply.string(name);
    reply.u64(cookies_stand_still_ ? 1 : place);
    write_optional(reply, number);
    reply.boolean(true);
    reply.opaque(handle_of(number).span());
  }
  reply.boolean(false);
  reply.boolean(is_all);
}

}  // namespace edagen::testing
