#include "result/document_digest.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr const char* digest_member = "digest";

/// FNV-1a of 64 bits (Fowler, Noll, Vo) over the members in alphabetical order. It shows accidents and edits, and
/// keeps nobody from writing another digest.
std::string digest_of(const nlohmann::ordered_json& document) {
  nlohmann::json sorted(document);
  sorted.erase(digest_member);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : sorted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return fmt::format("fnv1a64:{:016x}", hash);
}

}  // namespace

nlohmann::ordered_json with_digest(nlohmann::ordered_json document) {
  document[digest_member] = digest_of(document);
  return document;
}

bool was_edited(const nlohmann::ordered_json& document) {
  const auto kept = document.find(digest_member);
  return kept != document.end() && *kept != digest_of(document);
}

void note_edits(const nlohmann::ordered_json& document, const std::string& path, std::vector<std::string>& notes) {
  if (!was_edited(document)) return;
  const std::string& note =
      notes.emplace_back("this document was edited after edagen wrote it; its figures may not be what was measured");
  spdlog::warn("{}: {}", one_line(path), note);
}

}  // namespace edagen
