// Finds the violation of a schema's rule in a JSON value, in words for its author.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/schema.hpp"

namespace edagen {

struct Violation {
  std::string what, hint;    ///< as in an Error
  std::string pointer = "";  ///< JSON pointer from the checked value to the violation
};

/// The first violation: a wrong kind of document comes before unknown names, those before wrong values, those before
/// missing members. The time is linear in the size of `value`, as the length of texts is checked before their pattern.
std::optional<Violation> violation_of(const nlohmann::json& value, const SchemaRule& rule);

}  // namespace edagen
