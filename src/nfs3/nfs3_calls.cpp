#include "nfs3/nfs3_calls.hpp"

namespace edagen {
namespace {

void write_handle(XdrWriter& writer, const NfsHandle& handle) { writer.opaque(handle.span()); }

/// diropargs3.
void write_name(XdrWriter& writer, const NfsHandle& directory, std::string_view name) {
  write_handle(writer, directory);
  if (name.size() > max_nfs_name_bytes) writer.fail();
  writer.string(name);
}

void write_optional(XdrWriter& writer, const std::optional<std::uint32_t>& value) {
  writer.boolean(value.has_value());
  if (value) writer.u32(*value);
}

void write_time(XdrWriter& writer, const NfsTime& time) {
  writer.u32(time.seconds);
  writer.u32(time.nanoseconds);
}

void write_time_to_set(XdrWriter& writer, NfsSetAttributes::SetTime how, const NfsTime& time) {
  writer.u32(static_cast<std::uint32_t>(how));
  if (how == NfsSetAttributes::SetTime::client) write_time(writer, time);
}

void write_attributes(XdrWriter& writer, const NfsSetAttributes& attributes) {
  write_optional(writer, attributes.mode);
  write_optional(writer, attributes.uid);
  write_optional(writer, attributes.gid);
  writer.boolean(attributes.size.has_value());
  if (attributes.size) writer.u64(*attributes.size);
  write_time_to_set(writer, attributes.set_accessed, attributes.accessed);
  write_time_to_set(writer, attributes.set_modified, attributes.modified);
}

enum class CreateMode : std::uint32_t { unchecked, guarded, exclusive };

}  // namespace

void encode_getattr(XdrWriter& writer, const NfsHandle& file) { write_handle(writer, file); }

void encode_setattr(XdrWriter& writer, const NfsHandle& file, const NfsSetAttributes& attributes,
                    std::optional<NfsTime> guard) {
  write_handle(writer, file);
  write_attributes(writer, attributes);
  writer.boolean(guard.has_value());
  if (guard) write_time(writer, *guard);
}

void encode_lookup(XdrWriter& writer, const NfsHandle& directory, std::string_view name) {
  write_name(writer, directory, name);
}

void encode_access(XdrWriter& writer, const NfsHandle& file, std::uint32_t access) {
  write_handle(writer, file);
  writer.u32(access);
}

void encode_readlink(XdrWriter& writer, const NfsHandle& link) { write_handle(writer, link); }

void encode_read(XdrWriter& writer, const NfsHandle& file, std::uint64_t offset, std::uint32_t count) {
  write_handle(writer, file);
  writer.u64(offset);
  writer.u32(count);
}

void encode_write(XdrWriter& writer, const NfsHandle& file, std::uint64_t offset, std::uint32_t count,
                  NfsStable stable) {
  write_handle(writer, file);
  writer.u64(offset);
  writer.u32(count);
  writer.u32(static_cast<std::uint32_t>(stable));
  writer.u32(count);  // the length of the data, which follow
}

void encode_create(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                   const NfsSetAttributes& attributes, bool guarded) {
  write_name(writer, directory, name);
  writer.u32(static_cast<std::uint32_t>(guarded ? CreateMode::guarded : CreateMode::unchecked));
  write_attributes(writer, attributes);
}

void encode_create_exclusive(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                             NfsVerifier verifier) {
  write_name(writer, directory, name);
  writer.u32(static_cast<std::uint32_t>(CreateMode::exclusive));
  writer.u64(verifier);
}

void encode_mkdir(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                  const NfsSetAttributes& attributes) {
  write_name(writer, directory, name);
  write_attributes(writer, attributes);
}

void encode_symlink(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                    const NfsSetAttributes& attributes, std::string_view target) {
  write_name(writer, directory, name);
  write_attributes(writer, attributes);
  writer.string(target);
}

void encode_remove(XdrWriter& writer, const NfsHandle& directory, std::string_view name) {
  write_name(writer, directory, name);
}

void encode_rmdir(XdrWriter& writer, const NfsHandle& directory, std::string_view name) {
  write_name(writer, directory, name);
}

void encode_rename(XdrWriter& writer, const NfsHandle& from, std::string_view from_name, const NfsHandle& to,
                   std::string_view to_name) {
  write_name(writer, from, from_name);
  write_name(writer, to, to_name);
}

void encode_link(XdrWriter& writer, const NfsHandle& file, const NfsHandle& directory, std::string_view name) {
  write_handle(writer, file);
  write_name(writer, directory, name);
}

void encode_readdir(XdrWriter& writer, const NfsHandle& directory, std::uint64_t cookie, NfsVerifier verifier,
                    std::uint32_t count) {
  write_handle(writer, directory);
  writer.u64(cookie);
  writer.u64(verifier);
  writer.u32(count);
}

void encode_readdirplus(XdrWriter& writer, const NfsHandle& directory, std::uint64_t cookie, NfsVerifier verifier,
                        std::uint32_t names_count, std::uint32_t count) {
  encode_readdir(writer, directory, cookie, verifier, names_count);
  writer.u32(count);
}

void encode_fsstat(XdrWriter& writer, const NfsHandle& root) { write_handle(writer, root); }
void encode_fsinfo(XdrWriter& writer, const NfsHandle& root) { write_handle(writer, root); }

void encode_commit(XdrWriter& writer, const NfsHandle& file, std::uint64_t offset, std::uint32_t count) {
  encode_read(writer, file, offset, count);
}

}  // namespace edagen
