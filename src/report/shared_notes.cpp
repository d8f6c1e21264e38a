#include "report/shared_notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace edagen {
namespace {

using NamedNotes = std::vector<std::pair<std::string, std::vector<std::string>>>;
using NamesByNote = std::vector<std::pair<std::string, std::vector<std::string>>>;

NamesByNote names_by_note(const NamedNotes& named) {
  NamesByNote found;
  for (const auto& [name, notes] : named)
    for (const std::string& note : notes) {
      auto at = std::ranges::find(found, note, &NamesByNote::value_type::first);
      if (at == found.end()) at = found.insert(found.end(), {note, {}});
      at->second.push_back(name);
    }
  return found;
}

std::string note_line(const std::string& note, const std::vector<std::string>& names) {
  return fmt::format("{}: {}", fmt::join(names, ", "), note);
}

}  // namespace

std::vector<std::string> notes_with_names(const NamedNotes& named) {
  std::vector<std::string> lines;
  for (const auto& [note, names] : names_by_note(named)) lines.push_back(note_line(note, names));
  return lines;
}

std::vector<std::string> take_shared_notes(std::vector<Result>& results, const std::vector<std::string>& names) {
  NamedNotes named;
  for (const Result& result : results) named.emplace_back(names.at(named.size()), result.notes);
  NamesByNote shared = names_by_note(named);
  std::erase_if(shared, [](const auto& note) { return note.second.size() < 2; });
  const auto is_shared = [&](const std::string& note) {
    return std::ranges::find(shared, note, &NamesByNote::value_type::first) != shared.end();
  };
  for (Result& result : results) std::erase_if(result.notes, is_shared);
  std::vector<std::string> lines;
  for (const auto& [note, having] : shared)
    lines.push_back(having.size() == results.size() ? "all results: " + note : note_line(note, having));
  return lines;
}

}  // namespace edagen
