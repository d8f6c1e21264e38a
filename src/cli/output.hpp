// Where results go, the same for every command that makes them.
#pragma once

#include <iosfwd>

#include "edagen/core/stuck_watch.hpp"
#include "edagen/result/journal.hpp"
#include "options.hpp"

namespace edagen {

/// Where an option says that something goes; an empty path: nowhere, - is stdout.
struct Place {
  const char* option;
  std::string path;
};
/// Throws Error (usage) when a file that is to be written cannot be, or when two are one. `watch` names one that hangs, as
/// below.
void check_places(const std::vector<Place>& places, StuckWatch& watch);
void check_outputs(const LoadOptions& options, StuckWatch& watch);

/// For people's eyes: stdout, unless something else goes there.
std::ostream& text_stream(const LoadOptions& options);

/// Writes the files asked for and shows `text` on the text stream.
void write_outputs(const LoadOptions& options, const Result& result, const std::string& text, StuckWatch& watch);

/// Writes text to a file or, for -, to stdout. Throws Error (run).
void write_text(const std::string& path, const std::string& text, const char* option);

/// The journal of a run: where the user says, else in the default place until the run is complete.
class RunJournal {
 public:
  explicit RunJournal(const LoadOptions& options);
  Journal& lines() { return journal_; }
  /// A complete run whose results are written needs none any more.
  void finish(bool all_is_written);

 private:
  bool kept_;
  Journal journal_;
};

}  // namespace edagen
