// The files in one proc's directory: its own, or those that several procs share.
#pragma once

#include <vector>

#include "dataset/dataset_layout.hpp"

namespace edagen {

class FileSet {
 public:
  /// The sharers in their order, or one proc alone; the populations must outlive this object.
  explicit FileSet(std::vector<const FilePopulation*> sharers) : sharers_(std::move(sharers)) {}

  const ProcSpec& spec() const { return sharers_.front()->spec(); }
  const DatasetSpec& dataset() const { return sharers_.front()->dataset(); }
  Bytes data_file_size(std::uint64_t index) const { return sharers_.front()->file_size(index); }
  std::uint64_t data_files() const { return sharers_.front()->count(NameClass::data); }
  bool has_hard_links() const {
    return std::ranges::any_of(sharers_, [](const auto* files) { return files->count(NameClass::hard_link) > 0; });
  }

  /// Whether there is such a name at the start.
  bool has(NameRef name) const {
    const std::uint64_t sharer = sharers_.front()->sharer_of(name);
    if (sharer >= sharers_.size()) return false;
    const FilePopulation& files = *sharers_[sharer];
    return files.own_name(name).index < files.count(name.cls);
  }
  /// Calls f for each name of the class in directory `index` at the start.
  template <class F>
  void for_each(NameClass cls, std::uint64_t index, F f) const {
    const NameWriter names(dataset());
    const bool is_link = cls == NameClass::symlink || cls == NameClass::hard_link;
    for (const FilePopulation* const files : sharers_) {
      for (std::uint64_t i = is_link ? 0 : index; i < files->count(cls); i += is_link ? 1 : dataset().directories)
        if (!is_link || names.directory_of({cls, i}) == index) f(files->shared_name({cls, i}));
      if (cls == NameClass::data) return;
    }
  }

 private:
  std::vector<const FilePopulation*> sharers_;
};

}  // namespace edagen
