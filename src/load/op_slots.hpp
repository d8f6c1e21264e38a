// The ops of one proc that are in flight at once.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "workload/op_stream.hpp"

namespace edagen {

/// A slot stands for an op in flight. Opens and closes wait for the ops before them and hold up the ops after them, so
/// that transfers find their file open. Not thread-safe.
class OpSlots {
 public:
  void add_slot(std::uint32_t slot) { free_slots_.push_back(slot); }
  unsigned in_flight() const { return in_flight_; }
  bool may_begin() const { return !free_slots_.empty() && !barrier_ && !(held_ && in_flight_ > 0); }

  /// The next op, if it may begin; else the op is held until the others have ended.
  std::optional<Op> next(OpStream& ops) {
    const Op op = held_ ? *std::exchange(held_, std::nullopt) : ops.next();
    if (!is_barrier(op) || in_flight_ == 0) return op;
    held_ = op;
    return std::nullopt;
  }
  std::uint32_t begin(const Op& op) {
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    ++in_flight_;
    barrier_ = is_barrier(op);
    return slot;
  }
  void end(std::uint32_t slot) {
    free_slots_.push_back(slot);
    --in_flight_;
    barrier_ = false;
  }
  /// Gives a held op back to `ops`.
  void close(OpStream& ops) {
    if (held_) ops.put_back(*std::exchange(held_, std::nullopt));
  }

  bool listed = false;  ///< for the owner: whether the proc is in its list of due times

 private:
  static bool is_barrier(const Op& op) { return op.kind == OpKind::open || op.kind == OpKind::close; }

  std::vector<std::uint32_t> free_slots_;
  unsigned in_flight_ = 0;
  std::optional<Op> held_;
  bool barrier_ = false;
};

}  // namespace edagen
