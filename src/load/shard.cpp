#include "load/shard.hpp"

namespace edagen {

Op OpInFlight::op() const {
  const std::uint64_t packed = name.load(std::memory_order_relaxed);
  Op op;
  op.kind = static_cast<OpKind>(packed & 0xff);
  op.name = {static_cast<NameClass>(packed >> 8 & 0xff), packed >> 16};
  return op;
}

}  // namespace edagen
