// Results as a server writes them, for scripts of a LyingServer and for the tests of decoding.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nfs3/mount3.hpp"
#include "nfs3/nfs3_replies.hpp"
#include "rpc/lying_server.hpp"

namespace edagen::testing {

/// A file of the protocol with different values everywhere.
inline NfsAttributes some_attributes(std::uint64_t file_id = 77, NfsFileType type = NfsFileType::regular) {
  NfsAttributes attributes;
  attributes.type = type;
  attributes.mode = 0644;
  attributes.links = 2;
  attributes.uid = 1000;
  attributes.gid = 100;
  attributes.size = 0x123456789a;
  attributes.used = 8192;
  attributes.device_major = 3;
  attributes.device_minor = 4;
  attributes.fsid = 0xfeedULL << 32;
  attributes.file_id = file_id;
  attributes.accessed = {1, 2};
  attributes.modified = {3, 4};
  attributes.changed = {5, 6};
  return attributes;
}

inline NfsHandle handle_of(std::uint64_t number, std::size_t bytes = 28) {
  ByteVector handle(bytes, std::byte{0x5a});
  for (std::size_t i = 0; i < 8 && i < bytes; ++i) handle[i] = static_cast<std::byte>(number >> (8 * i));
  return NfsHandle(handle);
}

inline void write_status(XdrWriter& writer, NfsStatus status) { writer.u32(static_cast<std::uint32_t>(status)); }

inline void write_attributes(XdrWriter& writer, const NfsAttributes& attributes) {
  writer.u32(static_cast<std::uint32_t>(attributes.type));
  for (const std::uint32_t word : {attributes.mode, attributes.links, attributes.uid, attributes.gid}) writer.u32(word);
  writer.u64(attributes.size);
  writer.u64(attributes.used);
  writer.u32(attributes.device_major);
  writer.u32(attributes.device_minor);
  writer.u64(attributes.fsid);
  writer.u64(attributes.file_id);
  for (const NfsTime& time : {attributes.accessed, attributes.modified, attributes.changed}) {
    writer.u32(time.seconds);
    writer.u32(time.nanoseconds);
  }
}

inline void write_optional(XdrWriter& writer, const std::optional<NfsAttributes>& attributes) {
  writer.boolean(attributes.has_value());
  if (attributes) write_attributes(writer, *attributes);
}

inline void write_optional_handle(XdrWriter& writer, const NfsHandle& handle) {
  writer.boolean(static_cast<bool>(handle));
  if (handle) writer.opaque(handle.span());
}

inline void write_change(XdrWriter& writer, const NfsChange& change) {
  writer.boolean(change.before.has_value());
  if (change.before) {
    writer.u64(change.before->size);
    for (const NfsTime& time : {change.before->modified, change.before->changed}) {
      writer.u32(time.seconds);
      writer.u32(time.nanoseconds);
    }
  }
  write_optional(writer, change.after);
}

/// A status other than ok, with as many absent attributes as the procedure's results begin with.
inline ByteVector failed_results(NfsProcedure procedure, NfsStatus status) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, status);
    switch (procedure) {
      case NfsProcedure::null:
      case NfsProcedure::getattr: break;
      case NfsProcedure::rename: writer.u64(0); [[fallthrough]];
      case NfsProcedure::setattr:
      case NfsProcedure::write:
      case NfsProcedure::create:
      case NfsProcedure::mkdir:
      case NfsProcedure::symlink:
      case NfsProcedure::mknod:
      case NfsProcedure::remove:
      case NfsProcedure::rmdir:
      case NfsProcedure::commit: writer.u64(0); break;
      case NfsProcedure::link:
        writer.u32(0);
        writer.u64(0);
        break;
      default: writer.u32(0);
    }
  });
}

inline ByteVector word_of_status(std::uint32_t status) {
  return xdr_bytes([&](XdrWriter& writer) { writer.u32(status); });
}

inline ByteVector getattr_results(const NfsAttributes& attributes) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_attributes(writer, attributes);
  });
}

inline ByteVector change_results(const NfsChange& change = {}) {  // SETATTR, REMOVE, RMDIR
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_change(writer, change);
  });
}

