#include "workload/name_pool.hpp"

namespace edagen {

NamePool::NamePool(std::uint64_t initial, std::uint64_t capacity)
    : words_((initial + 63) / 64, ~std::uint64_t{0}), count_(initial), capacity_(std::max(capacity, initial)) {
  if (initial % 64 != 0) words_.back() = (std::uint64_t{1} << (initial % 64)) - 1;
}

void NamePool::insert(std::uint64_t index) {
  if (exists(index)) return;
  if (index / 64 >= words_.size()) words_.resize(index / 64 + 1, 0);
  words_[index / 64] |= std::uint64_t{1} << (index % 64);
  ++count_;
}

void NamePool::erase(std::uint64_t index) {
  if (!exists(index)) return;
  words_[index / 64] &= ~(std::uint64_t{1} << (index % 64));
  --count_;
}

std::optional<std::uint64_t> NamePool::pick_existing(Random& random) const {
  return count_ == 0 ? std::nullopt : pick(random, words_.size() * 64, true);
}

std::optional<std::uint64_t> NamePool::pick_free(Random& random) const {
  if (full()) return std::nullopt;
  return pick(random, new_names_below(), false);
}

std::optional<std::uint64_t> NamePool::pick(Random& random, std::uint64_t range, bool existing) const {
  constexpr int tries = 16;  // about half of the range fits, so a miss here is rare
  std::uint64_t index = 0;
  for (int i = 0; i < tries; ++i) {
    index = random.below(range);
    if (exists(index) == existing) return index;
  }
  for (std::uint64_t i = 0; i < range; ++i, index = (index + 1) % range)
    if (exists(index) == existing) return index;
  return std::nullopt;
}

}  // namespace edagen
