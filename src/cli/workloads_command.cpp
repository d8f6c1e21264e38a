#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <sstream>
#include <vector>

#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/fio_words.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "edagen/units.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"
#include "result/result_json.hpp"
#include "session/outputs.hpp"
#include "session/session_watch.hpp"
#include "workload/fio_job.hpp"
#include "workload/fio_refusals.hpp"
#include "workload/moved_bytes.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

std::string rate_text(const WorkloadSpec& workload) {
  return workload.closed_loop() ? "max" : format_count(workload.ops_per_sec_per_job_set());
}

int list() {
  TextTable table({"name", "phase", "procs", "ops/s", "dataset per job set"}, {0, 1});
  std::vector<std::string> descriptions = {""};
  for (const std::string& name : builtin_workload_names()) {
    const WorkloadSpec workload = load_workload(name);
    double bytes = 0;
    for (const ProcSpec& kind : workload.proc_kinds) bytes += kind.dataset.bytes() * kind.procs_per_job_set;
    descriptions.push_back(one_line(workload.description.substr(0, workload.description.find_first_of(".:"))));
    table.add({name, workload.phase, std::to_string(workload.procs_per_job_set()), rate_text(workload),
               format_bytes(static_cast<Bytes>(bytes))});
  }
  std::istringstream rows(table.str());
  std::string row;
  for (const std::string& what : descriptions) {
    std::getline(rows, row);
    std::cout << row << "\n" << (what.empty() ? "" : wrapped("    " + what, 4));
  }
  return exit_status::done;
}

/// The op shares, and what the ops move.
std::string ops_text(const WorkloadSpec& workload) {
  TextTable table({"op", "share %", "KiB per op"});
  const OpWeights shares = workload.op_shares();
  const MovedBytes moved = moved_bytes(workload);
  const auto kib = [](double bytes) { return fmt::format("{:.1f}", bytes / KiB); };
  for (const OpKind kind : all_op_kinds()) {
    const auto i = static_cast<std::size_t>(kind);
    if (shares[i] > 0)
      table.add({std::string(to_string(kind)), fmt::format("{:.2f}", 100 * shares[i]),
                 moved.per_op[i] > 0 ? kib(moved.per_op[i]) : ""});
  }
  table.add({"all", fmt::format("{:.2f}", 100.0), kib(moved.of_all)});
  return table.str(2);
}

/// Whether the shares of kinds of procs are known: not when one of several goes as fast as it can.
bool has_shares(const WorkloadSpec& workload) { return workload.proc_kinds.size() == 1 || !workload.closed_loop(); }

/// The table of the whole workload, or of each kind of procs.
std::string mixes_text(const WorkloadSpec& workload) {
  if (has_shares(workload)) return ops_text(workload);
  std::string text;
  for (const ProcSpec& kind : workload.proc_kinds) {
    WorkloadSpec alone = workload;
    alone.proc_kinds = {kind};
    text += fmt::format(
        "{}: {}, {}\n{}", one_line(kind.name), counted(static_cast<std::uint64_t>(kind.procs_per_job_set), "proc"),
        kind.closed_loop ? "as fast as the storage answers" : format_count(kind.ops_per_sec) + " ops/s each",
        ops_text(alone));
  }
  return text;
}

/// How each kind of procs does its I/O, a line each; "" where all of them do one op at a time, buffered and without
/// fsync.
std::string io_lines(const WorkloadSpec& workload) {
  const auto is_plain = [](const ProcSpec& kind) {
    return kind.io.depth == 1 && !kind.io.direct && kind.io.fsync == FsyncWhen::none;
  };
  if (std::ranges::all_of(workload.proc_kinds, is_plain)) return "";
  std::string text;
  for (const ProcSpec& kind : workload.proc_kinds)
    text += fmt::format("{}: {}, {}{}\n", one_line(kind.name),
                        kind.io.depth > 1 ? fmt::format("I/O depth {}", kind.io.depth) : "one op at a time",
                        kind.io.direct ? "O_DIRECT" : "buffered",
                        kind.io.fsync == FsyncWhen::none ? "" : fmt::format(", fsync at {}", to_string(kind.io.fsync)));
  return text;
}

