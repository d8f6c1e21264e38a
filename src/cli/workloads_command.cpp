#include <fmt/format.h>

#include <iostream>

#include "commands.hpp"
#include "edagen/report/text_table.hpp"
#include "edagen/workload/workload_file.hpp"
#include "exit_status.hpp"

namespace edagen {
namespace {

int list() {
  TextTable table({"name", "phase", "procs", "ops/s", "files per job set", "description"});
  for (const std::string& name : builtin_workload_names()) {
    const WorkloadSpec workload = load_workload(name);
    double bytes = 0;
    for (const ProcSpec& kind : workload.proc_kinds) bytes += kind.dataset.bytes() * kind.procs_per_job_set;
    std::string what = workload.description.substr(0, workload.description.find_first_of(".:"));
    table.add({workload.name, workload.phase, std::to_string(workload.procs_per_job_set()),
               format_count(workload.ops_per_sec_per_job_set()), format_bytes(static_cast<Bytes>(bytes)), what});
  }
  std::cout << table.str();
  return exit_status::done;
}

int validate(const std::string& file) {
  const WorkloadSpec workload = load_workload(file);
  std::cout << fmt::format("{}: valid; a job set is {} procs and {} ops/s\n", file, workload.procs_per_job_set(),
                           format_count(workload.ops_per_sec_per_job_set()));
  TextTable table({"op", "share %"});
  const OpWeights shares = workload.op_shares();
  for (const OpKind kind : all_op_kinds())
    if (const double share = shares[static_cast<std::size_t>(kind)]; share > 0)
      table.add({std::string(to_string(kind)), fmt::format("{:.2f}", 100 * share)});
  std::cout << table.str(2);
  return exit_status::done;
}

}  // namespace

void add_workloads_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand("workloads", "List, show or check workload definitions");
  command->require_subcommand(0, 1);
  command->callback([&line, command] {
    if (command->get_subcommands().empty()) line.chosen = list;
  });
  command->add_subcommand("list", "The built-in workloads")->callback([&line] { line.chosen = list; });

  const auto name = std::make_shared<std::string>();
  CLI::App* const show = command->add_subcommand("show", "Print a built-in workload's file, to start your own from");
  show->add_option("NAME", *name)->required();
  show->callback([&line, name] {
    line.chosen = [name] {
      std::cout << builtin_workload_text(*name);
      return exit_status::done;
    };
  });
  CLI::App* const check = command->add_subcommand("validate", "Check a workload file and print its op shares");
  check->add_option("FILE", *name)->required();
  check->callback([&line, name] { line.chosen = [name] { return validate(*name); }; });
}

}  // namespace edagen
