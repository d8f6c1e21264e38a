// Cuts a TCP stream into the records of RPC (RFC 5531, section 11), whatever the reads and fragments are that it comes
// in.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "rpc/xdr.hpp"

namespace edagen {

/// In the mark of a record: no other fragment follows.
inline constexpr std::uint32_t last_fragment_bit = 0x80000000;

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
  ///   bool wants(std::uint32_t xid, std::size_t bytes)  whether a record that comes in pieces, begins with `xid` and
  ///   has
  ///                                                     at least `bytes` bytes is to be kept; when not, it is skipped
  ///   bool record(ByteSpan record)                      a whole record, valid during the call; false: stop
  /// Returns false when the sink has stopped it: the rest of the bytes is lost.
  template <class Sink>
  bool consume(ByteSpan bytes, Sink& sink) {
    while (!bytes.empty()) {
      if (rest_ > 0) {
        const std::size_t taken = keep(bytes);
        bytes = bytes.subspan(taken);
        if (!after_bytes(sink)) return false;
      } else if (const std::size_t whole = whole_record(bytes); whole > 0) {
        const ByteSpan record = bytes.subspan(4, whole - 4);
        bytes = bytes.subspan(whole);
        if (!sink.record(record)) return false;
      } else {
        bytes = bytes.subspan(read_mark(bytes));
        if (mark_bytes_ == 0 && !after_bytes(sink)) return false;
      }
    }
    return true;
  }

  /// The place for the rest of a long fragment, for a read that needs no copy; empty when the rest is short. After such
  /// a read consume_in_place() is called with the number of bytes, at most those of the room.
  std::span<std::byte> room();
  template <class Sink>
  bool consume_in_place(std::size_t count, Sink& sink) {
    size_ += count;
    rest_ -= count;
    return after_bytes(sink);
  }

  /// Forgets the record that is under way: a new connection begins.
  void reset();
  /// Whether the stream stands in the middle of a record.
  bool in_record() const { return mark_bytes_ > 0 || rest_ > 0 || !last_; }

 private:
  /// The bytes of the record that `bytes` begin with, and of its mark; 0 when not all are there or it has several
  /// fragments.
  std::size_t whole_record(ByteSpan bytes) const;
  std::size_t read_mark(ByteSpan bytes);
  std::size_t keep(ByteSpan bytes);
  void grow(std::size_t needed);
  void end_record();

  template <class Sink>
  bool after_bytes(Sink& sink) {
    if (!judged_ && !skipping_ && size_ >= 4) {
      judged_ = true;
      skipping_ = !sink.wants(XdrReader(ByteSpan(buffer_.bytes.get(), 4)).u32(), size_ + rest_);
    }
    if (rest_ > 0 || !last_) return true;
    const bool skipped = skipping_;
    RecordBuffer record = std::exchange(buffer_, {});  // the sink may begin a new connection
    const std::size_t size = size_;
    end_record();
    const bool goes_on = skipped || sink.record({record.bytes.get(), size});
    pool_->give_back(std::move(record));
    return goes_on;
  }

  BufferPool* pool_;
  RecordBuffer buffer_;
  std::size_t size_ = 0;        ///< bytes of the record in the buffer
  std::size_t rest_ = 0;        ///< bytes of the fragment that are still to come
  std::size_t mark_bytes_ = 0;  ///< of the record mark that is under way
  std::array<std::byte, 4> mark_{};
  bool last_ = true;       ///< the fragment is the last one of the record
  bool judged_ = false;    ///< the sink has seen this length
  bool skipping_ = false;  ///< the record is not wanted
};

}  // namespace edagen
