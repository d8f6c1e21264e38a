#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "edagen/nfs_url.hpp"
#include "nfs/mount_info.hpp"
#include "session/dataset_removal.hpp"
#include "session/fresh_directory.hpp"
#include "session/session_watch.hpp"

namespace edagen {

void add_clean_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("clean", "Remove datasets that edagen made, and nothing else in them");
  struct Places {
    std::vector<std::string> mounts, urls;
    LoggingOptions logging;
  };
  const auto places = std::make_shared<Places>();
  OptionGroup group(*command);
  group.texts("--mount DIR", places->mounts, "Directory whose dataset is to be removed (repeatable)");
  group.parsed_each(
      "--target URI", [places](const std::string& text) { places->urls.push_back(parse_nfs_url(text, "").text); },
      "nfs://HOST/EXPORT whose dataset is to be removed (repeatable)");
  places->logging.add_to(*command);
  line.does(*command, [places] {
    if (places->mounts.empty() && places->urls.empty())
      throw usage_error("clean", "names no volume", "--mount DIR or --target nfs://HOST/EXPORT");
    places->logging.apply();
    Console console(places->logging, false);
    SessionWatch watch(console.sink());
    if (!places->mounts.empty()) {
      StuckWatch::Thread self(watch);
      self.call_started("looking at", fmt::format("{}", fmt::join(places->mounts, ", ")));
      check_mounts(places->mounts);  // all of them, before anything is removed
    }
    std::vector<std::string> all = places->mounts;
    all.insert(all.end(), places->urls.begin(), places->urls.end());
    for (const std::string& place : all) check_dataset_at(place, watch);
    for (const std::string& place : all) {
      const bool was_there = remove_dataset_at(place, watch);
      if (was_there && !is_nfs_url(place)) remove_fresh_directory(place);
      spdlog::info("{}: {}", place, was_there ? "dataset removed" : "there is no dataset");
    }
    return exit_status::done;
  });
}

}  // namespace edagen
