// Records as a server may send them: the first bytes choose the procedure and what was requested.
#include <stdexcept>

#include "edagen/error.hpp"
#include "input.hpp"
#include "nfs3/mount3.hpp"
#include "nfs3/nfs3_replies.hpp"
#include "rpc/record_reader.hpp"

namespace edagen::fuzz {
namespace {

/// What is handed on must lie in the results.
void require_within(ByteSpan part, ByteSpan whole, std::size_t most) {
  if (part.empty()) return;
  if (part.size() > most || part.data() < whole.data() || part.data() + part.size() > whole.data() + whole.size())
    throw std::logic_error("a span that is not in the results, or is longer than was requested");
}

bool use_entries(ByteSpan results, bool plus, std::uint32_t count) {
  ReaddirReply reply;
  if (!decode(results, plus, count, reply)) return false;
  DirectoryEntry entry;
  for (std::size_t entries = 0; reply.entries.next(entry); ++entries) {
    require_within(as_byte_span(entry.name), results, max_nfs_name_bytes);
    if (entries > results.size() / 24) throw std::logic_error("more entries than there is room for");
  }
  return reply.entries.ok();
}

template <class Reply>
bool use(ByteSpan results) {
  Reply reply;
  return decode(results, reply);
}

bool use_nfs(NfsProcedure procedure, std::uint32_t count, ByteSpan results) {
  switch (procedure) {
    case NfsProcedure::getattr: return use<GetattrReply>(results);
    case NfsProcedure::setattr: return use<SetattrReply>(results);
    case NfsProcedure::lookup: return use<LookupReply>(results);
    case NfsProcedure::access: return use<AccessReply>(results);
    case NfsProcedure::readlink: {
      ReadlinkReply reply;
      const bool decoded = decode(results, reply);
      if (decoded) require_within(as_byte_span(reply.target), results, max_nfs_link_bytes);
      return decoded;
    }
    case NfsProcedure::read: {
      ReadReply reply;
      const bool decoded = decode(results, count, reply);
      if (decoded) require_within(reply.data, results, count);
      return decoded;
    }
    case NfsProcedure::write: {
      WriteReply reply;
      const bool decoded = decode(results, count, NfsStable::unstable, reply);
      if (decoded && reply.count > count) throw std::logic_error("more was written than was given");
      return decoded;
    }
    case NfsProcedure::create:
    case NfsProcedure::mkdir:
    case NfsProcedure::symlink: return use<CreateReply>(results);
    case NfsProcedure::remove:
    case NfsProcedure::rmdir: return use<RemoveReply>(results);
    case NfsProcedure::rename: return use<RenameReply>(results);
    case NfsProcedure::link: return use<LinkReply>(results);
    case NfsProcedure::readdir: return use_entries(results, false, count);
    case NfsProcedure::readdirplus: return use_entries(results, true, count);
    case NfsProcedure::fsstat: return use<FsstatReply>(results);
    case NfsProcedure::fsinfo: return use<FsinfoReply>(results);
    case NfsProcedure::commit: return use<CommitReply>(results);
    default: return false;
  }
}

constexpr std::uint32_t mount_procedure = 30, export_procedure = 31, port_procedure = 32;

bool use_results(std::uint32_t procedure, std::uint32_t count, ByteSpan results) {
  std::uint32_t port = 0;
  switch (procedure) {
    case mount_procedure: return use<MountReply>(results);
    case export_procedure: return use<std::vector<ExportEntry>>(results);
    case port_procedure: return decode_port(results, port);
    default: return use_nfs(static_cast<NfsProcedure>(procedure), count, results);
  }
}

struct Sink {
  std::uint32_t procedure = 0, count = 0;
  bool decoded = false;

  bool wants(std::uint32_t, std::size_t bytes) { return bytes <= 1024 * 1024; }
  bool record(ByteSpan record) {
    std::uint32_t xid = 0;
    const RpcReply reply = decode_reply(record, xid);
    require_within(reply.results, record, record.size());
    if (to_string(reply).empty() || (to_errno(reply) == 0) != (reply.outcome == RpcOutcome::success))
      throw std::logic_error("an outcome without words or with the wrong errno");
    if (reply.outcome == RpcOutcome::success && use_results(procedure, count, reply.results)) decoded = true;
    return true;
  }
};

}  // namespace

void use_nfs_replies(const std::string& text) {
  XdrReader reader(as_byte_span(text));
  Sink sink;
  sink.procedure = reader.u32();
  sink.count = reader.u32() & 0xfffff;
  const std::size_t cut = reader.u32();  // the stream comes in two reads
  const ByteSpan stream = reader.rest();
  BufferPool pool;
  RecordReader records(pool);
  const std::size_t first = stream.empty() ? 0 : cut % stream.size();
  records.consume(stream.first(first), sink);
  records.consume(stream.subspan(first), sink);
  if (!sink.decoded) throw usage_error("reply", "no reply of the stream can be decoded");
}

}  // namespace edagen::fuzz
