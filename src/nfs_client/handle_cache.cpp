#include "nfs_client/handle_cache.hpp"

#include <algorithm>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

constexpr std::size_t first_places = 32;

/// The byte of a handle, and 0 after its end.
std::byte byte_of(const NfsHandle& handle, std::size_t at) {
  return at < handle.size ? handle.bytes[at] : std::byte{0};
}

}  // namespace

std::uint64_t HandleCache::packed(const HandleKey& key) {
  return std::uint64_t{1} << 63 | static_cast<std::uint64_t>(key.name.cls) << 60 |
         static_cast<std::uint64_t>(key.proc) << 40 | (key.name.index & ((std::uint64_t{1} << 40) - 1));
}

bool HandleCache::is_directory(std::uint64_t key) {
  const auto cls = static_cast<NameClass>(key >> 60 & 7);
  return cls == NameClass::none || cls == NameClass::dataset_dir;
}

std::array<std::size_t, 2> HandleCache::sets_of(std::uint64_t key) const {
  __extension__ using Wide = unsigned __int128;
  const auto set = [&](std::uint64_t number) {
    return static_cast<std::size_t>((Wide{number} * (keys_.size() / ways)) >> 64) * ways;
  };
  const std::uint64_t first = mix_bits(key);
  return {set(first), set(mix_bits(first))};
}

std::size_t HandleCache::place_of(std::uint64_t key) const {
  if (keys_.empty()) return nowhere;
  for (const std::size_t set : sets_of(key))
    for (std::size_t place = set; place < set + ways; ++place)
      if (keys_[place] == key) return place;
  return nowhere;
}

/// In the emptier one of its sets; nowhere when both are full.
std::size_t HandleCache::free_place(std::uint64_t key) const {
  std::size_t found = nowhere;
  std::ptrdiff_t most = 0;
  for (const std::size_t set : sets_of(key)) {
    const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(set), end = begin + ways;
    const std::ptrdiff_t free = std::count(begin, end, 0u);
    if (free <= most) continue;
    most = free;
    found = static_cast<std::size_t>(std::find(begin, end, 0u) - keys_.begin());
  }
  return found;
}

bool HandleCache::find(const HandleKey& key, NfsHandle& handle) const {
  const std::size_t place = place_of(packed(key));
  if (place == nowhere) return false;
  handle = handle_at(place);
  return true;
}

TrustedAttributes* HandleCache::attributes(const HandleKey& key) {
  const std::size_t place = keeps_attributes_ ? place_of(packed(key)) : nowhere;
  return place == nowhere ? nullptr : &attributes_[place];
}

bool HandleCache::may_access(const HandleKey& key) const {
  const std::size_t place = place_of(packed(key));
  return place != nowhere && (handles_[place * (1 + width_)] & may_access_bit) != std::byte{0};
}

void HandleCache::set_may_access(const HandleKey& key, bool may_access) {
  const std::size_t place = place_of(packed(key));
  if (place == nowhere) return;
  if (may_access) size_at(place) |= may_access_bit;
  else size_at(place) &= ~may_access_bit;
}

void HandleCache::erase(const HandleKey& key) {
  const std::size_t place = place_of(packed(key));
  if (place == nowhere) return;
  keys_[place] = 0;
  --count_;
}

void HandleCache::insert(const HandleKey& key, const NfsHandle& handle) {
  if (!pattern_) pattern_ = handle;
  std::size_t from = width_ > 0 ? from_ : handle.bytes.size(), end = width_ > 0 ? from_ + width_ : 0;
  for (std::size_t at = 0; at < handle.bytes.size(); ++at) {
    if (byte_of(handle, at) == byte_of(pattern_, at)) continue;
    from = std::min(from, at);
    end = std::max(end, at + 1);
  }
  if (end > from && (from != from_ || end - from != width_)) restore(keys_.size(), from, end - from);
  if (keys_.empty()) restore(first_places, from_, width_);
  const std::uint64_t name = packed(key);
  std::size_t place = place_of(name);
  if (place == nowhere) {
    place = place_for(name);
    keys_[place] = name;
    ++count_;
  } else if (handle_at(place) == handle) {
    return;
  }
  write_at(place, handle);
  if (keeps_attributes_) attributes_[place] = {};
}

/// A free place for a new name: in a larger table where that may be, else that of another name.
std::size_t HandleCache::place_for(std::uint64_t key) {
  for (;;) {
    if (const std::size_t place = free_place(key); place != nowhere) return place;
    if (most_places(width_) <= keys_.size()) break;
    restore(keys_.size() + keys_.size() / 2, from_, width_);
  }
  --count_;
  const std::array sets = sets_of(key);
  std::size_t place = nowhere;
  for (std::size_t i = 0; i < 2 * ways; ++i) {
    ++turn_;
    place = sets[turn_ / ways % 2] + turn_ % ways;
    if (!is_directory(keys_[place])) break;
  }
  return place;
}

/// Makes the table anew, with so many places for that part of each handle. When memory is short, names are dropped.
void HandleCache::restore(std::size_t places, std::size_t from, std::size_t width) {
  places = std::clamp(places / ways * ways, first_places, most_places(width));
  HandleCache anew(most_bytes_, keeps_attributes_);
  anew.pattern_ = pattern_;
  anew.from_ = from;
  anew.width_ = width;
  anew.keys_.resize(places);
  anew.handles_.resize(places * (1 + width));
  if (keeps_attributes_) anew.attributes_.resize(places);
  for (std::size_t place = 0; place < keys_.size(); ++place) {
    if (keys_[place] == 0) continue;
    const std::size_t to = anew.free_place(keys_[place]);
    if (to == nowhere && places < most_places(width)) return restore(places + places / 2, from, width);
    if (to == nowhere) continue;
    anew.keys_[to] = keys_[place];
    anew.write_at(to, handle_at(place));
    anew.size_at(to) |= size_at(place) & may_access_bit;
    if (keeps_attributes_) anew.attributes_[to] = attributes_[place];
    ++anew.count_;
  }
  from_ = from;
  width_ = width;
  count_ = anew.count_;
  keys_.swap(anew.keys_);
  handles_.swap(anew.handles_);
  attributes_.swap(anew.attributes_);
}

NfsHandle HandleCache::handle_at(std::size_t place) const {
  const std::byte* const kept = handles_.data() + place * (1 + width_);
  NfsHandle handle = pattern_;
  std::fill(handle.bytes.begin() + handle.size, handle.bytes.end(), std::byte{0});
  handle.size = std::to_integer<std::uint8_t>(kept[0] & ~may_access_bit);
  std::copy_n(kept + 1, width_, handle.bytes.begin() + static_cast<std::ptrdiff_t>(from_));
  return handle;
}

void HandleCache::write_at(std::size_t place, const NfsHandle& handle) {
  std::byte* const kept = handles_.data() + place * (1 + width_);
  kept[0] = std::byte{handle.size};
  for (std::size_t i = 0; i < width_; ++i) kept[1 + i] = byte_of(handle, from_ + i);
}

std::size_t HandleCache::bytes_with(std::size_t places, std::size_t width) const {
  return places * (sizeof(std::uint64_t) + 1 + width + (keeps_attributes_ ? sizeof(TrustedAttributes) : 0));
}

std::size_t HandleCache::most_places(std::size_t width) const {
  return std::max(first_places, most_bytes_ / bytes_with(ways, width) * ways);
}

std::size_t HandleCache::memory() const { return bytes_with(keys_.size(), width_); }

}  // namespace edagen
