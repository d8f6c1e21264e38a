#include "nfs3/mount3.hpp"

#include <fmt/format.h>

#include "nfs3/nfs3_reader.hpp"

namespace edagen {
namespace {

constexpr std::size_t max_export_count = 1000, max_group_count = 1000, max_flavor_count = 64, max_group_bytes = 255;
constexpr std::uint32_t protocol_tcp = 6;

}  // namespace

std::string to_string(MountStatus status) {
  switch (status) {
    case MountStatus::ok: return "MNT3_OK";
    case MountStatus::perm: return "MNT3ERR_PERM";
    case MountStatus::noent: return "MNT3ERR_NOENT";
    case MountStatus::io: return "MNT3ERR_IO";
    case MountStatus::acces: return "MNT3ERR_ACCES";
    case MountStatus::notdir: return "MNT3ERR_NOTDIR";
    case MountStatus::inval: return "MNT3ERR_INVAL";
    case MountStatus::nametoolong: return "MNT3ERR_NAMETOOLONG";
    case MountStatus::notsupp: return "MNT3ERR_NOTSUPP";
    case MountStatus::serverfault: return "MNT3ERR_SERVERFAULT";
  }
  return fmt::format("MNT3ERR_{}", static_cast<std::uint32_t>(status));
}

void encode_mount_path(XdrWriter& writer, std::string_view path) {
  if (path.size() > max_mount_path_bytes) writer.fail();
  writer.string(path);
}

bool decode(ByteSpan results, MountReply& reply) {
  XdrReader reader(results);
  reply.status = static_cast<MountStatus>(reader.u32());
  reply.root = {};
  reply.flavors.clear();
  if (reply.status != MountStatus::ok) return reader.ok();
  reply.root = read_handle(reader);
  const std::uint32_t count = reader.u32();
  if (count > max_flavor_count) reader.fail();
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) reply.flavors.push_back(reader.u32());
  return reader.ok();
}

bool decode(ByteSpan results, std::vector<ExportEntry>& exports) {
  XdrReader reader(results);
  exports.clear();
  while (reader.boolean()) {
    ExportEntry entry;
    entry.path = reader.string(max_mount_path_bytes);
    while (reader.boolean()) {
      const std::string_view group = reader.string(max_group_bytes);
      if (entry.groups.size() < max_group_count) entry.groups.emplace_back(group);
    }
    if (reader.ok() && exports.size() < max_export_count) exports.push_back(std::move(entry));
  }
  return reader.ok();
}

void encode_getport(XdrWriter& writer, RpcProgram program) {
  writer.u32(program.number);
  writer.u32(program.version);
  writer.u32(protocol_tcp);
  writer.u32(0);
}

bool decode_port(ByteSpan results, std::uint32_t& port) {
  XdrReader reader(results);
  port = reader.u32();
  if (port > 65535) reader.fail();
  return reader.ok();
}

}  // namespace edagen
