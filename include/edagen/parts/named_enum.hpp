// Enums whose values have names in files and results.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace edagen {

/// The names of an enum's values, in their order; specialised beside the enum.
template <class E>
inline constexpr std::array<std::string_view, 0> enum_names{};

/// The last name is empty where one of the names is missing.
template <class E>
concept NamedEnum = (enum_names<E>.size() > 0 && !enum_names<E>.back().empty());

template <NamedEnum E>
constexpr std::string_view to_string(E value) {
  return enum_names<E>[static_cast<std::size_t>(value)];
}

/// nullopt when no value has this name.
template <NamedEnum E>
constexpr std::optional<E> enum_named(std::string_view name) {
  const auto found = std::find(enum_names<E>.begin(), enum_names<E>.end(), name);
  if (found == enum_names<E>.end()) return std::nullopt;
  return static_cast<E>(found - enum_names<E>.begin());
}

}  // namespace edagen
