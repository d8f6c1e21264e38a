// The ops that read and write parts of data files, and where a proc is in them.
#pragma once

#include <array>

#include "workload/name_space.hpp"
#include "workload/op_mix.hpp"

namespace edagen {

/// Not thread-safe; belongs to one proc, whose `names` and `random` it is given.
class DataOps {
 public:
  /// `spec` outlives this.
  explicit DataOps(const ProcSpec& spec) : spec_(&spec) {}

  /// In a workload with opens of its own: puts the proc at a random place of a session, as if it had been at work for
  /// long, so that the first ops of many procs have the shares of the mix too.
  void begin_within_session(const OpMix& mix, NameSpace& names, Random& random);
  /// open, close, read_seq or write_seq. In a workload with opens of its own: the next op of the session that is open.
  Op sequential(OpKind kind, const OpMix& mix, NameSpace& names, Random& random);
  /// read_rand, write_rand, rmw, lock or fsync.
  Op at_random(OpKind kind, NameSpace& names, Random& random);
  Op mapped(OpKind kind, const NameSpace& names, Random& random) const;

  /// An op has failed: forgets the session that it was to open.
  void failed(const Op& op);

 private:
  struct Cursor {  ///< a place in a data file
    std::uint64_t file = 0;
    Bytes offset = 0;
    bool placed = false;  ///< else the next op takes another file
    bool direct = false, sync = false;
  };
  enum Place : std::size_t { of_reads, of_writes, of_random_ops };
  struct Session {  ///< open, transfers, close as ops of their own
    std::uint64_t file = 0;
    std::uint64_t transfers_left = 0;
    bool open = false, writing = false;
  };

  Op session_op(const OpMix& mix, NameSpace& names, Random& random);
  void begin_session(const OpMix& mix, NameSpace& names, Random& random);
  Op session_edge(OpKind kind) const;
  Op transfer(bool writing, NameSpace& names, Random& random);
  void place(Place at, bool writing, NameSpace& names, Random& random);
  void draw_flags(Cursor& cursor, bool writing, const NameSpace& names, Random& random) const;
  /// Offset and length within the file, 4 KiB aligned when direct.
  void fit(Op& op, Bytes size, Bytes length, Random& random) const;
  static Place place_of(bool writing) { return writing ? of_writes : of_reads; }

  const ProcSpec* spec_;
  std::array<Cursor, NameSpace::most_held> cursors_;
  std::uint64_t random_ops_left_ = 0;  ///< before another file is opened
  Session session_;
};

}  // namespace edagen
