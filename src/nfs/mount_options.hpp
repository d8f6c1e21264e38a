// Mount options in one text, comma-separated, read as mount(8) reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace edagen {

struct MountOption {
  std::string name;
  std::string value;  ///< empty for one without
};

/// Empty ones are left out. nullopt when libmount cannot read on: what follows is not known then.
std::optional<std::vector<MountOption>> parse_mount_options(const std::string& options);

/// `name` is there, with a value or without.
bool has_option(const std::string& options, const char* name);

/// The value of the first `name`, empty when it has none; nullopt when it is not there.
std::optional<std::string> option_value(const std::string& options, const char* name);

/// Those that should be equal on mounts that are to behave alike, sorted: without addresses and ports.
std::string comparable_options(const std::string& options);

/// The number that the value starts with.
std::optional<long> option_number(const std::string& options, const char* name);

}  // namespace edagen
