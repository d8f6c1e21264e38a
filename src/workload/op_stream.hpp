// The endless deterministic sequence of ops of one proc. It depends on the workload, the seed and the proc's number
// alone: not on threads, on time or on other procs.
#pragma once

#include <optional>

#include "workload/data_ops.hpp"
#include "workload/name_space.hpp"
#include "workload/op_mix.hpp"

namespace edagen {

/// A model of the proc's own name space keeps ops from failing by construction: an error is always news.
/// Not thread-safe; a proc's ops are serial.
class OpStream {
 public:
  /// `spec` and `mix` outlive this.
  OpStream(const ProcSpec& spec, const OpMix& mix, const FilePopulation& files, std::uint64_t seed);

  const ProcSpec& spec() const { return *spec_; }
  /// From the next op on; of the same kinds of ops, in other shares. `mix` outlives this.
  void use(const OpMix& mix) {
    mix_ = &mix;
    names_.use(mix);
  }

  /// The next op. The model takes it as done.
  Op next();

  /// `op`, which next() gave last, has not been begun: next() gives it again.
  void put_back(const Op& op) { put_back_ = op; }

  /// Tells that an op that next() gave has failed: the model goes back to what is there.
  void failed(const Op& op);

 private:
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
};

}  // namespace edagen
