#include "cli/option_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "live/metrics_server.hpp"

namespace edagen {
namespace {

/// `check` throws Error; it may rewrite the text for CLI11.
template <class Check>
CLI::Validator checked(Check check, const std::string& description = "") {
  return CLI::Validator(
      [check](std::string& text) -> std::string {
        try {
          check(text);
          return "";
        } catch (const Error& error) {
          return std::string(error.what()).substr(error.where().size() + 2);
        }
      },
      description);
}

}  // namespace

CLI::Validator whole_number(std::uint64_t low, std::uint64_t high) {
  const bool any = high == std::numeric_limits<std::uint64_t>::max();
  return checked([low, high](std::string& text) { text = std::to_string(parse_whole(text, "", low, high)); },
                 any ? "" : fmt::format("in [{} - {}]", low, high));
}

CLI::Validator percentage() {
  return checked(
      [](const std::string& text) {
        double percent = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, percent, std::chars_format::fixed);
        if (error != std::errc() || stop != end || !(percent >= 0 && percent <= 100))
          throw usage_error("", fmt::format("'{}' is not a number from 0 to 100", text));
      },
      "in [0 - 100]");
}

CLI::Validator a_duration() {
  return checked([](const std::string& text) { parse_duration(text, ""); });
}

CLI::Validator latencies() {
  return checked([](const std::string& text) {
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      parse_latency(std::string_view(text).substr(at, comma - at), "");
      at = comma + 1;
    }
  });
}

CLI::Validator a_size() {
  return checked([](const std::string& text) { parse_bytes(text, ""); });
}

CLI::Validator a_rate() {
  return checked([](const std::string& text) { parse_rate(text, ""); });
}

CLI::Validator a_rate_or_max() {
  return checked([](const std::string& text) {
    if (text != "max") parse_rate(text, "");
  });
}

CLI::Validator one_of(std::vector<std::string> names) {
  const std::string set = fmt::format("{{{}}}", fmt::join(names, ","));
  return checked(
      [names = std::move(names)](const std::string& text) {
        if (std::ranges::find(names, text) == names.end())
          throw usage_error("", fmt::format("unknown '{}'", text), known_names_hint(text, names));
      },
      set);
}

void exclude(CLI::App& app, const std::string& name, const std::vector<std::string>& others) {
  for (const std::string& other : others) app.get_option(name)->excludes(app.get_option(other));
}

CLI::Validator a_file() {
  return checked([](const std::string& text) {
    if (text.empty() || text == "-") throw usage_error("", text.empty() ? "is empty" : "'-' is no file");
  });
}

CLI::Validator an_endpoint() {
  return checked([](const std::string& text) { parse_endpoint(text, ""); });
}

CLI::Validator not_empty() {
  return checked([](const std::string& text) {
    if (text.empty()) throw usage_error("", "is empty");
  });
}

}  // namespace edagen
