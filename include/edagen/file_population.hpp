// One proc's files at the start: their number and sizes, by arithmetic and without memory per file.
#pragma once

#include <cstdint>

#include "edagen/workload.hpp"

namespace edagen {

/// The number of links and made directories with which a proc starts, when its op mix uses them.
inline constexpr std::uint64_t initial_links = 16;
inline constexpr std::uint64_t initial_made_dirs = 16;

/// A value; safe to share.
class FilePopulation {
 public:
  /// `spec` must outlive this object. `dataset` is the spec's own or a scaled one, `seed` the proc's.
  FilePopulation(const ProcSpec& spec, const DatasetSpec& dataset, std::uint64_t seed)
      : spec_(&spec), dataset_(dataset), seed_(derive_seed(seed, 0x66696c65)) {}

  const ProcSpec& spec() const { return *spec_; }
  const DatasetSpec& dataset() const { return dataset_; }

  /// The number of names of the class at the start: names 0 to count-1 exist.
  std::uint64_t count(NameClass cls) const {
    switch (cls) {
      case NameClass::data: return dataset_.data_files;
      case NameClass::empty: return dataset_.empty_files;
      case NameClass::symlink: return uses(OpKind::symlink) || uses(OpKind::readlink) ? initial_links : 0;
      case NameClass::hard_link: return uses(OpKind::link) ? initial_links : 0;
      case NameClass::made_dir: return uses(OpKind::rmdir) ? initial_made_dirs : 0;
      case NameClass::dataset_dir: return dataset_.directories;
      case NameClass::none: break;
    }
    return 0;
  }

  /// The size of data file `index`, which depends only on the seed and the index.
  Bytes file_size(std::uint64_t index) const {
    if (dataset_.file_size.is_fixed()) return dataset_.file_size.min();
    Random random(derive_seed(seed_, index));
    return dataset_.file_size.sample(random);
  }

 private:
  bool uses(OpKind kind) const { return spec_->weight(kind) > 0; }

  const ProcSpec* spec_;
  DatasetSpec dataset_;
  std::uint64_t seed_;
};

/// The seed of proc `proc` (0 to clients x procs per client - 1), which depends only on the run's seed and the number.
constexpr std::uint64_t proc_seed(std::uint64_t run_seed, std::uint64_t proc) { return derive_seed(run_seed, proc); }

}  // namespace edagen
