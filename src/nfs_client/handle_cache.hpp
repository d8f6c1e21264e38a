// The file handles that a client has, by the names of its procs, in bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "edagen/op.hpp"
#include "nfs3/nfs3_types.hpp"

namespace edagen {

/// A name of a proc of the client. NameClass::none stands for the directories on the way to those of the dataset.
struct HandleKey {
  std::uint32_t proc = 0;  ///< its number within the client, below 2^20
  NameRef name;
};

/// What is known of a file besides its handle, for clients that trust it for a time.
struct TrustedAttributes {
  std::uint32_t until_ms = 0;         ///< of the client's clock; 0: asked for each time
  std::uint32_t size = unknown_size;  ///< bytes
  static constexpr std::uint32_t unknown_size = 0xffffffff;
};

/// Handles of one server are alike but for a few bytes, which are all that is kept of each: 8 bytes of key and
/// typically 8 to 16 of handle. Handles of directories are dropped last. Not thread-safe.
class HandleCache {
 public:
  /// At most `most_bytes` are used. `keeps_attributes`: 8 bytes more for each name.
  explicit HandleCache(std::size_t most_bytes, bool keeps_attributes = false)
      : most_bytes_(most_bytes), keeps_attributes_(keeps_attributes) {}

  /// Returns false when the name's handle is not known.
  bool find(const HandleKey& key, NfsHandle& handle) const;
  /// What is known of the name is kept when it has the same handle already.
  void insert(const HandleKey& key, const NfsHandle& handle);
  void erase(const HandleKey& key);
  /// A name that is known; nullptr for others, and when no attributes are kept. Valid until the next insert().
  TrustedAttributes* attributes(const HandleKey& key);
  /// Whether the server has allowed all use of a known name; false for others.
  bool may_access(const HandleKey& key) const;
  void set_may_access(const HandleKey& key, bool may_access);

  std::size_t count() const { return count_; }
  std::size_t memory() const;

 private:
  static constexpr std::size_t ways = 8;
  static constexpr std::size_t nowhere = ~std::size_t{0};
  static constexpr std::byte may_access_bit{0x80};  ///< of the byte that has the size

  static std::uint64_t packed(const HandleKey& key);
  static bool is_directory(std::uint64_t key);
  /// A key may be in each of two sets: the emptier one takes it, which lets tables fill up evenly.
  std::array<std::size_t, 2> sets_of(std::uint64_t key) const;
  std::size_t place_of(std::uint64_t key) const;
  std::size_t free_place(std::uint64_t key) const;
  std::size_t place_for(std::uint64_t key);
  std::size_t bytes_with(std::size_t places, std::size_t width) const;
  /// As many as there is memory for, in whole sets.
  std::size_t most_places(std::size_t width) const;
  void restore(std::size_t places, std::size_t from, std::size_t width);
  NfsHandle handle_at(std::size_t place) const;
  void write_at(std::size_t place, const NfsHandle& handle);
  std::byte& size_at(std::size_t place) { return handles_[place * (1 + width_)]; }

  const std::size_t most_bytes_;
  const bool keeps_attributes_;
  NfsHandle pattern_;                 ///< the first one; 0 after its end
  std::size_t from_ = 0, width_ = 0;  ///< the bytes in which handles differ from it
  std::size_t count_ = 0;
  std::uint32_t turn_ = 0;           ///< of the way that makes room
  std::vector<std::uint64_t> keys_;  ///< by place; 0: free
  std::vector<std::byte> handles_;   ///< by place: the size and may_access_bit, and `width_` bytes
  std::vector<TrustedAttributes> attributes_;
};

}  // namespace edagen
