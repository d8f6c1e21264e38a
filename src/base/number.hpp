// Texts that are a number from their first character to their last one.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace edagen {

/// Digits, with a minus before them where the type has a sign; nullopt of other texts and of numbers that do not fit.
template <std::integral Whole>
std::optional<Whole> whole_number_of(std::string_view text) {
  Whole number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// The same of a number that may have a fraction. With the format `fixed` it has no exponent. Never infinite.
inline std::optional<double> number_of(std::string_view text, std::chars_format format = std::chars_format::general) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, format);
  return error == std::errc() && stop == end && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

}  // namespace edagen
