#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "edagen/units.hpp"
#include "nfs/mount_advice.hpp"
#include "nfs/mount_info.hpp"
#include "nfs/mount_options.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"

namespace edagen {
namespace {

std::string option_text(const NfsMountStats& mount, const char* option) {
  const auto value = option_number(mount.options, option);
  return value ? std::to_string(*value) : "-";
}

/// A mount of the mount table that is missing from the counters.
std::string not_counted(const std::string& mount_point) {
  return fmt::format("is on NFS ({}), and /proc/self/mountstats cannot be read or does not list it", mount_point);
}

int show_mounts(const std::vector<std::string>& directories, bool verbose) {
  std::vector<MountInfo> asked;
  for (const std::string& directory : directories) asked.push_back(mount_info_of(directory));
  std::vector<NfsMountStats> mounts = in_force(read_mountstats());  // after an automounter has mounted
  if (!directories.empty()) {
    std::vector<NfsMountStats> chosen;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const auto found = std::ranges::find(mounts, asked[i].mount_point, &NfsMountStats::mount_point);
      if (!asked[i].is_nfs())
        throw usage_error(directories[i],
                          fmt::format("is on {} ({}), not on NFS", asked[i].mount_point, asked[i].fstype));
      if (found == mounts.end()) throw usage_error(directories[i], not_counted(asked[i].mount_point));
      if (std::ranges::count(chosen, found->mount_point, &NfsMountStats::mount_point) == 0) chosen.push_back(*found);
    }
    mounts = std::move(chosen);
  }
  if (mounts.empty()) {
    const std::vector<MountInfo> table = read_mountinfo();
    for (const MountInfo& mount : table)
      if (mount.is_nfs() && mount_at(mount.mount_point, table) == &mount)
        throw usage_error(mount.mount_point, not_counted(mount.mount_point));
    std::cout << "There are no NFS mounts.\n";
    return exit_status::done;
  }
  TextTable table({"mount", "server:export", "version", "connections", "rsize", "wsize", "attr. s"}, {0, 1});
  for (const NfsMountStats& mount : mounts)
    table.add({mount.mount_point, mount.source, mount.version(), std::to_string(mount.connections.size()),
               option_text(mount, "rsize"), option_text(mount, "wsize"),
               fmt::format("{}-{}", option_text(mount, "acregmin"), option_text(mount, "acregmax"))});
  std::cout << table.str() << "attr. s: seconds for which attributes of files are cached\n";
  for (const NfsMountStats& mount : mounts)
    std::cout << wrapped(fmt::format("{}: {}", one_line(mount.mount_point), one_line(mount.options, 4000)), 4);
  const ClientSettings settings = read_client_settings(mounts);
  for (const std::string& line : mount_advice(mounts, settings)) std::cout << wrapped("! " + one_line(line, 4000), 2);
  const std::vector<std::string> sysctls = sysctl_advice(settings);
  if (!sysctls.empty())
    std::cout << fmt::format("{} other than with published EDA results{}\n",
                             counted(sysctls.size(), "sysctl") + (sysctls.size() == 1 ? " is" : " are"),
                             verbose ? ":" : " (-v lists them)");
  for (const std::string& line : verbose ? sysctls : std::vector<std::string>()) std::cout << wrapped("  " + line, 4);
  return exit_status::done;
}

}  // namespace

void add_mounts_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("mounts", "List NFS mounts: server, version, options in force, connections, warnings");
  struct Options {
    std::vector<std::string> directories;
    bool verbose = false;
  };
  const auto options = std::make_shared<Options>();
  OptionGroup group(*command);
  group.texts("DIR", options->directories, "List only the mounts of these directories");
  group.flag("-v,--verbose", options->verbose, "List the sysctls that differ from those of published EDA results");
  line.does(*command, [options] { return show_mounts(options->directories, options->verbose); });
}

}  // namespace edagen
