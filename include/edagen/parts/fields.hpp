// How a struct lists its members, once: fields(visit, value), which stands below the struct, calls
// visit("name", member, rule) for each of them. Documents and their schemas, messages between hosts, digests, the
// escaping of text and the rounding of figures are made from these lists.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace edagen {

/// `T` is `Type` or const `Type`: one fields() serves visitors that read and visitors that write.
template <class T, class Type>
concept Is = std::same_as<std::remove_const_t<T>, Type>;

/// Structs that have a fields().
template <class T>
concept HasFields = requires(int visit, T& value) {
  fields(visit, value);
};

/// FieldRule::least of numbers that may be negative.
inline constexpr double any_number = -std::numeric_limits<double>::infinity();

/// What the type of a member does not state. Rules for numbers, texts and enums hold for each element of a list, too.
struct FieldRule {
  std::optional<bool> known = {};  ///< false: documents have null; nullopt: the member is always known
  bool added_later = false;        ///< documents of older versions lack the member
  bool exact = false;              ///< a count or a setting, which is never rounded
  bool is_time = false;            ///< RFC 3339, in UTC
  std::size_t enum_values = 0;     ///< documents have only the first so many values of the enum; 0: all of them
  std::initializer_list<std::string_view> words = {};  ///< the only texts; empty: any text
  std::size_t least_items = 0;                         ///< of a list
  double least = 0, above = any_number, most = -any_number;
  std::string_view about = "";  ///< what the schema prints for people
};

/// The rule of a member that documents of older versions lack.
constexpr FieldRule later(std::string_view about) { return {.added_later = true, .about = about}; }

}  // namespace edagen
