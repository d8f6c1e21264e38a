#include <iostream>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_group.hpp"
#include "cli/options.hpp"
#include "cli/signals.hpp"
#include "report/staleness_text.hpp"

namespace edagen {

void add_staleness_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "staleness", "Measure how often and for how long one NFS mount shows data that another has replaced");
  struct Options {
    StalenessPlan plan;
    Nanos stuck_after = std::chrono::seconds(30);
  };
  const auto options = std::make_shared<Options>();
  OptionGroup group(*command);
  group.text("--writer DIR", options->plan.writer, "A directory on one mount of the export")->required();
  group.text("--reader DIR", options->plan.reader, "The same directory on another mount of it (nosharecache)")
      ->required();
  group.duration("--duration", options->plan.duration, Nanos(0), "Time that is measured");
  group.duration("--stuck-after", options->stuck_after, least_stuck_after,
                 "Name a call that has not returned after this time");
  line.does(*command, [options] {
    Console console({}, false);
    const SignalWatch signals;
    std::cout << staleness_text(Session(console.sink(), signals.token(), options->stuck_after).run(options->plan));
    return signals.token().stop_requested() ? exit_status::interrupted : exit_status::done;
  });
}

}  // namespace edagen
