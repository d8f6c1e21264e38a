// Common parts of making ops.
#pragma once

#include "edagen/workload.hpp"

namespace edagen {

inline NameRef data_name(std::uint64_t index) { return {NameClass::data, index}; }

inline Op plain(OpKind kind, NameRef name, NameRef other = {}) {
  Op op;
  op.kind = kind;
  op.name = name;
  op.other = other;
  return op;
}

inline bool draw_commit(const ProcSpec& spec, Random& random) { return random.chance_percent(spec.commit_percent); }
inline bool syncs_at_close(const ProcSpec& spec) { return spec.io.fsync == FsyncWhen::close; }

}  // namespace edagen
