// What is wrong with a JSON value by a schema's rule, in the words of who wrote it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/schema.hpp"

namespace edagen {

struct Violation {
  std::string what, hint;    ///< as of an Error
  std::string pointer = "";  ///< JSON pointer from the value checked to what is wrong
};

/// The first one: wrong kind of document before unknown names, these before wrong values, these before missing members.
/// The time is linear in the size of `value`; texts are measured before they are matched.
std::optional<Violation> violation_of(const nlohmann::json& value, const SchemaRule& rule);

}  // namespace edagen
