// The ops that read and write parts of data files, and the places of a proc in its files.
#pragma once

#include <array>

#include "workload/name_space.hpp"
#include "workload/op_mix.hpp"

namespace edagen {

/// Not thread-safe; belongs to one proc, which passes its `names` and `random`.
class DataOps {
 public:
  /// `spec` must outlive this object.
  explicit DataOps(const ProcSpec& spec) : spec_(&spec) {}

  /// Puts the proc at a random place of a session, as if it had been at work for long, so that the first ops of many
  /// procs have the shares of the mix, too. For workloads with opens of their own.
  void begin_within_session(const OpMix& mix, NameSpace& names, Random& random);
  /// open, close, read_seq or write_seq. In a workload with opens of its own this is the next op of the open session.
  Op sequential(OpKind kind, const OpMix& mix, NameSpace& names, Random& random);
  /// read_rand, write_rand, rmw, lock or fsync.
  Op at_random(OpKind kind, NameSpace& names, Random& random);
  Op mapped(OpKind kind, const NameSpace& names, Random& random) const;

  /// Drops the session that a failed op would have opened, and the place in a shared file that has failed.
  void failed(const Op& op);

 private:
  struct Cursor {  ///< a place in a data file
    std::uint64_t file = 0;
    Bytes offset = 0;
    bool placed = false;  ///< false: the next op takes another file
    bool direct = false, sync = false;
  };
  enum Place : std::size_t { of_reads, of_writes, of_random_ops };
  struct Session {  ///< an open, transfers and a close as separate ops
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
  /// Fits offset and length into the file, aligned to 4 KiB for direct I/O.
  void fit(Op& op, Bytes size, Bytes length, Random& random) const;
  static Place place_of(bool writing) { return writing ? of_writes : of_reads; }

  const ProcSpec* spec_;
  std::array<Cursor, NameSpace::most_held> cursors_;
  std::uint64_t random_ops_left_ = 0;  ///< before another file is opened
  Session session_;
};

}  // namespace edagen
