// The set of numbered names of a class that exist now: one bit per name, growing only as far as names are used.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "edagen/parts/random.hpp"

namespace edagen {

/// Not thread-safe; belongs to one proc.
class NamePool {
 public:
  /// Names 0 to initial-1 exist at first, and at most `capacity` names at any time. New names are from a range of
  /// numbers that is twice as wide as the number of names, so that names are used again.
  NamePool(std::uint64_t initial, std::uint64_t capacity);

  std::uint64_t count() const { return count_; }
  std::uint64_t capacity() const { return capacity_; }
  /// Numbers of new names are below this.
  std::uint64_t new_names_below() const { return std::min(capacity_, std::max<std::uint64_t>(2 * count_, 64)); }
  bool full() const { return count_ == capacity_; }
  bool exists(std::uint64_t index) const {
    return index / 64 < words_.size() && (words_[index / 64] >> (index % 64) & 1) != 0;
  }

  void insert(std::uint64_t index);  ///< index < capacity
  void erase(std::uint64_t index);

  /// A random name that exists (or is free); nullopt when there is none.
  std::optional<std::uint64_t> pick_existing(Random& random) const;
  std::optional<std::uint64_t> pick_free(Random& random) const;

 private:
  std::optional<std::uint64_t> pick(Random& random, std::uint64_t range, bool existing) const;

  std::vector<std::uint64_t> words_;
  std::uint64_t count_ = 0;
  std::uint64_t capacity_;
};

}  // namespace edagen
