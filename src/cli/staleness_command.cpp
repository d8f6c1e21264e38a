#include <iostream>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_checks.hpp"
#include "cli/options.hpp"
#include "cli/signals.hpp"
#include "edagen/units.hpp"
#include "report/comparison_text.hpp"

namespace edagen {

void add_staleness_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "staleness", "Measure how often and for how long one NFS mount shows data that another has replaced");
  struct Options {
    std::string writer, reader, duration = "5s", stuck_after = "30s";
  };
  const auto options = std::make_shared<Options>();
  command->add_option("--writer", options->writer, "A directory on one mount of the export")
      ->transform(not_empty())
      ->required();
  command->add_option("--reader", options->reader, "The same directory on another mount of it (nosharecache)")
      ->transform(not_empty())
      ->required();
  command->add_option("--duration", options->duration, "Time that is measured")
      ->transform(a_duration())
      ->capture_default_str();
  command->add_option("--stuck-after", options->stuck_after, "Name a call that has not returned after this time")
      ->transform(a_duration())
      ->capture_default_str();
  command->callback([&line, options] {
    line.chosen = [options] {
      const StalenessPlan plan{options->writer, options->reader, parse_duration(options->duration, "--duration")};
      Console console({}, false);
      const Nanos stuck_after = stuck_after_time(options->stuck_after);
      const SignalWatch signals;
      std::cout << staleness_text(Session(console.sink(), signals.token(), stuck_after).run(plan));
      return signals.token().stop_requested() ? exit_status::interrupted : exit_status::done;
    };
  });
}

}  // namespace edagen
