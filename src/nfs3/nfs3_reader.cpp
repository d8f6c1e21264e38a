#include "nfs3/nfs3_reader.hpp"

namespace edagen {

NfsStatus read_status(XdrReader& reader) { return static_cast<NfsStatus>(reader.u32()); }

NfsHandle read_handle(XdrReader& reader) {
  const ByteSpan bytes = reader.opaque(max_nfs_handle_bytes);
  if (bytes.empty()) reader.fail();
  return NfsHandle(bytes);
}

NfsTime read_time(XdrReader& reader) {
  NfsTime time;
  time.seconds = reader.u32();
  time.nanoseconds = reader.u32();
  return time;
}

void read_attributes(XdrReader& reader, NfsAttributes& attributes) {
  constexpr std::size_t encoded_bytes = 84;
  XdrReader fields(reader.fixed(encoded_bytes));
  if (!reader.ok()) return;
  const std::uint32_t type = fields.u32();
  if (type < static_cast<std::uint32_t>(NfsFileType::regular) || type > static_cast<std::uint32_t>(NfsFileType::fifo))
    reader.fail();
  attributes.type = static_cast<NfsFileType>(type);
  attributes.mode = fields.u32();
  attributes.links = fields.u32();
  attributes.uid = fields.u32();
  attributes.gid = fields.u32();
  attributes.size = fields.u64();
  attributes.used = fields.u64();
  attributes.device_major = fields.u32();
  attributes.device_minor = fields.u32();
  attributes.fsid = fields.u64();
  attributes.file_id = fields.u64();
  attributes.accessed = read_time(fields);
  attributes.modified = read_time(fields);
  attributes.changed = read_time(fields);
}

void read_optional(XdrReader& reader, std::optional<NfsAttributes>& attributes) {
  attributes.reset();
  if (reader.boolean()) read_attributes(reader, attributes.emplace());
}

NfsHandle read_optional_handle(XdrReader& reader) { return reader.boolean() ? read_handle(reader) : NfsHandle(); }

void read_change(XdrReader& reader, NfsChange& change) {
  change.before.reset();
  if (reader.boolean()) {
    NfsPreAttributes& before = change.before.emplace();
    before.size = reader.u64();
    before.modified = read_time(reader);
    before.changed = read_time(reader);
  }
  read_optional(reader, change.after);
}

}  // namespace edagen
