// Writes structs to JSON and reads them back, from the members that their fields() list (edagen/parts/fields.hpp).
#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "edagen/op.hpp"
#include "edagen/parts/fields.hpp"
#include "edagen/parts/named_enum.hpp"

namespace edagen {

using Document = nlohmann::ordered_json;

/// For a name that the object does not have yet: operator[] would look through all of its members.
inline void add_member(Document& object, std::string name, Document value) {
  object.get_ref<Document::object_t&>().emplace_back(std::move(name), std::move(value));
}

struct JsonWriter {
  Document& to;

  template <class T>
  void operator()(const char* name, const T& member, const FieldRule& rule = {}) {
    add_member(to, name, rule.known.value_or(true) ? written(member) : Document(nullptr));
  }
  /// What follows from other members is not read back.
  template <class T>
  void derived(const char* name, const T& value, const FieldRule& = {}) {
    add_member(to, name, written(value));
  }

  template <class T>
  static Document written(const T& value) {
    return value;
  }
  template <HasFields T>
  static Document written(const T& value) {
    Document made = Document::object();
    fields(JsonWriter{made}, value);
    return made;
  }
  template <NamedEnum E>
  static Document written(const E& value) {
    return to_string(value);
  }
  template <class Rep, class Period>
  static Document written(const std::chrono::duration<Rep, Period>& time) {
    return time.count();
  }
  template <class T>
  static Document written(const std::optional<T>& value) {
    return value ? written(*value) : Document(nullptr);
  }
  template <class T>
  static Document written(const std::vector<T>& values) {
    Document made = Document::array();
    for (const T& value : values) made.push_back(written(value));
    return made;
  }
  template <class T, std::size_t n>
  static Document written(const std::array<T, n>& values) {
    Document made = Document::array();
    for (const T& value : values) made.push_back(written(value));
    return made;
  }
  template <class T>
  static Document written(const std::map<std::string, T>& values) {
    Document made = Document::object();
    for (const auto& [name, value] : values) add_member(made, name, written(value));
    return made;
  }
  template <class T>
  static Document written(const std::map<OpKind, T>& values) {
    Document made = Document::object();
    for (const auto& [kind, value] : values) add_member(made, std::string(to_string(kind)), written(value));
    return made;
  }
};

struct JsonReader {
  const Document& from;

  template <class T>
  void operator()(const char* name, T& member, const FieldRule& rule = {}) {
    const auto found = from.find(name);
    if (found != from.end() && !(rule.known && found->is_null())) read(*found, member);
  }
  template <class T>
  void derived(const char*, const T&, const FieldRule& = {}) {}

  template <class T>
  static void read(const Document& document, T& value) {
    document.get_to(value);
  }
  template <HasFields T>
  static void read(const Document& document, T& value) {
    fields(JsonReader{document}, value);
  }
  template <NamedEnum E>
  static void read(const Document& document, E& value) {
    if (const auto named = enum_named<E>(document.get_ref<const std::string&>())) value = *named;
  }
  template <class Rep, class Period>
  static void read(const Document& document, std::chrono::duration<Rep, Period>& time) {
    time = std::chrono::duration<Rep, Period>(document.get<Rep>());
  }
  template <class T>
  static void read(const Document& document, std::optional<T>& value) {
    value.reset();
    if (!document.is_null()) read(document, value.emplace());
  }
  template <class T>
  static void read(const Document& document, std::vector<T>& values) {
    values.clear();
    for (const Document& element : document) read(element, values.emplace_back());
  }
  template <class T, std::size_t n>
  static void read(const Document& document, std::array<T, n>& values) {
    for (std::size_t i = 0; i < n; ++i) read(document.at(i), values[i]);
  }
  template <class T>
  static void read(const Document& document, std::map<std::string, T>& values) {
    values.clear();
    for (const auto& [name, element] : document.items()) read(element, values[name]);
  }
  template <class T>
  static void read(const Document& document, std::map<OpKind, T>& values) {
    values.clear();
    for (const auto& [name, element] : document.items())
      if (const auto kind = parse_op_kind(name)) read(element, values[*kind]);
  }
};

}  // namespace edagen
