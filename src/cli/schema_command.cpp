#include <fmt/format.h>

#include <iostream>

#include "base/embedded.hpp"
#include "cli/commands.hpp"
#include "edagen/exit_status.hpp"
#include "nights/night_json.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

/// By the name that stands in documents: "edagen.NAME/1".
std::string schema_text(const std::string& name) {
  if (name == "result") return dumped(schema_of<Result>(), 2) + "\n";
  if (name == "compare") return dumped(schema_of<ComparisonResult>(), 2) + "\n";
  if (name == "night") return dumped(schema_of<Night>(), 2) + "\n";
  if (name == "check") return dumped(schema_of<NightJudgement>(), 2) + "\n";
  return std::string(embedded_file(fmt::format("workloads/schema/{}.schema.json", name)));
}

}  // namespace

void add_schema_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("schema", "Print the JSON Schema of a file that edagen writes or reads");
  const auto name = std::make_shared<std::string>();
  command
      ->add_option("NAME", *name,
                   "Of what edagen writes: result, compare, night or check; of what it reads: workload, volume, "
                   "tunings or nightly")
      ->required()
      ->check(CLI::IsMember({"result", "compare", "night", "check", "workload", "volume", "tunings", "nightly"}));
  line.does(*command, [name] {
    std::cout << schema_text(*name);
    return exit_status::done;
  });
}

}  // namespace edagen
