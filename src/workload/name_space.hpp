// The names of one proc as its ops leave them (files, links and directories), and the ops that change them. No op fails
// by design: an error is always that of the file system.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "edagen/file_population.hpp"
#include "workload/name_pool.hpp"
#include "workload/op_mix.hpp"

namespace edagen {

/// Ops that are returned count as done. Not thread-safe; belongs to one proc.
class NameSpace {
 public:
  /// `spec` must outlive this object.
  NameSpace(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files);

  const FilePopulation& files() const { return files_; }
  /// Sets the mix from the next op on.
  void use(const OpMix& mix) { refills_ = mix.weight(OpKind::write_file) > 0; }

  /// A number below `count`, with the skew of the spec.
  std::uint64_t choose(std::uint64_t count, Random& random) const;
  /// A data file that is not missing.
  std::uint64_t data_file(Random& random) const;
  bool is_missing(std::uint64_t file) const;
  std::uint64_t empty_files() const { return still_empty_ + empty_.count(); }
  /// An empty file, of which there must be one.
  NameRef empty_file(Random& random) const;
  NameRef link_to_read(Random& random) const { return {NameClass::symlink, *symlinks_.pick_existing(random)}; }

  /// Maximum number of data files that the target may hold open; these are neither removed nor replaced.
  static constexpr std::size_t most_held = 3;
  void hold(std::size_t place, std::uint64_t file) { held_[place] = file; }

  /// Makes, removes or renames a file, a link or a directory. The op is of `kind`, or of another kind that keeps the
  /// shares of the mix when `kind` is impossible.
  Op change(OpKind kind, Random& random);
  Op create_file(Random& random);
  /// Writes a whole data file, missing files first; or ends the replacement of a file by a rename.
  Op write_file(Random& random);
  /// Makes a stat, access or chmod.
  Op any_file(OpKind kind, Random& random);

  /// Undoes an op that has failed.
  void failed(const Op& op);

 private:
  struct Aside {  ///< an empty file that was written, to be moved over a data file of the same size
    std::uint64_t slot = 0, file = 0;
  };
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  Op remove_file(Random& random);
  Op rename_file(Random& random);
  Op make_dir(Random& random);
  Op remove_dir(Random& random);
  Op make_link(OpKind kind, NameClass cls, NamePool& pool, Random& random);
  Op write_whole(NameRef name, Bytes size, Random& random) const;

  /// The empty file of a slot of the pool. Slots leave out the numbers of empty files that never change.
  NameRef empty_name(std::uint64_t slot) const;
  std::uint64_t slot_of(std::uint64_t name) const;
  std::optional<std::uint64_t> free_slot(Random& random) const;
  std::optional<std::uint64_t> free_in_directory_of(std::uint64_t slot, Random& random) const;
  bool is_free(std::uint64_t slot) const;
  bool is_held(std::uint64_t file) const;
  std::optional<std::uint64_t> replaceable_data_file(Random& random) const;
  bool turns_back(const NamePool& pool, std::uint64_t level, bool adds, Random& random) const;

  const ProcSpec* spec_;
  FilePopulation files_;
  NamePool empty_, symlinks_, hard_links_, made_dirs_;
  std::uint64_t pool_start_;   ///< number of empty files that are in the pool from the start
  std::uint64_t still_empty_;  ///< number of further empty files, which are never renamed or removed
  /// Sizes to which the population returns; 0 for a mix that grows or shrinks.
  std::uint64_t level_files_, level_dirs_;
  bool refills_ = false;                ///< the mix has write_file
  std::vector<std::uint64_t> missing_;  ///< data files that were removed; write_file makes them again
  std::vector<Aside> asides_;           ///< their slots are neither in the pool nor free
  std::array<std::uint64_t, most_held> held_{none, none, none};
};

}  // namespace edagen
