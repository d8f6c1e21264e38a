// The endless deterministic sequence of ops of one proc. It depends on the workload, the seed and the proc's number
// alone: not on threads, on time or on other procs.
#pragma once

#include <optional>

#include "workload/data_ops.hpp"
#include "workload/name_space.hpp"
#include "workload/op_mix.hpp"

namespace edagen {

/// A model of the proc's own name space keeps ops from failing by construction, so that every error is the storage's.
/// Not thread-safe; the ops of a proc are serial.
class OpStream {
 public:
  /// `spec` and `mix` must outlive this object.
  OpStream(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files, std::uint64_t seed);

  const ProcSpec& spec() const { return *spec_; }
  /// Sets the mix from the next op on. It has the same kinds of ops in other shares, and must outlive this object.
  void use(const OpMix& mix) {
    mix_ = &mix;
    names_.use(mix);
  }

  /// The next op, which the model counts as done.
  Op next();

  /// Takes back `op`, the last result of next(), which has not begun: next() returns it again.
  void put_back(const Op& op) { put_back_ = op; }

  /// Undoes a failed op in the model.
  void failed(const Op& op);
  /// Whether an op that failed with `error` came too late or too early for what another proc does to the shared file.
  bool loses_race(const Op& op, int error) const;

 private:
  /// The next op, by the proc's own names.
  Op own();
  /// The op that was put back, or the next one of a proc that shares files.
  Op put_back_or_shared();
  Op read_whole();
  Op append();
  Op truncate_file();
  Op copy_file();

  const ProcSpec* spec_;
  const OpMix* mix_;
  Random random_;
  NameSpace names_;
  DataOps data_;
  std::optional<Op> put_back_;
  bool shares_;
};

}  // namespace edagen
