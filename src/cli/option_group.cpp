#include "cli/option_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "edagen/error.hpp"

namespace edagen {
namespace {

/// A time as it is typed: "2m", "30s"
std::string typed(Nanos time) {
  for (const auto& [unit, length] : {std::pair("h", Nanos(std::chrono::hours(1))),
                                     {"m", Nanos(std::chrono::minutes(1))},
                                     {"s", Nanos(std::chrono::seconds(1))}})
    if (time % length == Nanos(0)) return fmt::format("{}{}", time / length, unit);
  return fmt::format("{}ns", time.count());
}

}  // namespace

CLI::Option* OptionGroup::text(const std::string& name, std::string& value, const std::string& help) {
  auto* const option = with_kind(
                           name, [&](const std::string& names) { return app_.add_option(names, value, help); }, "TEXT")
                           ->transform(name.starts_with('-') ? option_text() : not_empty());
  return value.empty() ? option : option->capture_default_str();
}

CLI::Option* OptionGroup::duration(const std::string& name, Nanos& value, Nanos least, const std::string& help) {
  const auto take = [&value, least](const std::string& text) {
    value = parse_duration(text, "");
    if (value < least)
      throw usage_error("", least == Nanos(1) ? "must be above 0" : "is below " + format_duration(least));
  };
  return parsed(name, take, help, "TIME")->default_str(typed(value));
}

CLI::Option* OptionGroup::word(const std::string& name, const std::vector<std::string>& names, Take take,
                               const std::string& help) {
  const auto check = [names, take = std::move(take)](const std::string& text) {
    if (std::ranges::find(names, text) == names.end())
      throw usage_error("", fmt::format("unknown '{}'", text), known_names_hint(text, names));
    take(text);
  };
  return parsed(name, check, help, fmt::format("TEXT:{{{}}}", fmt::join(names, ",")));
}

CLI::Option* OptionGroup::parsed(const std::string& name, Take take, const std::string& help, const std::string& type) {
  const CLI::callback_t take_all = [name = name.substr(0, name.find(' ')),
                                    take = std::move(take)](const CLI::results_t& texts) {
    try {
      std::ranges::for_each(texts, take);
    } catch (const Error& error) {
      const std::string& where = error.where();  // ": port" of a URL that has no place of its own
      throw CLI::ValidationError(where.empty() || where.starts_with(':') ? name + where : where, message_of(error));
    }
    return true;
  };
  return with_kind(
      name, [&](const std::string& names) { return app_.add_option(names, take_all, help); }, type);
}

}  // namespace edagen
