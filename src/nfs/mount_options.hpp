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

/// The value of the last `name`, which counts; empty when it has none, nullopt when it is not there.
std::optional<std::string> option_value(const std::string& options, const char* name);

/// The version of NFS that they name, as vers=4.1, nfsvers=4.1, v4.1 or vers=4,minorversion=1 do: "4.1". The last one
/// counts. Empty when they name none.
std::string nfs_version(const std::string& options);

/// Those that should be equal on mounts that are to behave alike, sorted: without the addresses of server and client,
/// and without what concerns the server's mount service alone, whose port is another one after each of its restarts.
std::string comparable_options(const std::string& options);

/// How comparable_options() differ from those of another mount: "rsize=65536 in place of rsize=1048576", "nocto
/// added, noac missing"; empty: they do not.
std::string option_difference(const std::string& options, const std::string& others);

/// The number that the value starts with.
std::optional<long> option_number(const std::string& options, const char* name);

}  // namespace edagen
