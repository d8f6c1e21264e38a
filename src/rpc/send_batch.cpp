#include "rpc/send_batch.hpp"

namespace edagen {

/// The next bytes of the room, as a part of their own or as the continuation of the part before.
std::byte* SendBatch::extend(std::size_t bytes) {
  std::byte* place = room_.data() + used_;
  used_ += bytes;
  bytes_ += bytes;
  if (count_ > 0) {
    iovec& before = parts_[count_ - 1];
    if (static_cast<std::byte*>(before.iov_base) + before.iov_len == place) {
      before.iov_len += bytes;
      return place;
    }
  }
  parts_[count_++] = {place, bytes};
  return place;
}

void SendBatch::add_in_place(ByteSpan bytes) {
  if (bytes.empty()) return;
  parts_[count_++] = {const_cast<std::byte*>(bytes.data()), bytes.size()};
  bytes_ += bytes.size();
}

void SendBatch::append(ByteSpan bytes) {
  if (bytes.size() > copied_bytes_max) add_in_place(bytes);
  else if (!bytes.empty()) std::memcpy(extend(bytes.size()), bytes.data(), bytes.size());
}

bool SendBatch::add(const RpcCall& call, std::uint32_t xid, RpcProgram program, const RpcCredential& credential) {
  const std::size_t head = call_head_bytes(credential), padding = xdr_padded(call.data.size()) - call.data.size();
  const auto copied = [](ByteSpan bytes) { return bytes.size() > copied_bytes_max ? 0 : bytes.size(); };
  const std::size_t needed = head + copied(call.arguments) + copied(call.data) + padding;
  if (room_.size() - used_ < needed || parts_.size() - count_ < parts_of_call) return false;
  XdrWriter writer(std::span(extend(head), head));
  encode_call_head(writer, xid, program, call.procedure, credential,
                   call.arguments.size() + call.data.size() + padding);
  append(call.arguments);
  append(call.data);
  if (padding > 0) std::memset(extend(padding), 0, padding);
  return true;
}

void SendBatch::skip(std::size_t bytes) {
  bytes_ -= bytes;
  while (bytes > 0 && bytes >= parts_[first_].iov_len) bytes -= parts_[first_++].iov_len;
  if (bytes == 0) return;
  iovec& part = parts_[first_];
  part.iov_base = static_cast<std::byte*>(part.iov_base) + bytes;
  part.iov_len -= bytes;
}

}  // namespace edagen
