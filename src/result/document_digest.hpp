// The digest of a document, by which a reader sees that somebody has edited the document since edagen wrote it.
// Thread-safe.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace edagen {

/// `document` with a last member `digest`.
nlohmann::ordered_json with_digest(nlohmann::ordered_json document);

/// Whether `document` has a digest, and it is the digest of other members and values. The order of members and the
/// white space between them may have changed.
bool was_edited(const nlohmann::ordered_json& document);

/// Where a document that was read from `path` was edited: prints a line to the log, and adds a note to those of what
/// was read, so that tables and pages have it.
void note_edits(const nlohmann::ordered_json& document, const std::string& path, std::vector<std::string>& notes);

}  // namespace edagen
