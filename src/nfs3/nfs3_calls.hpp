// The arguments of each procedure of NFS version 3. Names of more than 255 bytes make the writer fail.
#pragma once

#include "nfs3/nfs3_types.hpp"

namespace edagen {

/// The room that any of these but SYMLINK needs; SYMLINK needs the bytes of the target besides.
inline constexpr std::size_t max_nfs_argument_bytes = 704;

void encode_getattr(XdrWriter& writer, const NfsHandle& file);
/// With `guard`, nothing is set when the file's time of change is another.
void encode_setattr(XdrWriter& writer, const NfsHandle& file, const NfsSetAttributes& attributes,
                    std::optional<NfsTime> guard = {});
void encode_lookup(XdrWriter& writer, const NfsHandle& directory, std::string_view name);
void encode_access(XdrWriter& writer, const NfsHandle& file, std::uint32_t access);
void encode_readlink(XdrWriter& writer, const NfsHandle& link);
void encode_read(XdrWriter& writer, const NfsHandle& file, std::uint64_t offset, std::uint32_t count);
/// All but the data, which are RpcCall::data: `count` is their number.
void encode_write(XdrWriter& writer, const NfsHandle& file, std::uint64_t offset, std::uint32_t count,
                  NfsStable stable);
/// UNCHECKED, or GUARDED, which fails (EXIST) when the name exists.
void encode_create(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                   const NfsSetAttributes& attributes, bool guarded);
/// EXCLUSIVE: the same verifier again is no error. The attributes are set by a SETATTR after it.
void encode_create_exclusive(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                             NfsVerifier verifier);
void encode_mkdir(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                  const NfsSetAttributes& attributes);
void encode_symlink(XdrWriter& writer, const NfsHandle& directory, std::string_view name,
                    const NfsSetAttributes& attributes, std::string_view target);
void encode_remove(XdrWriter& writer, const NfsHandle& directory, std::string_view name);
void encode_rmdir(XdrWriter& writer, const NfsHandle& directory, std::string_view name);
void encode_rename(XdrWriter& writer, const NfsHandle& from, std::string_view from_name, const NfsHandle& to,
                   std::string_view to_name);
void encode_link(XdrWriter& writer, const NfsHandle& file, const NfsHandle& directory, std::string_view name);
/// `cookie` and `verifier` are 0 at first, then those of the last entry and of the last reply. `count` is the most
/// bytes of the reply.
void encode_readdir(XdrWriter& writer, const NfsHandle& directory, std::uint64_t cookie, NfsVerifier verifier,
                    std::uint32_t count);
/// `names_count` is the most bytes of names, cookies and file ids; `count` of all.
void encode_readdirplus(XdrWriter& writer, const NfsHandle& directory, std::uint64_t cookie, NfsVerifier verifier,
                        std::uint32_t names_count, std::uint32_t count);
void encode_fsstat(XdrWriter& writer, const NfsHandle& root);
void encode_fsinfo(XdrWriter& writer, const NfsHandle& root);
/// `count` 0: to the end of the file.
void encode_commit(XdrWriter& writer, const NfsHandle& file, std::uint64_t offset, std::uint32_t count);

}  // namespace edagen
