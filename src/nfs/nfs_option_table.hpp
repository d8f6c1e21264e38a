// The options of an NFS mount: their values, and which of them set the same.
#pragma once

#include <map>
#include <set>
#include <string>

#include "nfs/mount_options.hpp"

namespace edagen {

/// The options of nfs(5) and of the kernel's NFS client, and those of mount(8) that it takes for every file system.
const std::set<std::string>& nfs_option_names();

/// What is wrong with the value of an option that is one of nfs_option_names(): "a number from 1 to 16 is needed".
/// Empty: nothing.
std::string wrong_value(const MountOption& option);

/// Options that set the same in other words, as tcp and proto=udp do, share a setting: "proto". The last of two
/// with the same setting counts, but minorversion adds to vers.
std::string setting_of(const std::string& name);

/// What options set, by setting: equal for options with which a mount is the same. Left out are values that the kernel
/// has without an option, and options that change nothing once it is mounted.
std::map<std::string, std::string> settings_in_force(const std::string& options);

/// The times for which attributes are cached, all of which actimeo sets: acregmin, acregmax, acdirmin, acdirmax.
const std::set<std::string>& attribute_times();

}  // namespace edagen
