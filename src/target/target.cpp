#include "edagen/target.hpp"

#include <fmt/format.h>

#include "edagen/error.hpp"

namespace edagen {

std::unique_ptr<TargetQueue> Target::make_queue(const std::vector<QueuedProc>&) {
  throw run_error("target", "carries out one op of a proc at a time", "an I/O depth of 1");
}

std::string Target::describe(std::uint32_t proc, const Op& op) const {
  return fmt::format("proc {}, name {}", proc, op.name.index);
}

}  // namespace edagen
