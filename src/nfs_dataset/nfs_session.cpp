#include "nfs_dataset/nfs_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "edagen/error.hpp"
#include "nfs3/nfs3_calls.hpp"

namespace edagen {
namespace {

constexpr Nanos jukebox_wait = std::chrono::milliseconds(500);
constexpr Nanos stop_wait = std::chrono::seconds(1);
constexpr Nanos look_for_stop_every = std::chrono::milliseconds(100);
constexpr std::size_t writes_in_flight = 16;
constexpr int most_rewrites = 3;
constexpr int most_listings = 5;
constexpr std::uint32_t listing_names_bytes = 32 * 1024, listing_bytes = 128 * 1024;

RpcConnectionSettings settings_of(const NfsExport& at) {
  RpcConnectionSettings settings;
  settings.server = {at.mounted.address, at.mounted.port};
  if (!at.url.sources.empty()) settings.source = boost::asio::ip::make_address(at.url.sources.front());
  settings.reserved_port = at.url.reserved_ports;
  settings.program = nfs3_program;
  settings.credential = RpcCredential(at.who);
  settings.give_up = NfsSession::give_up;
  return settings;
}

}  // namespace

NfsSetAttributes mode_alone(std::uint32_t mode) {
  NfsSetAttributes attributes;
  attributes.mode = mode;
  return attributes;
}

NfsSetAttributes size_alone(std::uint64_t size) {
  NfsSetAttributes attributes;
  attributes.size = size;
  return attributes;
}

class NfsSession::Call final : public RpcCall {
 public:
  void completed(const RpcReply& reply) override {
    is_done = true;
    was_repeated |= transmissions > 1;
    failure = reply.outcome == RpcOutcome::success ? "" : to_string(reply);
    results.assign(reply.results.begin(), reply.results.end());
  }
  NfsStatus status() const { return static_cast<NfsStatus>(XdrReader(results).u32()); }

