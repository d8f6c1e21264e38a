// Many calls in one send(): their heads and arguments are written one after the other, long data are sent from where
// they are.
#pragma once

#include <sys/uio.h>

#include <array>

#include "rpc/rpc_call.hpp"

namespace edagen {

/// The bytes of a call on the wire, with its record mark.
inline std::size_t wire_bytes(const RpcCall& call, const RpcCredential& credential) {
  return call_head_bytes(credential) + call.arguments.size() + xdr_padded(call.data.size());
}

class SendBatch {
 public:
  /// The memory that calls are written to.
  static constexpr std::size_t room_bytes = std::size_t{64} << 10;

  explicit SendBatch(std::span<std::byte> room) : room_(room) {}

  /// Adds a call; false when it has no room in this batch. The first one always has room.
  bool add(const RpcCall& call, std::uint32_t xid, RpcProgram program, const RpcCredential& credential);
  /// Adds bytes as they are, which stay where they are.
  void add_in_place(ByteSpan bytes);
  /// The first bytes were sent before.
  void skip(std::size_t bytes);

  std::span<iovec> parts() { return std::span(parts_).subspan(first_, count_ - first_); }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t copied_bytes_max = 2048;  ///< longer spans are sent from where they are
  static constexpr std::size_t parts_of_call = 4;

  void append(ByteSpan bytes);
  std::byte* extend(std::size_t bytes);

  std::span<std::byte> room_;
  std::array<iovec, 256> parts_;
  std::size_t count_ = 0, first_ = 0, used_ = 0, bytes_ = 0;
};

}  // namespace edagen
