#include "base/part_difference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::string_view end_of_difference = "' now";

/// A value in 60 bytes or little more. What both values begin with is left out where else only that would be shown.
std::string shortened_value(std::string_view value, std::string_view other) {
  constexpr std::size_t longest = 60, before = 15;
  if (value.size() <= longest) return one_line(value);
  auto from = static_cast<std::size_t>(std::ranges::mismatch(value, other).in1 - value.begin());
  if (from <= 2 * before) return one_line(value, longest);
  from -= before;
  while (from > 0 && !begins_code_point(value[from])) --from;
  return "..." + one_line(value.substr(from), longest);
}

/// The first `most` differences that end within `room` bytes, at least one.
std::string shortened_difference(const std::string& text, std::size_t most, std::size_t room) {
  std::string made;
  std::size_t shown = 0, more = 0;
  std::string_view rest = text;
  for (std::size_t end = 0; (end = rest.find(end_of_difference)) != std::string_view::npos;) {
    end += end_of_difference.size();
    const std::string item = one_line(rest.substr(0, end));
    rest.remove_prefix(end);
    if (shown == 0 || (shown < most && more == 0 && made.size() + item.size() <= room)) made += item, ++shown;
    else ++more;
  }
  if (shown == 0) return "";
  return made + (more > 0 ? fmt::format(", and {} more", more) : one_line(rest));
}

}  // namespace

std::string part_difference(const std::map<std::string, std::string>& before,
                            const std::map<std::string, std::string>& now,
                            const std::function<bool(const std::string&)>& counts) {
  std::string text;
  const auto add = [&](const std::string& part, const std::string& old_value, const std::string& new_value) {
    if (old_value != new_value && counts(part))
      text += fmt::format("{}{} '{}' is '{}{}", text.empty() ? "" : "; ", part, shortened_value(old_value, new_value),
                          shortened_value(new_value, old_value), end_of_difference);
  };
  for (const auto& [part, old_value] : before) add(part, old_value, now.contains(part) ? now.at(part) : "none");
  for (const auto& [part, new_value] : now)
    if (!before.contains(part)) add(part, "none", new_value);
  return text;
}

std::string difference_for_error(const std::string& text) { return shortened_difference(text, 10, 300); }

std::string few_differences(const std::string& text, std::size_t bytes) {
  const std::string few = shortened_difference(text, 2, 200);
  return few.empty() ? one_line(text, bytes) : few;
}

}  // namespace edagen