  bool is_done = false, was_repeated = false;  ///< was_repeated: also when the server then put it off
  std::string failure;
  std::vector<std::byte> encoded, results;
};

NfsSession::NfsSession(const NfsExport& at, std::stop_token stop)
    : at_(at), stop_(std::move(stop)), connection_(std::make_unique<RpcConnection>(loop_, settings_of(at))) {}

NfsSession::~NfsSession() = default;

void NfsSession::fail(const Call& call, const std::string& what) const {
  throw run_error(at_.url.text, fmt::format("{}: {}", to_string(static_cast<NfsProcedure>(call.procedure)), what));
}

void NfsSession::begin(Call& call, NfsProcedure procedure, const Encode& encode, std::uint32_t reply_count) {
  call.encoded.resize(max_nfs_argument_bytes + max_nfs_link_bytes);
  XdrWriter writer(call.encoded);
  encode(writer);
  call.procedure = static_cast<std::uint32_t>(procedure);
  if (!writer.ok()) fail(call, "a name is too long");
  call.arguments = writer.written();
  call.reply_bytes_max = max_reply_bytes(procedure, reply_count);
  call.is_done = false;
  connection_->call(call);
}

void NfsSession::run(Nanos time) {
  loop_.run_until(now() + std::min(time, look_for_stop_every));
  if (!stop_.stop_requested()) return;
  stopped_at_ = std::min(stopped_at_, now());
  if (now() - stopped_at_ > stop_wait) throw run_error(at_.url.text, "does not answer, and the run is to end");
}

void NfsSession::end(Call& call) {
  for (;;) {
    while (!call.is_done) run(look_for_stop_every);
    if (!call.failure.empty()) fail(call, call.failure);
    if (call.status() != NfsStatus::jukebox) return;
    for (const TimePoint until = now() + jukebox_wait; now() < until;) run(until - now());
    call.is_done = false;
    connection_->call(call);
  }
}

template <class Reply, class... More>
Reply NfsSession::reply_of(Call& call, More... more) {
  end(call);
  Reply reply;
  if (!decode(call.results, more..., reply)) fail(call, "the server's reply cannot be decoded");
  return reply;
}

template <class Reply>
Reply NfsSession::ask(Call& call, NfsProcedure procedure, const Encode& encode) {
  begin(call, procedure, encode);
  return reply_of<Reply>(call);
}

NfsStatus NfsSession::get_attributes(const NfsHandle& file, NfsAttributes& attributes) {
  Call call;
  const auto reply =
      ask<GetattrReply>(call, NfsProcedure::getattr, [&](XdrWriter& writer) { encode_getattr(writer, file); });
  attributes = reply.attributes;
  return reply.status;
}

NfsStatus NfsSession::set_attributes(const NfsHandle& file, const NfsSetAttributes& attributes,
                                     std::optional<NfsTime> guard) {
  Call call;
  return ask<SetattrReply>(call, NfsProcedure::setattr,
                           [&](XdrWriter& writer) { encode_setattr(writer, file, attributes, guard); })
      .status;
}

NfsStatus NfsSession::access(const NfsHandle& file, std::uint32_t wanted, std::uint32_t& allowed) {
  Call call;
  const auto reply =
      ask<AccessReply>(call, NfsProcedure::access, [&](XdrWriter& writer) { encode_access(writer, file, wanted); });
  allowed = reply.access;
  return reply.status;
}

/// Replies may leave handle and attributes out.
NfsStatus NfsSession::complete(const NfsHandle& handle, const std::optional<NfsAttributes>& attributes, NfsFile& file) {
  file.handle = handle;
  if (!attributes) return get_attributes(handle, file.attributes);
  file.attributes = *attributes;
  return NfsStatus::ok;
}

NfsStatus NfsSession::look_up(const NfsHandle& directory, std::string_view name, NfsFile& file) {
  Call call;
  const auto reply =
      ask<LookupReply>(call, NfsProcedure::lookup, [&](XdrWriter& writer) { encode_lookup(writer, directory, name); });
  return reply.status == NfsStatus::ok ? complete(reply.file, reply.attributes, file) : reply.status;
}

NfsStatus NfsSession::made(const Call& call, const CreateReply& reply, const NfsHandle& directory,
                           std::string_view name, NfsFile& file) {
  const bool made_before = reply.status == NfsStatus::exist && call.was_repeated;
  if (reply.status != NfsStatus::ok && !made_before) return reply.status;
  return made_before || !reply.file ? look_up(directory, name, file) : complete(reply.file, reply.attributes, file);
}

NfsStatus NfsSession::create(const NfsHandle& directory, std::string_view name, std::uint32_t mode, NfsFile& file) {
  Call call;
  const NfsSetAttributes attributes = mode_alone(mode);
  const auto reply = ask<CreateReply>(
      call, NfsProcedure::create, [&](XdrWriter& writer) { encode_create(writer, directory, name, attributes, true); });
  return made(call, reply, directory, name, file);
}

NfsStatus NfsSession::create_exclusively(const NfsHandle& directory, std::string_view name, std::uint32_t mode,
                                         NfsFile& file) {
  std::random_device device;
  const NfsVerifier verifier = NfsVerifier{device()} << 32 | device();
  Call call;
  const auto reply = ask<CreateReply>(call, NfsProcedure::create, [&](XdrWriter& writer) {
    encode_create_exclusive(writer, directory, name, verifier);
  });
  if (reply.status != NfsStatus::ok) return reply.status;
  const NfsStatus found = reply.file ? complete(reply.file, reply.attributes, file) : look_up(directory, name, file);
  if (found != NfsStatus::ok) return found;
  // Servers keep the verifier in the times.
  NfsSetAttributes attributes = mode_alone(mode);
  attributes.set_accessed = attributes.set_modified = NfsSetAttributes::SetTime::server;
  const NfsStatus set = set_attributes(file.handle, attributes);
  return set == NfsStatus::ok ? get_attributes(file.handle, file.attributes) : set;
}

NfsStatus NfsSession::make_directory(const NfsHandle& directory, std::string_view name, NfsFile& file) {
  Call call;
  const NfsSetAttributes attributes = mode_alone(0755);
  const auto reply = ask<CreateReply>(call, NfsProcedure::mkdir,
                                      [&](XdrWriter& writer) { encode_mkdir(writer, directory, name, attributes); });
  // A directory that the first of several transmissions may have made counts as one that was there: it is looked at.
  return reply.status == NfsStatus::exist ? reply.status : made(call, reply, directory, name, file);
}

NfsStatus NfsSession::make_symlink(const NfsHandle& directory, std::string_view name, std::string_view target) {
  Call call;
  const NfsSetAttributes attributes = mode_alone(0777);
  const auto reply = ask<CreateReply>(call, NfsProcedure::symlink, [&](XdrWriter& writer) {
    encode_symlink(writer, directory, name, attributes, target);
  });
  return reply.status == NfsStatus::exist && call.was_repeated ? NfsStatus::ok : reply.status;
}

NfsStatus NfsSession::make_link(const NfsHandle& file, const NfsHandle& directory, std::string_view name) {
  Call call;
  const auto reply =
      ask<LinkReply>(call, NfsProcedure::link, [&](XdrWriter& writer) { encode_link(writer, file, directory, name); });
  return reply.status == NfsStatus::exist && call.was_repeated ? NfsStatus::ok : reply.status;
}

NfsStatus NfsSession::remove(const NfsHandle& directory, std::string_view name) {
  Call call;
  const auto reply =
      ask<RemoveReply>(call, NfsProcedure::remove, [&](XdrWriter& writer) { encode_remove(writer, directory, name); });
  return reply.status == NfsStatus::noent && call.was_repeated ? NfsStatus::ok : reply.status;
}

NfsStatus NfsSession::remove_directory(const NfsHandle& directory, std::string_view name) {
  Call call;
  const auto reply =
      ask<RemoveReply>(call, NfsProcedure::rmdir, [&](XdrWriter& writer) { encode_rmdir(writer, directory, name); });
  return reply.status == NfsStatus::noent && call.was_repeated ? NfsStatus::ok : reply.status;
}

NfsStatus NfsSession::rename(const NfsHandle& directory, std::string_view from, std::string_view to) {
  Call call;
  const auto reply = ask<RenameReply>(
      call, NfsProcedure::rename, [&](XdrWriter& writer) { encode_rename(writer, directory, from, directory, to); });
  return reply.status == NfsStatus::noent && call.was_repeated ? NfsStatus::ok : reply.status;
}

NfsStatus NfsSession::read(const NfsHandle& file, std::uint32_t most, std::string& text) {
  text.clear();
  for (bool is_at_end = false; !is_at_end && text.size() < most;) {
    const auto count = std::min(most - static_cast<std::uint32_t>(text.size()), at_.read_bytes_max);
    Call call;
    begin(
        call, NfsProcedure::read, [&](XdrWriter& writer) { encode_read(writer, file, text.size(), count); }, count);
    const auto reply = reply_of<ReadReply>(call, count);
    if (reply.status != NfsStatus::ok) return reply.status;
    text += as_text(reply.data);
    is_at_end = reply.at_end || reply.data.empty();
  }
  return NfsStatus::ok;
}

NfsStatus NfsSession::write(const NfsHandle& file, std::uint64_t offset, ByteSpan bytes) {
  if (bytes.size() <= at_.write_bytes_max) return write_stable(file, offset, bytes);
  for (int left = most_rewrites;; --left) {
    std::vector<NfsVerifier> verifiers;
    if (const NfsStatus status = write_unstable(file, offset, bytes, verifiers); status != NfsStatus::ok) return status;
    Call call;
    const auto commit = ask<CommitReply>(call, NfsProcedure::commit, [&](XdrWriter& writer) {
      encode_commit(writer, file, offset, static_cast<std::uint32_t>(bytes.size()));
    });
    if (commit.status != NfsStatus::ok) return commit.status;
    if (std::ranges::all_of(verifiers, [&](NfsVerifier each) { return each == commit.verifier; })) return NfsStatus::ok;
    if (left == 0) fail(call, "the server has lost what was written, several times");
  }
}

NfsStatus NfsSession::write_stable(const NfsHandle& file, std::uint64_t offset, ByteSpan bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const auto count = static_cast<std::uint32_t>(bytes.size() - done);
    Call call;
    call.data = bytes.subspan(done);
    begin(call, NfsProcedure::write,
          [&](XdrWriter& writer) { encode_write(writer, file, offset + done, count, NfsStable::file_sync); });
    const auto reply = reply_of<WriteReply>(call, count, NfsStable::file_sync);
    if (reply.status != NfsStatus::ok) return reply.status;
    if (reply.count == 0) fail(call, "the server takes no bytes");
    done += reply.count;
  }
  return NfsStatus::ok;
}

