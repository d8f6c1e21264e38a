// The digest of a document, by which a reader sees that somebody has edited the document since edagen wrote it.
// Thread-safe.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace edagen {

/// `document` with a last member `digest`.
nlohmann::ordered_json with_digest(nlohmann::ordered_json document);

/// Whether `document` has a digest, and it is the digest of other members and values. The order of members and the
/// white space between them may have changed.
bool was_edited(const nlohmann::ordered_json& document);

/// Prints one line to the log where a document that was read from `path` was edited.
void warn_if_edited(const nlohmann::ordered_json& document, const std::string& path);

}  // namespace edagen
