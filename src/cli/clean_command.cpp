#include <spdlog/spdlog.h>

#include <thread>

#include "commands.hpp"
#include "edagen/dataset/dataset_builder.hpp"
#include "edagen/mounts/mount_info.hpp"
#include "exit_status.hpp"
#include "options.hpp"

namespace edagen {

void add_clean_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand("clean", "Remove datasets that edagen made");
  const auto mounts = std::make_shared<std::vector<std::string>>();
  const auto talk = std::make_shared<TalkOptions>();
  command->add_option("--mount", *mounts, "Directory that was given as --mount (repeatable)")->required();
  talk->add_to(*command);
  command->callback([&line, mounts, talk] {
    line.chosen = [mounts, talk] {
      talk->apply();
      for (const MountDirectory& mount : check_mounts(*mounts)) {
        const bool was_there = remove_dataset(mount.real, 2 * std::thread::hardware_concurrency());
        spdlog::info("{}: {}", mount.path, was_there ? "dataset removed" : "there is no dataset");
      }
      return exit_status::done;
    };
  });
}

}  // namespace edagen