/// Adds the verifiers of the data that are not stable yet. The last part is begun when the server has taken the others:
/// a file that has its size has no hole, however its build was interrupted, and a later build leaves it as it is.
NfsStatus NfsSession::write_unstable(const NfsHandle& file, std::uint64_t offset, ByteSpan bytes,
                                     std::vector<NfsVerifier>& verifiers) {
  const std::size_t most = at_.write_bytes_max;
  for (std::size_t done = 0; done < bytes.size();) {
    std::vector<std::unique_ptr<Call>> calls;
    const auto may_begin = [&](std::size_t at) {
      const bool is_last = bytes.size() - at <= most;
      return calls.size() < writes_in_flight && (!is_last || at == done);
    };
    for (std::size_t at = done; at < bytes.size() && may_begin(at); at += most) {
      Call& call = *calls.emplace_back(std::make_unique<Call>());
      call.data = bytes.subspan(at, std::min(most, bytes.size() - at));
      begin(call, NfsProcedure::write, [&](XdrWriter& writer) {
        encode_write(writer, file, offset + at, static_cast<std::uint32_t>(call.data.size()), NfsStable::unstable);
      });
    }
    for (const auto& call : calls) {
      const auto count = static_cast<std::uint32_t>(call->data.size());
      const auto reply = reply_of<WriteReply>(*call, count, NfsStable::unstable);
      if (reply.status != NfsStatus::ok) return reply.status;
      if (reply.committed == NfsStable::unstable) verifiers.push_back(reply.verifier);
      const NfsStatus rest = write_stable(file, offset + done + reply.count, call->data.subspan(reply.count));
      if (rest != NfsStatus::ok) return rest;
      done += count;
    }
  }
  return NfsStatus::ok;
}

