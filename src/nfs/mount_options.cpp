#include "nfs/mount_options.hpp"

#include <fmt/ranges.h>
#include <libmount/libmount.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

namespace edagen {

std::optional<std::vector<MountOption>> parse_mount_options(const std::string& options) {
  std::vector<MountOption> all;
  // libmount moves the pointer on and changes nothing.
  char* rest = const_cast<char*>(options.c_str());
  char *name = nullptr, *value = nullptr;
  std::size_t name_size = 0, value_size = 0;
  int status = 0;
  while ((status = ::mnt_optstr_next_option(&rest, &name, &name_size, &value, &value_size)) == 0)
    all.push_back({{name, name_size}, {value == nullptr ? "" : value, value_size}});
  if (status < 0) return std::nullopt;
  return all;
}

std::optional<std::string> option_value(const std::string& options, const char* name) {
  std::optional<std::string> last;
  for (MountOption& option : parse_mount_options(options).value_or(std::vector<MountOption>{}))
    if (option.name == name) last = std::move(option.value);
  return last;
}

bool has_option(const std::string& options, const char* name) { return option_value(options, name).has_value(); }

std::string nfs_version(const std::string& options) {
  std::string version, minor;
  for (const auto& [name, value] : parse_mount_options(options).value_or(std::vector<MountOption>{})) {
    if (name == "vers" || name == "nfsvers") version = value;
    else if (name == "minorversion") minor = value;
    else if (name.size() > 1 && name[0] == 'v' && std::isdigit(static_cast<unsigned char>(name[1])))
      version = name.substr(1);
  }
  return version == "4" && !minor.empty() ? version + "." + minor : version;
}

namespace {

std::set<std::string> comparable(const std::string& options) {
  static const std::set<std::string> left_out = {"addr",      "clientaddr", "mountaddr",
                                                 "mountport", "mountproto", "mountvers"};
  std::set<std::string> kept;
  for (const auto& [name, value] : parse_mount_options(options).value_or(std::vector<MountOption>{}))
    if (!left_out.contains(name)) kept.insert(name + (value.empty() ? "" : "=") + value);
  return kept;
}

}  // namespace

std::string comparable_options(const std::string& options) {
  return fmt::format("{}", fmt::join(comparable(options), ","));
}

std::string option_difference(const std::string& options, const std::string& others) {
  const auto name_of_option = [](const std::string& option) { return option.substr(0, option.find('=')); };
  const std::set<std::string> here = comparable(options), there = comparable(others);
  std::vector<std::string> differences;
  for (const std::string& option : here) {
    if (there.contains(option)) continue;
    const std::string name = name_of_option(option);
    const auto other = std::ranges::find(there, name, name_of_option);
    differences.push_back(other == there.end() ? option + " added" : fmt::format("{} in place of {}", option, *other));
  }
  for (const std::string& option : there)
    if (std::ranges::find(here, name_of_option(option), name_of_option) == here.end())
      differences.push_back(option + " missing");
  return fmt::format("{}", fmt::join(differences, ", "));
}

std::optional<long> option_number(const std::string& options, const char* name) {
  const std::string value = option_value(options, name).value_or("");
  long number = 0;
  if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc()) return std::nullopt;
  return number;
}

}  // namespace edagen
