// The data of writes in flight.
#pragma once

#include <algorithm>

#include "dataset/payload.hpp"
#include "rpc/xdr.hpp"

namespace edagen {

/// Hands out stretches of prepared bytes, one after the other and then from the beginning again, and makes their blocks
/// unique as Payload does. A stretch stays as it is until 4 MiB more were handed out; when more than that is in
/// flight, some of it changes on its way: what is written has no meaning, and two writes then share blocks.
class PayloadRing {
 public:
  PayloadRing(Bytes largest, double duplicate_percent, double compressible_percent, std::uint64_t seed)
      : size_(round_up(std::max(4 * MiB, 4 * largest), 8 * KiB)), stamp_(duplicate_percent, seed) {
    memory_ = allocate_io_buffer(size_);
    fill_payload(memory_.get(), static_cast<std::size_t>(size_), compressible_percent);
  }

  /// At most `largest` bytes.
  ByteSpan stretch(Bytes length) {
    const Bytes whole = round_up(length, 4 * KiB);
    if (next_ + whole > size_) next_ = 0;
    char* const start = memory_.get() + next_;
    next_ += whole;
    stamp_.apply(start, length);
    return {reinterpret_cast<const std::byte*>(start), static_cast<std::size_t>(length)};
  }

 private:
  Bytes size_, next_ = 0;
  PayloadStamp stamp_;
  IoBuffer memory_;
};

}  // namespace edagen
