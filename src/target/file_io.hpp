// Pieces of ops on open files, shared by all engines.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "edagen/target.hpp"
#include "edagen/units.hpp"
#include "target/proc_place.hpp"

namespace edagen {

/// Keeps the first error of an op.
inline void note(OpResult& result, int error) {
  if (result.error == 0) result.error = error;
}

/// Moves `length` bytes by calls of `move`(done so far), as applications do: after a short count the rest is requested,
/// and a full file system then returns its error. Adds to `count`; `short_error` is for a call that moves nothing.
template <class Move>
void transfer(OpResult& result, std::int64_t& count, Bytes length, int short_error, Move move) {
  for (Bytes done = 0; done < length;) {
    const ssize_t moved = move(done);
    if (moved <= 0) return note(result, moved < 0 ? errno : short_error);
    done += moved;
    count += moved;
  }
}

inline void read_extent(OpResult& result, const Op& op, int fd, char* buffer) {
  transfer(result, result.bytes_read, op.length, short_read_error, [&](Bytes done) {
    return ::pread(fd, buffer + done, static_cast<std::size_t>(op.length - done), op.offset + done);
  });
}

inline void write_extent(OpResult& result, const Op& op, int fd, const char* data) {
  transfer(result, result.bytes_written, op.length, short_write_error, [&](Bytes done) {
    return ::pwrite(fd, data + done, static_cast<std::size_t>(op.length - done), op.offset + done);
  });
}

inline void commit(OpResult& result, const Op& op, int fd) {
  if (op.commit && result.error == 0 && ::fsync(fd) != 0) note(result, errno);
}

inline bool reads_extent(const Op& op) { return op.kind == OpKind::read_seq || op.kind == OpKind::read_rand; }
inline bool writes_extent(const Op& op) { return op.kind == OpKind::write_seq || op.kind == OpKind::write_rand; }

/// The flags of open(2) for an op on data.
inline int open_flags(const ProcPlace& place, const Op& op) {
  const int extra = (op.direct && place.direct_possible ? O_DIRECT : 0) | (op.sync ? O_SYNC : 0);
  switch (op.kind) {
    case OpKind::open:
    case OpKind::close: return (op.writing ? O_WRONLY : O_RDONLY) | extra;
    case OpKind::read_seq:
    case OpKind::read_file: return O_RDONLY | extra;
    case OpKind::write_seq: return O_WRONLY | extra;
    default: return O_RDWR | extra;
  }
}

}  // namespace edagen
