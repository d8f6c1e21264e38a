#include "nfs/factor_tunings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/number.hpp"
#include "edagen/error.hpp"
#include "nfs/mount_advice.hpp"
#include "nfs/nfs_option_table.hpp"
#include "nfs/tuning_checks.hpp"

namespace edagen {
namespace {

constexpr std::string_view read_ahead = "read_ahead_kib=";

/// The settings that an option changes; noac is sync as well.
std::set<std::string> settings_of(const MountOption& option) {
  std::set<std::string> all = {setting_of(option.name)};
  if (option.name == "actimeo" || option.name == "noac") all.insert(attribute_times().begin(), attribute_times().end());
  if (option.name == "noac") all.insert("sync");
  return all;
}

struct Factor {
  std::string text;
  std::vector<MountOption> options = {};
  bool sysctls = false;
  std::optional<int> read_ahead_kib = {};

  /// The settings that it changes.
  std::set<std::string> settings() const {
    std::set<std::string> all;
    for (const MountOption& option : options) all.merge(settings_of(option));
    if (sysctls) all.insert(sysctls_factor);
    if (read_ahead_kib) all.insert("read_ahead_kib");
    return all;
  }
};

Factor factor_of(const std::string& text) {
  Factor factor{.text = text};
  if (text == sysctls_factor) {
    factor.sysctls = true;
  } else if (text.starts_with(read_ahead)) {
    const int number = whole_number_of<int>(text.substr(read_ahead.size())).value_or(-1);
    if (number < 0 || number > most_read_ahead_kib)
      throw usage_error("--factor", fmt::format("'{}': the read-ahead is from 0 to {} KiB", text, most_read_ahead_kib));
    factor.read_ahead_kib = number;
  } else {
    check_tuning_options(text, "--factor");
    factor.options = *parse_mount_options(text);
    if (factor.options.empty()) throw usage_error("--factor", fmt::format("'{}' has no option", text));
  }
  return factor;
}

void check_different(const std::vector<Factor>& factors) {
  for (std::size_t i = 0; i < factors.size(); ++i)
    for (std::size_t j = i + 1; j < factors.size(); ++j) {
      const std::set<std::string> others = factors[j].settings();
      for (const std::string& setting : factors[i].settings())
        if (others.contains(setting))
          throw usage_error("--factor", fmt::format("'{}' and '{}' both set {}: they cannot be in force together",
                                                    factors[i].text, factors[j].text, setting));
    }
}

/// A version replaces a minor version as well, but a minor version needs the vers=4 beside it. Without attributes that
/// are cached no time counts, and with a time they are.
bool replaces(const MountOption& option, const MountOption& other) {
  if (option.name == "minorversion") return other.name == option.name;
  const auto is_time = [](const MountOption& each) {
    return each.name == "actimeo" || attribute_times().contains(each.name);
  };
  if ((option.name == "noac" || option.name == "actimeo") && is_time(other)) return true;
  if (other.name == "noac" && is_time(option)) return true;
  return setting_of(other.name) == setting_of(option.name);
}

/// Options of one factor do not replace each other.
void replace_options(std::vector<MountOption>& options, const std::vector<MountOption>& by) {
  std::erase_if(options, [&](const MountOption& other) {
    return std::ranges::any_of(by, [&](const MountOption& option) { return replaces(option, other); });
  });
  options.insert(options.end(), by.begin(), by.end());
}

std::string text_of(const std::vector<MountOption>& options) {
  std::string text;
  for (const MountOption& option : options)
    text +=
        fmt::format("{}{}{}{}", text.empty() ? "" : ",", option.name, option.value.empty() ? "" : "=", option.value);
  return text;
}

}  // namespace

std::vector<Tuning> factor_tunings(const std::string& base, const std::vector<std::string>& factors,
                                   const std::vector<std::uint32_t>& combinations) {
  check_tuning_options(base, "--base");
  std::vector<Factor> all;
  for (const std::string& text : factors) all.push_back(factor_of(text));
  check_different(all);
  const auto tuning_of = [&](std::uint32_t levels) {
    Tuning tuning;
    std::vector<MountOption> options = *parse_mount_options(base);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((levels >> i & 1U) == 0) continue;
      tuning.name += (tuning.name.empty() ? "" : " + ") + all[i].text;
      replace_options(options, all[i].options);
      if (all[i].sysctls) tuning.sysctls = recommended_sysctls();
      if (all[i].read_ahead_kib) tuning.read_ahead_kib = all[i].read_ahead_kib;
    }
    if (tuning.name.empty()) tuning.name = "base";
    tuning.options = text_of(options);
    return tuning;
  };
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!same_tuning(tuning_of(1U << i), {tuning_of(0)}).empty())
      throw usage_error("--factor",
                        fmt::format("'{}' sets what is set without it: it cannot have an effect", all[i].text));
  std::vector<Tuning> tunings;
  std::ranges::transform(combinations, std::back_inserter(tunings), tuning_of);
  return tunings;
}

}  // namespace edagen
