#include <algorithm>

#include "nfs_client/open_nfs_file.hpp"

namespace edagen {

void UnstableData::add(FileExtent extent) {
  if (extent.length == 0) return;
  const auto first =
      std::ranges::find_if(extents_, [&](const FileExtent& other) { return other.end() >= extent.offset; });
  auto last = first;
  Bytes begin = extent.offset, end = extent.end();
  for (; last != extents_.end() && last->offset <= extent.end(); ++last) {
    begin = std::min(begin, last->offset);
    end = std::max(end, last->end());
  }
  const FileExtent joined{begin, end - begin};
  if (first != last) {
    *first = joined;
    extents_.erase(first + 1, last);
    return;
  }
  extents_.insert(first, joined);
  if (extents_.size() <= most_extents) return;
  auto nearest = extents_.begin();
  const auto gap_after = [](auto at) { return (at + 1)->offset - at->end(); };
  for (auto at = extents_.begin(); at + 1 != extents_.end(); ++at)
    if (gap_after(at) < gap_after(nearest)) nearest = at;
  nearest->length = (nearest + 1)->end() - nearest->offset;
  extents_.erase(nearest + 1);
}

}  // namespace edagen
