// All options of fio, and what an import makes of each.
#pragma once

#include <span>
#include <string>

#include "workload/fio_value.hpp"

namespace edagen {

struct FioOption {
  enum class Use {
    imported,    ///< becomes a part of the workload or of the command that runs it
    without_io,  ///< changes nothing of what is done to the storage
    detail,      ///< says more about the option that `remark` names, and counts only beside it
    noted,       ///< has no equivalent; `remark` says what is different here
    refused      ///< `remark` says why a job that has it cannot be imported
  };
  const char* names;  ///< the first is the option's own, the others are its aliases: "rw readwrite"
  /// flag, bool, int, list (of int), float, time (seconds), usec, text, name (a text that may be left out), or the
  /// values that there are: "none|posix".
  const char* type;
  const char* usual;  ///< the default, in all its spellings: a job that says it says nothing; "" when there is none
  Use use;
  const char* remark;

  std::string name() const;
};

/// Sorted as fio's documentation is.
std::span<const FioOption> fio_job_options();
/// Of one engine each: how it does what it does.
std::span<const FioOption> fio_engine_options();
/// nullptr when fio has no such option.
const FioOption* fio_option(const std::string& name);
/// "did you mean 'iodepth'?", or "".
std::string fio_option_hint(const std::string& name);

/// Throws Error (usage) when the value is none of the option's type. Returns whether it says something that is not so
/// anyway.
bool says_something(const FioOption& option, const FioWord& word);

}  // namespace edagen
