// What an EDA storage engineer would say about NFS mounts and the client's settings, before any run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "nfs/mountstats.hpp"

namespace edagen {

/// Settings of the client. Values are as the kernel prints them, blanks made single.
struct ClientSettings {
  std::map<std::string, std::string> sysctls;  ///< "net.core.rmem_max" -> "16777216"; only those that exist
  std::map<std::string, int> read_ahead_kib;   ///< by mount point
  bool clock_synchronised = true;
};

/// The sysctls used with published EDA results (Azure NetApp Files training unit "benchmark results"); those that newer
/// kernels no longer have are left out.
const std::map<std::string, std::string>& recommended_sysctls();

/// The settings of this machine, with the read-ahead of these mounts. No call goes to a server, which may not answer.
ClientSettings read_client_settings(const std::vector<NfsMountStats>& mounts);

/// Whether a mount has as many connections as its options ask for: nconnect to the first address of its server, and
/// with session trunking (max_connect) one to each further address.
bool has_asked_connections(const std::string& options, std::size_t connections);

/// Warnings, each one line that names the mount or the setting, what loses data or measures something else first; empty
/// when there is nothing to say.
std::vector<std::string> mount_advice(const std::vector<NfsMountStats>& mounts, const ClientSettings& settings);

/// The sysctls that are not those of published EDA results, a line for each: hints, as most hosts have others.
std::vector<std::string> sysctl_advice(const ClientSettings& settings);

}  // namespace edagen
