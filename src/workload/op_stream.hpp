// The endless deterministic sequence of ops of one proc. It depends on the workload, the seed and the proc's number
// alone: not on threads, on time or on other procs.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "edagen/file_population.hpp"
#include "workload/name_pool.hpp"

namespace edagen {

/// Shared by all procs of a kind: the op mix ready for sampling. Immutable.
class OpMix {
 public:
  explicit OpMix(const OpWeights& weights);
  OpKind sample(Random& random) const { return kinds_[table_.sample(random)]; }
  double weight(OpKind kind) const { return weights_[static_cast<std::size_t>(kind)]; }

 private:
  OpWeights weights_;
  std::vector<OpKind> kinds_;
  AliasTable table_;
};

/// A model of the proc's own name space keeps ops from failing by construction: an error is always news.
/// Not thread-safe; a proc's ops are serial.
class OpStream {
 public:
  /// `spec` and `mix` outlive this.
  OpStream(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files, std::uint64_t seed);

  const ProcSpec& spec() const { return *spec_; }
  /// From the next op on; of the same kinds of ops, in other shares. `mix` outlives this.
  void use(const OpMix& mix) { mix_ = &mix; }

  /// The next op. The model takes it as done.
  Op next();

  /// `op`, which next() gave last, has not been begun: next() gives it again.
  void put_back(const Op& op) { put_back_ = op; }

  /// Tells that an op that next() gave has failed: the model goes back to what is there.
  void failed(const Op& op);

 private:
  struct Cursor {  ///< a place in a data file
    std::uint64_t file = 0;
    Bytes offset = 0;
    bool placed = false;  ///< else the next op takes another file
    bool used = false;    ///< the target may hold the file open
    bool direct = false, sync = false;
  };
  struct Aside {  ///< an empty file that was written, to be moved over a data file of the same size
    std::uint64_t slot = 0, file = 0;
  };
  struct Session {  ///< open, transfers, close as ops of their own
    std::uint64_t file = 0;
    std::uint64_t transfers_left = 0;
    bool open = false, writing = false;
  };

  Op session_op();
  Op open_session();
  Op transfer(OpKind kind, Cursor& cursor, bool writing);
  Op read_whole();
  Op write_whole();
  Op write_whole(NameRef name, Bytes size);
  Op random_io(OpKind kind);
  Op mapped(OpKind kind, bool writing);
  Op append();
  Op truncate_file();
  Op copy_file();
  Op create_file();
  Op remove_file();
  Op rename_file();
  Op make_dir();
  Op remove_dir();
  Op make_link(OpKind kind, NameClass cls, NamePool& pool);
  Op any_file(OpKind kind);

  std::uint64_t choose(std::uint64_t count);  ///< below count, with the spec's skew
  std::uint64_t data_file();                  ///< one whose content is there
  std::optional<NameRef> empty_file();
  /// Slots of the pool are the empty files' numbers, less those of the ones that stay.
  NameRef empty_name(std::uint64_t slot) const;
  std::uint64_t slot_of(std::uint64_t name) const;
  std::optional<std::uint64_t> free_slot();
  std::optional<std::uint64_t> free_in_directory_of(std::uint64_t slot);
  bool is_free(std::uint64_t slot) const;
  std::optional<std::uint64_t> replaceable_data_file();
  bool turns_back(const NamePool& pool, std::uint64_t level, bool adds);
  bool is_missing(std::uint64_t file) const;
  bool is_in_use(std::uint64_t file) const;
  bool syncs_at_close() const { return spec_->io.fsync == FsyncWhen::close; }
  bool draw_commit() { return random_.chance_percent(spec_->commit_percent); }
  void place(Cursor& cursor, bool writing);
  void draw_flags(Cursor& cursor, bool writing);
  /// Offset and length within the file, 4 KiB aligned when direct.
  void fit(Op& op, Bytes size, Bytes length);

  const ProcSpec* spec_;
  const OpMix* mix_;
  FilePopulation files_;
  Random random_;

  NamePool empty_, symlinks_, hard_links_, made_dirs_;
  std::uint64_t pool_start_;   ///< empty files 0 to here are in the pool from the start
  std::uint64_t still_empty_;  ///< the number of further ones that are never renamed or removed
  /// Numbers of names that the population comes back to; 0: in a mix that grows or shrinks.
  std::uint64_t level_files_, level_dirs_;
  std::vector<std::uint64_t> missing_;  ///< data files that were removed; write_file makes them again
  std::vector<Aside> asides_;           ///< their slots are neither in the pool nor free
  Cursor random_cursor_, read_cursor_, write_cursor_;
  std::uint64_t random_ops_left_ = 0;  ///< before another file is opened
  Session session_;
  std::optional<Op> put_back_;
};

}  // namespace edagen
