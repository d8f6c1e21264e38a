// An RPC of an NFS client as something that a coroutine awaits.
#pragma once

#include <coroutine>

#include "nfs3/nfs3_calls.hpp"
#include "nfs3/nfs3_replies.hpp"
#include "nfs_client/client_loop.hpp"
#include "nfs_client/nfs_identity.hpp"

namespace edagen {

/// `co_await call` makes it and gives 0 or an errno. Spans of the reply are valid until the coroutine waits again. A
/// call that the server puts off (JUKEBOX) is made again after a while.
class NfsCall : public RpcCall, public RepeatableCall {
 public:
  NfsCall(ClientLoop& loop, NfsIdentity& identity, NfsProcedure which)
      : loop_(loop), identity_(identity), arguments_(std::span<std::byte>(room_, sizeof room_)) {
    procedure = static_cast<std::uint32_t>(which);
    reply_bytes_max = max_reply_bytes(which);
  }

  /// To be filled before the call is made.
  XdrWriter& writer() { return arguments_; }
  /// The status of the reply, when the server has replied.
  NfsStatus status() const { return status_; }
  /// It was sent more than once, so that a status can be that of a second time.
  bool was_repeated() const { return was_repeated_; }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> awaiting) {
    awaiting_ = awaiting;
    make();
  }
  int await_resume() const noexcept { return error_; }

  void make() override;
  void completed(const RpcReply& reply) override;

 protected:
  virtual bool decode_results(ByteSpan results, NfsStatus& status) = 0;

 private:
  void count();

  ClientLoop& loop_;
  NfsIdentity& identity_;
  std::coroutine_handle<> awaiting_;
  std::size_t connection_number_ = 0;
  int error_ = 0;
  bool was_repeated_ = false;  ///< also when the server then put it off
  NfsStatus status_ = NfsStatus::ok;
  std::byte room_[320];  ///< two handles, two names of the dataset and attributes
  XdrWriter arguments_;
};

template <class Reply>
class NfsCallOf final : public NfsCall {
 public:
  using NfsCall::NfsCall;
  Reply reply;

 private:
  bool decode_results(ByteSpan results, NfsStatus& status) override {
    const bool good = decode(results, reply);
    status = reply.status;
    return good;
  }
};

class ReadCall final : public NfsCall {
 public:
  ReadCall(ClientLoop& loop, NfsIdentity& identity, const NfsHandle& file, std::uint64_t offset, std::uint32_t count)
      : NfsCall(loop, identity, NfsProcedure::read), count_(count) {
    encode_read(writer(), file, offset, count);
    reply_bytes_max = max_reply_bytes(NfsProcedure::read, count);
  }
  ReadReply reply;

 private:
  bool decode_results(ByteSpan results, NfsStatus& status) override {
    const bool good = decode(results, count_, reply);
    status = reply.status;
    return good;
  }
  const std::uint32_t count_;
};

class WriteCall final : public NfsCall {
 public:
  WriteCall(ClientLoop& loop, NfsIdentity& identity, const NfsHandle& file, std::uint64_t offset, ByteSpan bytes,
            NfsStable stable)
      : NfsCall(loop, identity, NfsProcedure::write), stable_(stable) {
    data = bytes;
    encode_write(writer(), file, offset, static_cast<std::uint32_t>(bytes.size()), stable);
  }
  WriteReply reply;

 private:
  bool decode_results(ByteSpan results, NfsStatus& status) override {
    const bool good = decode(results, static_cast<std::uint32_t>(data.size()), stable_, reply);
    status = reply.status;
    return good;
  }
  const NfsStable stable_;
};

class ReaddirplusCall final : public NfsCall {
 public:
  ReaddirplusCall(ClientLoop& loop, NfsIdentity& identity, const NfsHandle& directory, std::uint64_t cookie,
                  NfsVerifier verifier)
      : NfsCall(loop, identity, NfsProcedure::readdirplus), cookie_(cookie) {
    encode_readdirplus(writer(), directory, cookie, verifier, most_bytes, most_bytes);
    reply_bytes_max = max_reply_bytes(NfsProcedure::readdirplus, most_bytes);
  }
  ReaddirReply reply;

 private:
  static constexpr std::uint32_t most_bytes = 32 * 1024;  ///< as the kernel's client for large directories

  bool decode_results(ByteSpan results, NfsStatus& status) override {
    const bool good = decode(results, true, cookie_, reply);
    status = reply.status;
    return good;
  }
  const std::uint64_t cookie_;
};

}  // namespace edagen
