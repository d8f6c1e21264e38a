// The I/O engines of fio, and what an import makes of each.
#pragma once

#include <string>

namespace edagen {

struct FioEngine {
  enum class Kind {
    blocking,  ///< one op at a time: iodepth has no effect
    queueing,  ///< iodepth ops in flight
    mapped,    ///< memory maps
    stat,      ///< a stat of each file
    refused
  };
  const char* name;
  Kind kind;
  const char* remark;  ///< what differs here ("" when nothing does), or why it is refused
};

/// `name` without what stands behind a colon; nullptr when fio has no such engine.
const FioEngine* fio_engine(const std::string& name);
/// "did you mean 'psync'?", or "".
std::string fio_engine_hint(const std::string& name);

}  // namespace edagen
