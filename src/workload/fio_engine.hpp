// The I/O engines of fio, and how each is imported.
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
  const char* remark;  ///< the difference in edagen ("" when there is none), or the reason of a refusal
};

/// The engine with the part of `name` before a colon; nullptr when fio has no such engine.
const FioEngine* fio_engine(const std::string& name);
/// Returns "did you mean 'psync'?", or "".
std::string fio_engine_hint(const std::string& name);

}  // namespace edagen