/// The kinds of procs that share files, a line each, and what that does to counts.
std::string sharing_text(const WorkloadSpec& workload) {
  std::string text;
  for (const ProcSpec& kind : workload.proc_kinds) {
    if (kind.shared_files.by == SharedBy::none) continue;
    const bool can_lose =
        kind.removes_data_files() || kind.weight(OpKind::write_file) > 0 || kind.weight(OpKind::lock) > 0;
    text += fmt::format("{}: the procs of {} share {}{}{}\n", one_line(kind.name),
                        kind.shared_files.by == SharedBy::client ? "a client" : "all clients",
                        counted(kind.dataset.data_files, "data file"),
                        kind.shared_files.set.empty() ? "" : " in the set " + kind.shared_files.set,
                        can_lose ? "; an op that finds another proc at its file counts as done (lost_races)" : "");
  }
  return text;
}

int show_workload(const std::string& name) {
  std::cout << builtin_workload_text(name) << std::flush;
  const WorkloadSpec workload = load_workload(name);
  std::cerr << fmt::format("\nThe op mix of {}, and what its ops move:\n{}{}", name, mixes_text(workload),
                           io_lines(workload));  // not on stdout, which makes a file
  return exit_status::done;
}

int validate(const std::string& file) {
  const WorkloadSpec workload = load_workload(file);
  std::cout << fmt::format("{}: valid; a job set is {}, {}\n", one_line(file),
                           counted(static_cast<std::uint64_t>(workload.procs_per_job_set()), "proc"),
                           workload.closed_loop() ? "as fast as the storage answers" : rate_text(workload) + " ops/s")
            << mixes_text(workload) << io_lines(workload) << sharing_text(workload);
  return exit_status::done;
}

/// What `import-fio` is given.
struct FioSource {
  std::string first_word;               ///< a job file, or the first word of fio's command line
  std::vector<std::string> more_words;  ///< more job files, or what stands behind --
  std::vector<std::string> jobs;        ///< --job; empty: all
};

struct FioJobs {
  std::vector<FioSection> sections;
  std::string where;               ///< in errors: the job file, or "fio"
  std::vector<std::string> files;  ///< that were read
  std::string client;              ///< hosts that fio's --client names; "" without
};

FioHost host_of_fio() {
  FioHost host;
  host.has_file = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
  };
  host.variable = [](const std::string& name) { return std::getenv(name.c_str()); };
  const auto positive = [](long value) { return value > 0 ? static_cast<std::uint64_t>(value) : 1; };
  host.cpus = positive(sysconf(_SC_NPROCESSORS_ONLN));
  host.page_bytes = positive(sysconf(_SC_PAGESIZE));
  host.memory_mb = positive(sysconf(_SC_PHYS_PAGES)) * host.page_bytes / static_cast<std::uint64_t>(MiB);
  return host;
}

/// Reads the job files. What stands on the command line before the first job is what the sections of the first file
/// begin with. Throws Error (usage).
FioJobs fio_jobs(const FioSource& source) {
  FioHost host = host_of_fio();
  std::vector<std::string> included;
  host.read_file = [&](const std::string& path) {
    included.push_back(path);
    return read_text_file(path, largest_definition);
  };
  std::vector<std::string> words = {source.first_word};
  words.insert(words.end(), source.more_words.begin(), source.more_words.end());
  FioCommandLine line = fio_command_line(words, host);
  FioJobs jobs{std::move(line.sections), line.files.empty() ? "fio" : line.files.front(), line.files, line.client};
  for (const std::string& file : line.files) {
    std::vector<FioSection> sections =
        fio_file_sections(read_text_file(file, largest_definition), file, host,
                          &file == &line.files.front() ? line.global : std::map<std::string, FioWord>());
    sections.front().begins_group = &file != &line.files.front();
    jobs.sections.insert(jobs.sections.end(), sections.begin(), sections.end());
  }
  jobs.files.insert(jobs.files.end(), included.begin(), included.end());
  if (jobs.sections.empty())
    throw usage_error("import-fio", "no job file, and no job among the words of fio's command line",
                      "import-fio JOBFILE, or import-fio -- --name=a --rw=randread --size=1g");
  line.jobs.insert(line.jobs.end(), source.jobs.begin(), source.jobs.end());
  jobs.sections = chosen_jobs(std::move(jobs.sections), line.jobs, jobs.where);
  for (const FioSection& section : jobs.sections) {
    static const std::set<std::string> writing = {"write", "rw", "readwrite", "randwrite", "randrw"};
    const FioWord* const rw = section.find("rw");
    if (line.is_readonly && rw != nullptr && writing.contains(rw->text().substr(0, rw->text().find(':'))))
      rw->refuse(fmt::format("'{}' writes, which fio refuses with --readonly", rw->text()));
  }
  return jobs;
}

