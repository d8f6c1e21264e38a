// Options under one heading of the help. Each becomes a typed value while the command line is parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/option_checks.hpp"
#include "edagen/parts/named_enum.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// Names of options stand with the kind of their value: "--json FILE".
class OptionGroup {
 public:
  /// Takes one text of an option. Throws Error; the name of the option is the place of one without a place.
  using Take = std::function<void(const std::string& text)>;

  explicit OptionGroup(CLI::App& app, std::string heading = "Options") : app_(app), heading_(std::move(heading)) {}

  CLI::Option* flag(const std::string& name, bool& value, const std::string& help) {
    return app_.add_flag(name, value, help)->group(heading_);
  }
  /// Files and names: texts that are not empty. The help shows the default of one that has a default.
  CLI::Option* text(const std::string& name, std::string& value, const std::string& help);
  /// The same of several: of an option with a value each time that it is given, or of words without an option.
  CLI::Option* texts(const std::string& name, std::vector<std::string>& values, const std::string& help) {
    return with_kind(
               name, [&](const std::string& names) { return app_.add_option(names, values, help); }, "TEXT")
        ->transform(name.starts_with('-') ? option_text() : not_empty())
        ->allow_extra_args(!name.starts_with('-'));
  }
  /// `range`: whole_number() or percentage(). The help shows the default of what is not a std::optional.
  template <class Number>
  CLI::Option* number(const std::string& name, Number& value, CLI::Validator range, const std::string& help) {
    auto* const option = with_kind(
                             name, [&](const std::string& names) { return app_.add_option(names, value, help); }, "N")
                             ->transform(std::move(range));
    return std::is_arithmetic_v<Number> ? option->capture_default_str() : option;
  }
  /// As parse_duration(), and not below `least`. The help shows the default.
  CLI::Option* duration(const std::string& name, Nanos& value, Nanos least, const std::string& help);
  /// One of `names`.
  CLI::Option* word(const std::string& name, const std::vector<std::string>& names, Take take, const std::string& help);
  /// The name of a value of an enum. The help shows the default of what is not a std::optional.
  template <NamedEnum E>
  CLI::Option* choice(const std::string& name, E& value, const std::string& help) {
    return word(
               name, names_of<E>, [&value](const std::string& text) { value = *enum_named<E>(text); }, help)
        ->default_str(std::string(to_string(value)));
  }
  template <NamedEnum E>
  CLI::Option* choice(const std::string& name, std::optional<E>& value, const std::string& help) {
    return word(
        name, names_of<E>, [&value](const std::string& text) { value = enum_named<E>(text); }, help);
  }
  CLI::Option* parsed(const std::string& name, Take take, const std::string& help, const std::string& type = "TEXT");
  /// The same of an option that may be given several times, with a value each time: a word behind that value is not one
  /// of its values.
  CLI::Option* parsed_each(const std::string& name, Take take, const std::string& help) {
    return parsed(name, std::move(take), help)
        ->expected(CLI::detail::expected_max_vector_size)
        ->allow_extra_args(false);
  }

 private:
  /// The option that `add` makes of a name without its kind.
  template <class Add>
  CLI::Option* with_kind(const std::string& name, Add add, const std::string& kind) {
    const std::size_t blank = name.find(' ');
    return add(name.substr(0, blank))
        ->type_name(blank == std::string::npos ? kind : name.substr(blank + 1))
        ->group(heading_);
  }
  template <NamedEnum E>
  static inline const std::vector<std::string> names_of{enum_names<E>.begin(), enum_names<E>.end()};

  CLI::App& app_;
  const std::string heading_;
};

}  // namespace edagen