FreeSpace NfsSession::free_space() {
  Call call;
  const auto reply =
      ask<FsstatReply>(call, NfsProcedure::fsstat, [&](XdrWriter& writer) { encode_fsstat(writer, at_.mounted.root); });
  if (reply.status != NfsStatus::ok) fail(call, to_string(reply.status));
  FreeSpace space;
  if (reply.total_bytes > 0) space.bytes = static_cast<double>(reply.available_bytes);
  if (reply.total_files > 0) space.inodes = static_cast<double>(reply.available_files);
  return space;
}

NfsStatus NfsSession::list(const NfsHandle& directory, std::vector<NfsEntry>& entries) {
  std::uint64_t cookie = 0;
  NfsVerifier verifier = 0;
  int left = most_listings;
  ListingLoop loop;
  for (bool more = true; more;) {
    Call call;
    begin(
        call, NfsProcedure::readdirplus,
        [&](XdrWriter& writer) {
          encode_readdirplus(writer, directory, cookie, verifier, listing_names_bytes, listing_bytes);
        },
        listing_bytes);
    auto reply = reply_of<ReaddirReply>(call, true, cookie);
    if (reply.status == NfsStatus::bad_cookie && left-- > 0) {  // the directory has changed: from the beginning
      entries.clear();
      cookie = verifier = 0;
      loop = ListingLoop();
      continue;
    }
    if (reply.status != NfsStatus::ok) return reply.status;
    std::vector<NfsEntry> incomplete;
    for (DirectoryEntry entry; reply.entries.next(entry);) {
      if (entry.name == "." || entry.name == "..") continue;
      const bool whole = entry.file && entry.attributes;
      (whole ? entries : incomplete)
          .push_back({std::string(entry.name), {entry.file, entry.attributes.value_or(NfsAttributes())}});
    }
    if (!reply.entries.ok()) fail(call, "the server's list of the directory cannot be decoded, or does not advance");
    more = !reply.entries.end_of_directory();
    cookie = reply.entries.cookie();
    if (more && loop.comes_back_to(cookie)) fail(call, "the server's list of the directory does not end");
    verifier = reply.verifier;
    for (NfsEntry& entry : incomplete) {
      const NfsStatus found = look_up(directory, entry.name, entry.file);
      if (found == NfsStatus::noent || found == NfsStatus::stale) continue;  // has just been removed
      if (found != NfsStatus::ok) return found;
      entries.push_back(std::move(entry));
    }
  }
  return NfsStatus::ok;
}

}  // namespace edagen