/// Prints what `step` refuses, each option on its line, and throws the last of them.
auto with_all_refusals(const auto& step) {
  try {
    return step();
  } catch (const FioRefusals& refusals) {
    const std::vector<Error>& all = refusals.all();
    for (std::size_t i = 0; i + 1 < all.size(); ++i) spdlog::error("{}", all[i].what());
    throw Error(all.back());
  }
}

int convert_fio(const FioSource& source, const std::string& output, const LoggingOptions& logging) {
  Console console(logging, output == "-");
  SessionWatch watch(console.sink());
  const FioJobs jobs = with_all_refusals([&] { return fio_jobs(source); });
  check_places({{"--output", output}}, jobs.files, {}, watch);
  const FioImport import = with_all_refusals([&] {
    return import_fio(jobs.sections, jobs.where, "--job NAME takes one, or several when given more than once");
  });
  parse_workload(nlohmann::json(import.workload), jobs.where);  // throws unless the workload is valid
  for (const FioNote& note : import.notes) spdlog::warn("{}", one_line(text_of(note)));
  if (!jobs.client.empty()) spdlog::warn("{}", one_line(client_text(jobs.client)));
  write_text({"--output", output}, dumped(import.workload, 2) + "\n");
  spdlog::info("run it with: {}", one_line(command_for(import, output == "-" ? "FILE.json" : output), 1000));
  return exit_status::done;
}

}  // namespace

void add_workloads_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand("workloads", "List, show, check or import workload definitions");
  command->require_subcommand(0, 1);
  command->callback([&line, command] {
    if (command->get_subcommands().empty()) line.chosen = list;
  });
  line.does(*command->add_subcommand("list", "The built-in workloads"), list);

  const auto name = std::make_shared<std::string>();
  CLI::App* const shown = command->add_subcommand(
      "show", "Print a built-in workload's file, to start your own from, and on stderr the KiB that its ops move");
  OptionGroup(*shown).text("NAME", *name, "")->required();
  line.does(*shown, [name] { return show_workload(*name); });
  CLI::App* const check = command->add_subcommand(
      "validate", "Check a workload file and print its op shares, what they move, and its I/O depth");
  OptionGroup(*check).text("FILE", *name, "")->required();
  line.does(*check, [name] { return validate(*name); });

  const auto source = std::make_shared<FioSource>();
  const auto output = std::make_shared<std::string>("-");
  const auto logging = std::make_shared<LoggingOptions>();
  CLI::App* const from_fio =
      command->add_subcommand("import-fio", "Turn a fio job file, or fio's command line, into a workload file");
  // What stands behind -- are words of two positionals, since CLI11 takes none there for one that has its first word.
  OptionGroup group(*from_fio);
  group.text("JOBFILE", source->first_word, "A job file, or behind -- the first word of fio's command line")
      ->required();
  from_fio->add_option("WORDS", source->more_words,
                       "The other words of it: import-fio -- --name=a --rw=randread --size=1g");
  group.texts("--job NAME", source->jobs, "Take this job alone, or these if given more than once; default: all")
      ->take_all();
  group.text("--output FILE", *output, "Where to write the workload; - is stdout");
  logging->add_to(*from_fio);
  line.does(*from_fio, [source, output, logging] {
    logging->apply();
    return convert_fio(*source, *output, *logging);
  });
}

}  // namespace edagen
