// All options of fio, and how each is imported.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "workload/fio_value.hpp"

namespace edagen {

struct FioOption {
  enum class Use {
    imported,    ///< becomes a part of the workload or of the command that runs it
    without_io,  ///< changes nothing in what is done to the storage
    detail,      ///< refines the option in `remark`, and counts only beside it
    noted,       ///< has no equivalent; `remark` is the difference in edagen
    refused      ///< cannot be imported; `remark` is the reason
  };
  const char* names;  ///< the first is the option's own, the others are its aliases: "rw readwrite"
  /// flag, bool, int, an int within limits ("0..7"), list (of int), float, time (seconds), usec, text, name (a text
  /// that may be left out), or the possible values: "none|posix"; one that may have more behind a colon has one here,
  /// too: "zipf:".
  const char* type;
  const char* usual;  ///< the default, in all spellings, which has no effect; "" when there is none
  Use use;
  const char* remark;

  std::string name() const;
};

/// In the order of fio's documentation.
std::span<const FioOption> fio_job_options();
/// Options of single engines.
std::span<const FioOption> fio_engine_options();
/// nullptr when fio has no such option.
const FioOption* fio_option(const std::string& name);
/// The names, aliases among them, that begin so.
std::vector<std::string> fio_options_beginning(const std::string& beginning);
/// Returns "did you mean 'iodepth'?", or "".
std::string fio_option_hint(const std::string& name);

/// Whether the option is nothing without a value.
bool needs_value(const FioOption& option);
/// Whether a value differs from the default. Throws Error (usage) when the value does not fit the option's type.
bool changes_default(const FioOption& option, const FioWord& word);

}  // namespace edagen
