// XDR (RFC 4506) on spans: numbers big-endian, everything a multiple of 4 bytes.
// Neither class allocates or throws: an overrun sets a flag, which is read once at the end.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace edagen {

using ByteSpan = std::span<const std::byte>;

constexpr std::size_t xdr_padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

inline ByteSpan as_byte_span(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::string_view as_text(ByteSpan bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Writes into the caller's bytes. What does not fit is left out, and everything after it.
class XdrWriter {
 public:
  explicit XdrWriter(std::span<std::byte> room) : room_(room) {}

  void u32(std::uint32_t value) {
    if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap32(value);
    if (std::byte* place = take(sizeof value)) std::memcpy(place, &value, sizeof value);
  }
  void u64(std::uint64_t value) {
    if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap64(value);
    if (std::byte* place = take(sizeof value)) std::memcpy(place, &value, sizeof value);
  }
  void boolean(bool value) { u32(value ? 1 : 0); }
  /// Bytes whose number the reader has from elsewhere, with their padding.
  void fixed(ByteSpan bytes) {
    std::byte* place = take(xdr_padded(bytes.size()));
    if (!place || bytes.empty()) return;
    std::memset(place + xdr_padded(bytes.size()) - 4, 0, 4);
    std::memcpy(place, bytes.data(), bytes.size());
  }
  /// Their number, the bytes, their padding.
  void opaque(ByteSpan bytes) {
    u32(static_cast<std::uint32_t>(bytes.size()));
    fixed(bytes);
  }
  void string(std::string_view text) { opaque(as_byte_span(text)); }

  void fail() { failed_ = true; }
  bool ok() const { return !failed_; }
  ByteSpan written() const { return room_.first(size_); }

 private:
  /// The place of the next `size` bytes; null when they do not fit.
  std::byte* take(std::size_t size) {
    if (failed_ || room_.size() - size_ < size) {
      failed_ = true;
      return nullptr;
    }
    std::byte* place = room_.data() + size_;
    size_ += size;
    return place;
  }

  std::span<std::byte> room_;
  std::size_t size_ = 0;
  bool failed_ = false;
};

/// Reads what others have written. After a failure every read gives 0, false or nothing.
class XdrReader {
 public:
  explicit XdrReader(ByteSpan bytes) : rest_(bytes) {}

  std::uint32_t u32() {
    std::uint32_t value = 0;
    if (const std::byte* place = take(sizeof value)) std::memcpy(&value, place, sizeof value);
    return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
  }
  std::uint64_t u64() {
    std::uint64_t value = 0;
    if (const std::byte* place = take(sizeof value)) std::memcpy(&value, place, sizeof value);
    return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
  }
  /// Numbers other than 0 and 1 are a failure.
  bool boolean() {
    const std::uint32_t value = u32();
    if (value > 1) fail();
    return value == 1;
  }
  /// `size` bytes and their padding.
  ByteSpan fixed(std::size_t size) {
    const std::byte* place = take(xdr_padded(size));
    return place ? ByteSpan(place, size) : ByteSpan();
  }
  /// Bytes with their number before them; more than `most` are a failure.
  ByteSpan opaque(std::size_t most) {
    const std::size_t size = u32();
    if (size > most) fail();
    return ok() ? fixed(size) : ByteSpan();
  }
  std::string_view string(std::size_t most) { return as_text(opaque(most)); }

  void fail() {
    failed_ = true;
    rest_ = {};
  }
  bool ok() const { return !failed_; }
  ByteSpan rest() const { return rest_; }

 private:
  const std::byte* take(std::size_t size) {
    if (rest_.size() < size) {
      fail();
      return nullptr;
    }
    const std::byte* place = rest_.data();
    rest_ = rest_.subspan(size);
    return place;
  }

  ByteSpan rest_;
  bool failed_ = false;
};

}  // namespace edagen
