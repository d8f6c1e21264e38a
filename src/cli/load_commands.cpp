// run and curve: make a load, measure it, report it.
#include "cli/carry_out.hpp"
#include "cli/commands.hpp"
#include "cli/load_plan.hpp"

namespace edagen {
namespace {

void add_load_command(CommandLine& line, LoadCommand::Kind kind, const char* name, const char* description) {
  CLI::App* const command = line.app.add_subcommand(name, description);
  const auto options = std::make_shared<LoadCommand>(kind);
  options->add_to(*command);
  const auto measure = [&line, options] { return carry_out(options->plan(line.arguments), options->load, line.hosts); };
  line.does(*command, measure, true);
}

}  // namespace

void add_load_commands(CommandLine& line) {
  add_load_command(line, LoadCommand::Kind::run, "run", "Run a load and measure it (the default command)");
  add_load_command(line, LoadCommand::Kind::curve, "curve",
                   "Measure latency over op rate, and find the op rate at a latency target");
}

}  // namespace edagen
