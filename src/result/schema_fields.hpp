// Makes the JSON Schema (draft 7) of a document from the members that the structs' fields() list.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <typeindex>

#include "base/json_schema.hpp"
#include "base/schema.hpp"
#include "result/document_kind.hpp"
#include "result/json_fields.hpp"

namespace edagen {

/// Writes each struct once: where a struct occurs again, the schema refers to the first place.
class SchemaWriter {
 public:
  template <class T>
  static Document written() {
    return SchemaWriter().of(T{}, {}, "#");
  }
  /// The schema of a whole document.
  template <IsDocument T>
  static Document written() {
    const DocumentKind& kind = document_kind<T>;
    Document made = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                     {"title", kind.title},
                     {"description", kind.about},
                     {"type", "object"},
                     {"required", {"schema"}},
                     {"properties", {{"schema", {{"const", kind.schema}}}}},
                     {"additionalProperties", false}};
    SchemaWriter writer;
    const T example;
    fields(Members{writer, made, "#"}, example);
    if (kind.has_digest)
      made["properties"]["digest"] = {
          {"type", "string"},
          {"description", "a digest of all other members: another one shows that the document was edited"}};
    return made;
  }

 private:
  /// Adds the members of a struct to the schema of the struct.
  struct Members {
    SchemaWriter& writer;
    Document& schema;
    std::string at;

    template <class T>
    void operator()(const char* name, const T& member, const FieldRule& rule = {}) {
      const std::string place = at + "/properties/" + name;
      Document made;
      if (rule.known) made = writer.or_null(member, rule, place);
      else made = writer.of(member, rule, place);
      add_member(schema["properties"], name, described(std::move(made), rule.about));
      if (!rule.added_later) schema["required"].push_back(name);
    }
    template <class T>
    void derived(const char* name, const T& value, const FieldRule& rule = {}) {
      (*this)(name, value, rule);
    }
  };

  static Document described(Document schema, std::string_view about) {
    if (about.empty()) return schema;
    if (schema.contains("$ref")) schema = {{"anyOf", Document::array({schema})}};  // nothing may stand beside $ref
    schema["description"] = about;
    return schema;
  }

  static FieldRule of_elements(FieldRule rule) {
    rule.known.reset();
    rule.about = "";
    return rule;
  }

  template <class T>
  Document or_null(const T& example, const FieldRule& rule, const std::string& at) {
    if constexpr (HasFields<T> || NamedEnum<T>) {
      return {{"description", "an object or null"},
              {"anyOf", {of(example, of_elements(rule), at + "/anyOf/0"), {{"type", "null"}}}}};
    } else {
      Document made = of(example, rule, at);
      made["type"] = Document::array({made["type"], "null"});
      return made;
    }
  }

  template <HasFields T>
  Document of(const T& example, const FieldRule&, const std::string& at) {
    const auto [place, is_new] = places_.try_emplace(typeid(T), at);
    if (!is_new) return {{"$ref", place->second}};
    Document made = {{"type", "object"},
                     {"required", Document::array()},
                     {"properties", Document::object()},
                     {"additionalProperties", false}};
    fields(Members{*this, made, at}, example);
    return made;
  }
  template <NamedEnum E>
  Document of(E, const FieldRule& rule, const std::string&) {
    Document made = {{"enum", Document::array()}};
    const std::size_t count = rule.enum_values == 0 ? enum_names<E>.size() : rule.enum_values;
    for (std::size_t i = 0; i < count; ++i) made["enum"].push_back(enum_names<E>[i]);
    return made;
  }
  Document of(bool, const FieldRule&, const std::string&) { return {{"type", "boolean"}}; }
  template <class Number>
  requires std::is_arithmetic_v<Number> Document of(Number, const FieldRule& rule, const std::string&) {
    Document made = {{"type", std::is_integral_v<Number> ? "integer" : "number"}};
    const auto add = [&](const char* bound, double limit) {
      if (std::isinf(limit)) return;
      if (std::trunc(limit) == limit) made[bound] = static_cast<std::int64_t>(limit);
      else made[bound] = limit;
    };
    add(std::isinf(rule.above) ? "minimum" : "exclusiveMinimum", std::isinf(rule.above) ? rule.least : rule.above);
    add("maximum", rule.most);
    return made;
  }
  template <class Rep, class Period>
  Document of(std::chrono::duration<Rep, Period>, const FieldRule& rule, const std::string& at) {
    return of(Rep{}, rule, at);
  }
  Document of(const std::string&, const FieldRule& rule, const std::string&) {
    if (rule.words.size() > 0) {
      Document made = {{"enum", Document::array()}};
      for (const std::string_view word : rule.words) made["enum"].push_back(word);
      return made;
    }
    if (!rule.is_time) return {{"type", "string"}};
    return {{"type", "string"},
            {"pattern", R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$)"},
            {"maxLength", 20},
            {"description", "a time in UTC such as '2026-01-31T12:00:00Z'"}};
  }
  template <class T>
  Document of(const std::optional<T>&, const FieldRule& rule, const std::string& at) {
    return or_null(T{}, rule, at);
  }
  template <class T>
  Document of(const std::vector<T>&, const FieldRule& rule, const std::string& at) {
    Document made = {{"type", "array"}, {"items", of(T{}, of_elements(rule), at + "/items")}};
    if (rule.least_items > 0) made["minItems"] = rule.least_items;
    return made;
  }
  template <class T, std::size_t n>
  Document of(const std::array<T, n>&, const FieldRule& rule, const std::string& at) {
    return {{"type", "array"}, {"items", of(T{}, of_elements(rule), at + "/items")}, {"minItems", n}, {"maxItems", n}};
  }
  template <class T>
  Document of(const std::map<std::string, T>&, const FieldRule& rule, const std::string& at) {
    return {{"type", "object"}, {"additionalProperties", of(T{}, of_elements(rule), at + "/additionalProperties")}};
  }
  template <class T>
  Document of(const std::map<OpKind, T>&, const FieldRule& rule, const std::string& at) {
    Document made = {{"type", "object"}, {"properties", Document::object()}, {"additionalProperties", false}};
    for (const OpKind kind : all_op_kinds()) {
      const std::string name(to_string(kind));
      add_member(made["properties"], name, of(T{}, of_elements(rule), at + "/properties/" + name));
    }
    return made;
  }

  std::map<std::type_index, std::string> places_;
};

template <class Figures>
Document to_json(const Figures& figures) {
  if constexpr (IsDocument<Figures>) {
    Document made = {{"schema", document_kind<Figures>.schema}};
    fields(JsonWriter{made}, figures);
    return made;
  } else {
    return JsonWriter::written(figures);
  }
}

template <class Figures>
Figures from_json(const Document& document) {
  Figures figures;
  JsonReader::read(document, figures);
  return figures;
}

template <class Figures>
Document schema_of() {
  return SchemaWriter::written<Figures>();
}

template <class Figures>
Figures from_checked_json(const Document& document, const std::string& where) {
  static const Schema schema(nlohmann::json(schema_of<Figures>()), "schema");
  check_schema(nlohmann::json(document), schema, where);
  return from_json<Figures>(document);
}

}  // namespace edagen
