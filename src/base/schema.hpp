// A JSON Schema (draft 7) as rules. Only the keywords that edagen's schemas use are supported. Any other keyword is
// refused when the schema is read, so that every rule of a schema is checked.
#pragma once

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/pattern.hpp"

namespace edagen {

struct JsonType {
  std::string_view keyword;  ///< "integer"
  std::string_view words;    ///< "a whole number"
  bool (*holds)(const nlohmann::json&);
};

struct CountRange {
  std::size_t least = 0, most = std::numeric_limits<std::size_t>::max();
};

/// The rule for a value. Empty lists and null pointers mean no rule.
struct SchemaRule {
  std::string description;
  std::vector<const JsonType*> types;
  std::vector<std::string> words;  ///< allowed by enum or const
  double least = -std::numeric_limits<double>::infinity(), above = least, most = -least;
  CountRange characters, items, members;
  std::optional<Pattern> pattern;
  const SchemaRule* each = nullptr;  ///< for each item of a list
  std::map<std::string, const SchemaRule*, std::less<>> properties;
  std::string tag;                     ///< the property that is a const: the kind of document
  const SchemaRule* others = nullptr;  ///< for members that are no properties
  bool closed = false;                 ///< no other members are allowed
  std::vector<std::string> required;
  std::vector<std::vector<std::string>> required_any;  ///< all members of one of these lists are required
  std::vector<const SchemaRule*> any_of;
};

/// Immutable, and so safe to share between threads.
class Schema {
 public:
  /// Throws std::logic_error with the place of an unknown keyword; `name` is for that message. Also refuses a pattern
  /// without maxLength (std::regex recurses for each character), and a pattern or a choice of types without a
  /// description for messages.
  Schema(nlohmann::json text, std::string name);
  Schema(const Schema&) = delete;

  /// The rule of the whole document.
  const SchemaRule& rule() const { return rules_.at(""); }

 private:
  using Pointer = nlohmann::json::json_pointer;

  const SchemaRule& read(const Pointer& at);
  void read_keyword(SchemaRule& rule, const std::string& keyword, const Pointer& at);
  void read_choice(SchemaRule& rule, const Pointer& at);
  Pointer followed(Pointer at) const;
  std::logic_error broken(const Pointer& at, const std::string& what) const;

  nlohmann::json text_;
  std::string name_;
  std::map<std::string, SchemaRule> rules_;  ///< by pointer
};

}  // namespace edagen
