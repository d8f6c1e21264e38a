// A JSON Schema (draft 7) as rules. Only the keywords that edagen's schemas use are known: any other is refused when
// the schema is read, so that no schema asks for what is not checked.
#pragma once

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <string>
#include <vector>

namespace edagen {

struct JsonType {
  std::string_view keyword;  ///< "integer"
  std::string_view words;    ///< "a whole number"
  bool (*holds)(const nlohmann::json&);
};

struct CountRange {
  std::size_t least = 0, most = std::numeric_limits<std::size_t>::max();
};

/// What a value has to fit. Empty lists and null pointers ask for nothing.
struct SchemaRule {
  std::string description;
  std::vector<const JsonType*> types;
  std::vector<std::string> words;  ///< of enum or const
  double least = -std::numeric_limits<double>::infinity(), above = least, most = -least;
  CountRange characters, items, members;
  std::optional<std::regex> pattern;
  const SchemaRule* each = nullptr;  ///< of a list
  std::map<std::string, const SchemaRule*, std::less<>> properties;
  std::string tag;                     ///< the property that is a const: what kind of document it is
  const SchemaRule* others = nullptr;  ///< of members that are no properties
  bool closed = false;                 ///< there may be no others
  std::vector<std::string> required;
  std::vector<std::vector<std::string>> required_any;  ///< one of these lists is there
  std::vector<const SchemaRule*> any_of;
};

/// Immutable, thus safe to share between threads.
class Schema {
 public:
  /// Throws std::logic_error naming the place of an unknown keyword; `name` is for that message. Also refuses a pattern
  /// without maxLength (std::regex recurses with each character), and a pattern or a choice of types without a
  /// description to show.
  Schema(nlohmann::json text, std::string name);
  Schema(const Schema&) = delete;

  /// Of the whole document.
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
