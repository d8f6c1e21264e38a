#include "rpc/record_reader.hpp"

#include <algorithm>

namespace edagen {
namespace {

constexpr std::size_t free_buffer_count = 64, first_capacity_bytes = 4096, in_place_bytes = 4096;

}  // namespace

RecordBuffer BufferPool::take() {
  if (free_.empty()) return {};
  RecordBuffer buffer = std::move(free_.back());
  free_.pop_back();
  return buffer;
}

void BufferPool::give_back(RecordBuffer buffer) {
  if (buffer.bytes && free_.size() < free_buffer_count) free_.push_back(std::move(buffer));
}

std::size_t RecordReader::whole_record(ByteSpan bytes) const {
  if (mark_bytes_ > 0 || !last_ || bytes.size() < 4) return 0;
  const std::uint32_t mark = XdrReader(bytes).u32();
  const std::size_t size = std::size_t{4} + (mark & ~last_fragment_bit);
  return (mark & last_fragment_bit) != 0 && size <= bytes.size() ? size : 0;
}

std::size_t RecordReader::read_mark(ByteSpan bytes) {
  const std::size_t taken = std::min(bytes.size(), mark_.size() - mark_bytes_);
  std::copy_n(bytes.begin(), taken, mark_.begin() + static_cast<std::ptrdiff_t>(mark_bytes_));
  mark_bytes_ += taken;
  if (mark_bytes_ < mark_.size()) return taken;
  const std::uint32_t mark = XdrReader(mark_).u32();
  mark_bytes_ = 0;
  rest_ = mark & ~last_fragment_bit;
  last_ = (mark & last_fragment_bit) != 0;
  judged_ = false;
  return taken;
}

std::size_t RecordReader::keep(ByteSpan bytes) {
  std::size_t taken = std::min(bytes.size(), rest_);
  if (!skipping_) {
    if (!judged_ && size_ < 4) taken = std::min(taken, 4 - size_);  // the xid, before memory is taken for all
    if (buffer_.capacity < size_ + taken) grow(judged_ ? size_ + rest_ : size_ + taken);
    std::memcpy(buffer_.bytes.get() + size_, bytes.data(), taken);
    size_ += taken;
  }
  rest_ -= taken;
  return taken;
}

/// At least twice as large each time, so that a record of many fragments is not copied for each of them.
void RecordReader::grow(std::size_t needed) {
  if (!buffer_.bytes) buffer_ = pool_->take();
  if (buffer_.capacity >= needed) return;
  const std::size_t capacity = std::max({needed, 2 * buffer_.capacity, first_capacity_bytes});
  auto bytes = std::make_unique_for_overwrite<std::byte[]>(capacity);
  if (size_ > 0) std::memcpy(bytes.get(), buffer_.bytes.get(), size_);
  buffer_ = {std::move(bytes), capacity};
}

std::span<std::byte> RecordReader::room() {
  if (skipping_ || !judged_ || rest_ < in_place_bytes) return {};
  grow(size_ + rest_);
  return {buffer_.bytes.get() + size_, rest_};
}

void RecordReader::end_record() {
  size_ = rest_ = mark_bytes_ = 0;
  last_ = true;
  judged_ = skipping_ = false;
}

void RecordReader::reset() {
  pool_->give_back(std::exchange(buffer_, {}));
  end_record();
}

}  // namespace edagen
