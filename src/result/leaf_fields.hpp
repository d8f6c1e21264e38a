// Visits the texts and numbers in a value, wherever they stand in it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "edagen/parts/fields.hpp"

namespace edagen {

/// Calls change(leaf, rule) for each text and number, names in maps included.
template <class Change>
class LeafVisitor {
 public:
  explicit LeafVisitor(Change change) : change_(std::move(change)) {}

  template <class T>
  void operator()(const char*, T& member, const FieldRule& rule = {}) {
    visit(member, rule);
  }
  template <class T>
  void derived(const char*, const T&, const FieldRule& = {}) {}

  template <class T>
  void visit(T& leaf, const FieldRule& rule) {
    change_(leaf, rule);
  }
  template <HasFields T>
  void visit(T& value, const FieldRule&) {
    fields(*this, value);
  }
  template <class T>
  void visit(std::optional<T>& value, const FieldRule& rule) {
    if (value) visit(*value, rule);
  }
  template <class T>
  void visit(std::vector<T>& values, const FieldRule& rule) {
    for (T& value : values) visit(value, rule);
  }
  template <class T, std::size_t n>
  void visit(std::array<T, n>& values, const FieldRule& rule) {
    for (T& value : values) visit(value, rule);
  }
  /// Two names may become one: then the first counts.
  template <class K, class T>
  void visit(std::map<K, T>& values, const FieldRule& rule) {
    std::map<K, T> changed;
    for (auto& [name, value] : values) {
      K key = name;
      visit(key, rule);
      visit(value, rule);
      changed.emplace(std::move(key), std::move(value));
    }
    values = std::move(changed);
  }

 private:
  Change change_;
};

template <class T, class Change>
T with_each_leaf(T value, Change change) {
  LeafVisitor<Change>(std::move(change)).visit(value, FieldRule());
  return value;
}

}  // namespace edagen
