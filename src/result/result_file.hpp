// Reads what runs have left: result documents and journals.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "edagen/result.hpp"
#include "result/json_fields.hpp"

namespace edagen {

/// By its name, or by how it begins: --journal FILE takes any name.
bool is_journal(const std::string& path);

/// What a result document holds, or what a journal's lines add up to: of a run that did not end, with status
/// "incomplete" and, for the point that was in flight, what its intervals say. Throws Error (usage).
Result read_result(const std::string& path);

/// The same of a document that edagen wrote and that nobody has edited since. Throws Error (usage).
Result read_unedited_result(const std::string& path);

/// The result in a parsed document. Throws Error (usage).
Result result_of_document(const Document& document, const std::string& path);

/// Adds up the lines of a journal, however many: what is kept of them is the result.
class JournalReading {
 public:
  /// `path` is for messages.
  explicit JournalReading(std::string path);
  ~JournalReading();
  /// Lines that are broken are left out. Throws Error (usage) when too many are.
  void add(std::string_view line);
  /// The result of all lines; may be called once. Throws Error (usage) when there was no header.
  Result result();

 private:
  struct State;
  bool take(std::string_view text);

  std::string path_;
  std::unique_ptr<State> state_;
};

}  // namespace edagen
