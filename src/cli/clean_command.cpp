#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <thread>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_group.hpp"
#include "dataset/dataset_builder.hpp"
#include "edagen/exit_status.hpp"
#include "nfs/mount_info.hpp"
#include "session/run_site.hpp"
#include "session/session_watch.hpp"

namespace edagen {

void add_clean_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand("clean", "Remove datasets that edagen made");
  const auto mounts = std::make_shared<std::vector<std::string>>();
  const auto logging = std::make_shared<LoggingOptions>();
  OptionGroup(*command)
      .texts("--mount DIR", *mounts, "Directory whose dataset is to be removed (repeatable)")
      ->required();
  logging->add_to(*command);
  command->callback([&line, mounts, logging] {
    line.chosen = [mounts, logging] {
      logging->apply();
      Console console(*logging, false);
      SessionWatch watch(console.sink());
      StuckWatch::Thread self(watch);
      self.call_started("looking at", fmt::format("{}", fmt::join(*mounts, ", ")));
      const std::vector<MountDirectory> directories = check_mounts(*mounts);
      self.pause();
      for (const MountDirectory& mount : directories) {
        const bool was_there =
            remove_dataset(dataset_place(mount), std::size_t{2} * std::thread::hardware_concurrency(), watch);
        spdlog::info("{}: {}", mount.path, was_there ? "dataset removed" : "there is no dataset");
      }
      return exit_status::done;
    };
  });
}

}  // namespace edagen
