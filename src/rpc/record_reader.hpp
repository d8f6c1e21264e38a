// Cuts a TCP stream into the records of RPC (RFC 5531, section 11), whatever the reads and fragments are that it comes
// in.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "rpc/xdr.hpp"

namespace edagen {

/// Bytes without initial values.
struct RecordBuffer {
  std::unique_ptr<std::byte[]> bytes;
  std::size_t capacity = 0;
};

/// Buffers for records that come in pieces, shared by the connections of a loop: only those in the middle of a record
/// have one.
class BufferPool {
 public:
  RecordBuffer take();
  void give_back(RecordBuffer buffer);

 private:
  std::vector<RecordBuffer> free_;
};

class RecordReader {
 public:
  explicit RecordReader(BufferPool& pool) : pool_(&pool) {}
  ~RecordReader() { reset(); }
  RecordReader(const RecordReader&) = delete;
  RecordReader& operator=(const RecordReader&) = delete;

  /// Consumes bytes of the stream. `Sink` has two members:
  ///   bool wants(std::uint32_t xid, std::size_t bytes)  whether a record that begins with `xid` and has at least
  ///   `bytes`
  ///                                                     bytes is to be kept; when not, its rest is skipped
  ///   bool record(ByteSpan record)                      a whole record, valid during the call; false: stop
  /// Returns false when the sink has stopped it.
  template <class Sink>
  bool consume(ByteSpan bytes, Sink&& sink);

  /// The place for the rest of a long fragment, for a read that needs no copy; empty when there is none. After such a
  /// read consume_in_place() is called with the number of bytes.
  std::span<std::byte> room();
  template <class Sink>
  bool consume_in_place(std::size_t count, Sink&& sink);

  /// Forgets the record that is under way: a new connection begins.
  void reset();
  bool in_record() const { return mark_bytes_ > 0 || rest_ > 0 || size_ > 0 || !last_; }

 private:
  bool keep(ByteSpan bytes);
  void grow(std::size_t needed);
  std::uint32_t first_word() const;

  BufferPool* pool_;
  RecordBuffer buffer_;
  std::size_t size_ = 0;        ///< bytes of the record in the buffer
  std::size_t rest_ = 0;        ///< bytes of the fragment that are still to come
  std::size_t mark_bytes_ = 0;  ///< of the record mark that is under way
  std::array<std::byte, 4> mark_{};
  bool last_ = true;       ///< the fragment is the record's last one
  bool judged_ = false;    ///< the sink has seen the xid of this fragment's record
  bool skipping_ = false;  ///< the record is not wanted
};

}  // namespace edagen