inline ByteVector lookup_results(const NfsHandle& file, const std::optional<NfsAttributes>& attributes,
                                 const std::optional<NfsAttributes>& directory = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    writer.opaque(file.span());
    write_optional(writer, attributes);
    write_optional(writer, directory);
  });
}

inline ByteVector access_results(std::uint32_t access, const std::optional<NfsAttributes>& attributes = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    writer.u32(access);
  });
}

inline ByteVector readlink_results(std::string_view target, const std::optional<NfsAttributes>& attributes = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    writer.string(target);
  });
}

inline ByteVector read_results(ByteSpan data, bool at_end, const std::optional<NfsAttributes>& attributes = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    writer.u32(static_cast<std::uint32_t>(data.size()));
    writer.boolean(at_end);
    writer.opaque(data);
  });
}

inline ByteVector write_results(std::uint32_t count, NfsStable committed, NfsVerifier verifier,
                                const NfsChange& change = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_change(writer, change);
    writer.u32(count);
    writer.u32(static_cast<std::uint32_t>(committed));
    writer.u64(verifier);
  });
}

inline ByteVector create_results(const NfsHandle& file, const std::optional<NfsAttributes>& attributes,
                                 const NfsChange& change = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional_handle(writer, file);
    write_optional(writer, attributes);
    write_change(writer, change);
  });
}

inline ByteVector rename_results(const NfsChange& from = {}, const NfsChange& to = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_change(writer, from);
    write_change(writer, to);
  });
}

inline ByteVector link_results(const std::optional<NfsAttributes>& attributes, const NfsChange& change = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    write_change(writer, change);
  });
}

struct SampleEntry {
  std::string name;
  std::uint64_t cookie = 0, file_id = 0;
  std::optional<NfsAttributes> attributes;
  NfsHandle file;
};

inline ByteVector readdir_results(const std::vector<SampleEntry>& entries, bool plus, bool end,
                                  NfsVerifier verifier = 9, const std::optional<NfsAttributes>& attributes = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    writer.u64(verifier);
    for (const SampleEntry& entry : entries) {
      writer.boolean(true);
      writer.u64(entry.file_id);
      writer.string(entry.name);
      writer.u64(entry.cookie);
      if (!plus) continue;
      write_optional(writer, entry.attributes);
      write_optional_handle(writer, entry.file);
    }
    writer.boolean(false);
    writer.boolean(end);
  });
}

inline ByteVector fsstat_results(const std::optional<NfsAttributes>& attributes = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    for (std::uint64_t value = 1; value <= 6; ++value) writer.u64(value << 33);
    writer.u32(0);
  });
}

inline ByteVector fsinfo_results(std::uint32_t read_max = 1 << 20, std::uint32_t write_max = 1 << 19,
                                 const std::optional<NfsAttributes>& attributes = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_optional(writer, attributes);
    for (const std::uint32_t word : {read_max, read_max / 2, 4096U, write_max, write_max / 2, 512U, 65536U})
      writer.u32(word);
    writer.u64(1ULL << 43);
    writer.u64(1);
    writer.u32(0x1b);
  });
}

inline ByteVector commit_results(NfsVerifier verifier, const NfsChange& change = {}) {
  return xdr_bytes([&](XdrWriter& writer) {
    write_status(writer, NfsStatus::ok);
    write_change(writer, change);
    writer.u64(verifier);
  });
}

inline ByteVector mount_results(const NfsHandle& root, const std::vector<std::uint32_t>& flavors = {1}) {
  return xdr_bytes([&](XdrWriter& writer) {
    writer.u32(0);
    writer.opaque(root.span());
    writer.u32(static_cast<std::uint32_t>(flavors.size()));
    for (const std::uint32_t flavor : flavors) writer.u32(flavor);
  });
}

inline ByteVector export_results(const std::vector<ExportEntry>& exports) {
  return xdr_bytes([&](XdrWriter& writer) {
    for (const ExportEntry& entry : exports) {
      writer.boolean(true);
      writer.string(entry.path);
      for (const std::string& group : entry.groups) {
        writer.boolean(true);
        writer.string(group);
      }
      writer.boolean(false);
    }
    writer.boolean(false);
  });
}

}  // namespace edagen::testing
