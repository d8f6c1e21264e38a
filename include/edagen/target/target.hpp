// How an op is carried out.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "edagen/core/op.hpp"

namespace edagen {

/// Carries out ops for one thread, with buffers of its own.
class TargetWorker {
 public:
  virtual ~TargetWorker() = default;
  /// Blocks until the op is done. Never throws; a failure is in the result. Calls for one proc must not overlap.
  virtual OpResult carry_out(std::uint32_t proc, const Op& op) = 0;
};

class Target {
 public:
  virtual ~Target() = default;
  /// Called in the thread that will use it. Thread-safe.
  virtual std::unique_ptr<TargetWorker> make_worker() = 0;
  /// The mount and the path that `op` of `proc` is about, for messages. Thread-safe.
  virtual std::string describe(std::uint32_t proc, const Op& op) const = 0;
};

}  // namespace edagen
