#include "cli/option_checks.hpp"

#include <fmt/format.h>

#include <cctype>

#include "base/number.hpp"
#include "edagen/units.hpp"

namespace edagen {

std::string message_of(const Error& error) { return std::string(error.what()).substr(error.where().size() + 2); }

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const bool any = high == std::numeric_limits<std::uint64_t>::max();
  return CLI::Validator(
      [low, high](std::string& text) -> std::string {
        try {
          text = std::to_string(parse_whole(text, "", low, high));
          return "";
        } catch (const Error& error) {
          return message_of(error);
        }
      },
      any ? "" : fmt::format("in [{} - {}]", low, high));
}

CLI::Validator percentage() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        const double percent = number_of(text, std::chars_format::fixed).value_or(-1);
        if (percent >= 0 && percent <= 100) return "";
        return message_of(usage_error("", fmt::format("'{}' is not a number from 0 to 100", text)));
      },
      "in [0 - 100]");
}

CLI::Validator not_empty() {
  return CLI::Validator([](std::string& text) { return text.empty() ? std::string("is empty") : ""; }, "");
}

CLI::Validator option_text() {
  return CLI::Validator(
      [](std::string& text) {
        if (text.empty()) return std::string("is empty");
        const bool is_letter = text.size() == 2 && text[0] == '-' && std::isalpha(static_cast<unsigned char>(text[1]));
        return text.starts_with("--") || is_letter ? fmt::format("needs a value, and '{}' looks like an option", text)
                                                   : "";
      },
      "");
}

void exclude(CLI::App& app, const std::string& name, const std::vector<std::string>& others) {
  for (const std::string& other : others) app.get_option(name)->excludes(app.get_option(other));
}

}  // namespace edagen
