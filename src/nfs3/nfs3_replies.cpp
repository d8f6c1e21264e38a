#include "nfs3/nfs3_replies.hpp"

#include "nfs3/nfs3_reader.hpp"

namespace edagen {
namespace {

constexpr std::size_t attributes_bytes = 4 + 84, change_bytes = 4 + 24 + attributes_bytes,
                      handle_bytes = 4 + 4 + max_nfs_handle_bytes;

/// Reads the status and then, by `read`, what else `results` hold: read(reader, whether the status is ok).
bool decoded(ByteSpan results, auto& reply, auto read) {
  XdrReader reader(results);
  reply.status = read_status(reader);
  read(reader, reply.status == NfsStatus::ok);
  return reader.ok();
}

}  // namespace

bool decode(ByteSpan results, GetattrReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    if (ok) read_attributes(reader, reply.attributes);
  });
}

bool decode(ByteSpan results, ChangeReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool) { read_change(reader, reply.change); });
}

bool decode(ByteSpan results, LookupReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    reply.file = {};
    reply.attributes.reset();
    if (ok) {
      reply.file = read_handle(reader);
      read_optional(reader, reply.attributes);
    }
    read_optional(reader, reply.directory_attributes);
  });
}

bool decode(ByteSpan results, AccessReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_optional(reader, reply.attributes);
    reply.access = ok ? reader.u32() : 0;
  });
}

bool decode(ByteSpan results, ReadlinkReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_optional(reader, reply.attributes);
    reply.target = ok ? reader.string(max_nfs_link_bytes) : std::string_view();
  });
}

bool decode(ByteSpan results, std::uint32_t count, ReadReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_optional(reader, reply.attributes);
    reply.at_end = false;
    reply.data = {};
    if (ok) {
      const std::uint32_t given = reader.u32();
      reply.at_end = reader.boolean();
      reply.data = reader.opaque(count);
      if (reply.data.size() != given) reader.fail();
    }
  });
}

bool decode(ByteSpan results, std::uint32_t count, NfsStable stable, WriteReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_change(reader, reply.change);
    reply.count = 0;
    if (ok) {
      reply.count = reader.u32();
      const std::uint32_t committed = reader.u32();
      reply.committed = static_cast<NfsStable>(committed);
      reply.verifier = reader.u64();
      if (reply.count > count || committed > static_cast<std::uint32_t>(NfsStable::file_sync) ||
          committed < static_cast<std::uint32_t>(stable))
        reader.fail();
    }
  });
}

bool decode(ByteSpan results, CreateReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    reply.file = {};
    reply.attributes.reset();
    if (ok) {
      reply.file = read_optional_handle(reader);
      read_optional(reader, reply.attributes);
    }
    read_change(reader, reply.change);
  });
}

bool decode(ByteSpan results, RenameReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool) {
    read_change(reader, reply.from_change);
    read_change(reader, reply.to_change);
  });
}

bool decode(ByteSpan results, LinkReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool) {
    read_optional(reader, reply.attributes);
    read_change(reader, reply.change);
  });
}

bool decode(ByteSpan results, bool plus, std::uint64_t cookie, ReaddirReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_optional(reader, reply.attributes);
    reply.entries = {};
    if (ok) {
      reply.verifier = reader.u64();
      reply.entries = DirectoryEntries(reader.rest(), plus, cookie);
    }
  });
}

bool decode(ByteSpan results, FsstatReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_optional(reader, reply.attributes);
    if (ok) {
      for (std::uint64_t* value : {&reply.total_bytes, &reply.free_bytes, &reply.available_bytes, &reply.total_files,
                                   &reply.free_files, &reply.available_files})
        *value = reader.u64();
      reader.u32();  // invarsec
    }
  });
}

bool decode(ByteSpan results, FsinfoReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_optional(reader, reply.attributes);
    if (ok) {
      for (std::uint32_t* value : {&reply.read_max, &reply.read_preferred, &reply.read_multiple, &reply.write_max,
                                   &reply.write_preferred, &reply.write_multiple, &reply.readdir_preferred})
        *value = reader.u32();
      reply.file_size_max = reader.u64();
      reply.time_delta = read_time(reader);
      reply.properties = reader.u32();
    }
  });
}

bool decode(ByteSpan results, CommitReply& reply) {
  return decoded(results, reply, [&](XdrReader& reader, bool ok) {
    read_change(reader, reply.change);
    reply.verifier = ok ? reader.u64() : 0;
  });
}

std::size_t max_reply_bytes(NfsProcedure procedure, std::uint32_t count) {
  constexpr std::size_t status = 4;
  switch (procedure) {
    case NfsProcedure::null: return 0;
    case NfsProcedure::read: return status + attributes_bytes + 12 + xdr_padded(count);
    case NfsProcedure::readdir:
    case NfsProcedure::readdirplus:
      // Servers are seen to count the entries alone.
      return status + attributes_bytes + 16 + xdr_padded(count);
    case NfsProcedure::readlink: return status + attributes_bytes + 4 + xdr_padded(max_nfs_link_bytes);
    default: return status + handle_bytes + attributes_bytes + 2 * change_bytes;
  }
}

}  // namespace edagen
