// One proc's files at the start: their number and sizes, by arithmetic and without memory per file.
#pragma once

#include <algorithm>
#include <cstdint>

#include "edagen/workload.hpp"

namespace edagen {

/// The number of links and made directories with which a proc starts, when its op mix uses them.
inline constexpr std::uint64_t initial_links = 16;
inline constexpr std::uint64_t initial_made_dirs = 16;

/// The place of a proc among those that share their files.
struct SharerPlace {
  std::uint64_t number = 0;  ///< from 0
  std::uint64_t sharers = 1;
};

/// A value; safe to share.
class FilePopulation {
 public:
  /// `spec` must outlive this object. `dataset` is the spec's own or a scaled one, `seed` the proc's.
  /// Procs that share their files have the seed of the first of them.
  FilePopulation(const ProcSpec& spec, const DatasetSpec& dataset, std::uint64_t seed, SharerPlace place = {})
      : spec_(&spec), dataset_(dataset), seed_(derive_seed(seed, 0x66696c65)), place_(place) {}

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

  /// Among the procs that share these files. Data files and directories are shared; all other names are the proc's own.
  SharerPlace place() const { return place_; }
  /// The name in the shared directories that stands for the proc's own `name`. A name keeps its directory, and a link
  /// the number of its target.
  NameRef shared_name(NameRef name) const {
    const std::uint64_t block = names_per_block(name.cls);
    if (block == 0) return name;
    return {name.cls, (name.index / block * place_.sharers + place_.number) * block + name.index % block};
  }
  /// The inverse of shared_name().
  NameRef own_name(NameRef name) const {
    const std::uint64_t block = names_per_block(name.cls);
    if (block == 0) return name;
    return {name.cls, name.index / (block * place_.sharers) * block + name.index % block};
  }
  /// The number of the proc whose own name it is; 0 for what is shared.
  std::uint64_t sharer_of(NameRef name) const {
    const std::uint64_t block = names_per_block(name.cls);
    return block == 0 ? 0 : name.index / block % place_.sharers;
  }

 private:
  /// The names of a proc that follow each other; 0: the names of the class are shared.
  std::uint64_t names_per_block(NameClass cls) const {
    switch (cls) {
      case NameClass::empty:
      case NameClass::made_dir: return dataset_.directories;
      case NameClass::symlink:
      case NameClass::hard_link: return std::max<std::uint64_t>(1, dataset_.data_files);
      default: return 0;
    }
  }
  bool uses(OpKind kind) const { return spec_->weight(kind) > 0; }

  const ProcSpec* spec_;
  DatasetSpec dataset_;
  std::uint64_t seed_;
  SharerPlace place_;
};

/// The seed of proc `proc` (0 to clients x procs per client - 1), which depends only on the run's seed and the number.
constexpr std::uint64_t proc_seed(std::uint64_t run_seed, std::uint64_t proc) { return derive_seed(run_seed, proc); }

}  // namespace edagen
