// Descriptors of a proc's directories, as many as it may keep.
#pragma once

#include <vector>

#include "base/descriptor.hpp"
#include "dataset/dataset_layout.hpp"

namespace edagen {

/// Not thread-safe. Directories are numbered as in the dataset; the number after the last is the proc's own directory.
class KeptDirectories {
 public:
  /// `most` may be 0.
  explicit KeptDirectories(std::size_t most) : most_(most) {}

  /// The descriptor of directory `index`: a kept one, or a new one from `open`. A new descriptor is kept until another
  /// directory needs its place, or moved to `passing` when nothing is kept. Below 0 on an error, with errno.
  template <class Open>
  int get(std::uint64_t index, Descriptor& passing, Open open) {
    if (most_ == 0) {
      passing = open();
      return passing.get();
    }
    if (kept_.empty()) kept_.resize(most_);
    Kept& place = kept_[index < most_ ? index : index % most_];
    if (!place.directory || place.index != index) {
      place.directory = open();
      place.index = index;
    }
    return place.directory.get();
  }

  /// The descriptor of directory `index` if it is kept; else below 0.
  int find(std::uint64_t index) const {
    if (kept_.empty()) return -1;
    const Kept& place = kept_[index < most_ ? index : index % most_];
    return place.index == index ? place.directory.get() : -1;
  }

 private:
  struct Kept {
    Descriptor directory;
    std::uint64_t index = 0;
  };
  std::size_t most_;
  std::vector<Kept> kept_;
};

}  // namespace edagen
