#include "cli/main.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/options.hpp"
#include "cli/stdout_stream.hpp"
#include "cli/words_error.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "hosts/mpi_launch.hpp"

namespace edagen {
namespace {

/// `edagen --phase mixed` is `edagen run --phase mixed`, `edagen help curve` is `edagen curve --help`.
std::vector<std::string> with_default_command(const CLI::App& app, std::vector<std::string> words) {
  static const std::vector<std::string> of_the_program = {"-h", "--help", "--help-all", "--version"};
  if (words.size() < 2) return words;
  if (words[1] == "version" && words.size() == 2) words[1] = "--version";
  if (words[1] == "help") {
    words.erase(words.begin() + 1);
    const auto is_next = [&](const CLI::App* command) { return words.size() > 1 && command->check_name(words[1]); };
    if (words.size() == 1 || !app.get_subcommands(is_next).empty()) words.emplace_back("--help");
  }
  const bool asks = std::find(of_the_program.begin(), of_the_program.end(), words[1]) != of_the_program.end();
  if (words[1].starts_with('-') && !asks) words.insert(words.begin() + 1, "run");
  return words;
}

/// Help behind a word that is no command would hide that there is no such command: without it.
std::vector<std::string> without_help_of_no_command(const CLI::App& app, std::vector<std::string> words) {
  if (words.size() > 1 && words[1] == "version") return words;  // a word for --version
  const CLI::App* at = &app;
  for (std::size_t i = 1; i < words.size() && !words[i].starts_with('-'); ++i) {
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty()) break;
    const auto next =
        std::ranges::find_if(commands, [&](const CLI::App* command) { return command->check_name(words[i]); });
    if (next == commands.end()) {
      std::erase_if(words,
                    [](const std::string& word) { return word == "-h" || word == "--help" || word == "--help-all"; });
      break;
    }
    at = *next;
  }
  return words;
}

/// CLI11 takes the next word for the value of `--html=`: where a script's variable is empty, `report --html=$PAGE
/// a.json b.json` would write the page over a.json.
void refuse_empty_values(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return;
    if (word.starts_with("--") && word.find('=') == word.size() - 1)
      throw usage_error(word.substr(0, word.size() - 1), "is empty");
  }
}

void say(const std::string& message) { std::cerr << "edagen: " << one_line(message, 1500) << "\n"; }

bool leads(const CommandLine& line) { return line.hosts == nullptr || line.hosts->leads(); }

/// The leading host prints the message for all hosts.
int refuse(CommandLine& line, const std::string& message) {
  line.error = message;
  if (leads(line)) say(message);
  return exit_status::usage;
}

/// Outputs go there by another way; where they find it so, they make std::cout bad.
bool nobody_reads(StdoutStream& out) {
  const int error = out.finish();
  return error == EPIPE || (error == 0 && std::cout.bad());
}

/// `status`, unless what was said did not reach stdout.
int when_said(CommandLine& line, StdoutStream& out, int status) {
  const int error = out.finish();
  if (error != 0) refuse(line, fmt::format("stdout: {}", std::strerror(error)));
  if (nobody_reads(out)) return exit_status::interrupted;
  return error == 0 || status == exit_status::interrupted ? status : exit_status::run_failed;
}

/// An error of the system, and which limit of this process it may come from.
std::string with_limit(int error, const std::string& what) {
  switch (error) {
    case EAGAIN: return "a thread cannot be started: " + what + " (ulimit -u limits processes, ulimit -v memory)";
    case EMFILE:
    case ENFILE: return "too few files can be open: " + what + " (ulimit -n limits open files)";
    case ENOMEM: return "too little memory: " + what + " (ulimit -v limits memory)";
    default: return what;
  }
}

/// The same of an error that names its place, and has the system's words alone.
std::string with_limit(const Error& error) {
  std::string what = error.what();
  for (const int of_system : {EMFILE, ENFILE})
    if (what.ends_with(std::strerror(of_system))) return what + " (ulimit -n limits open files)";
  return what;
}

int parse_and_run(CLI::App& app, CommandLine& line, StdoutStream& out) {
  if (leads(line) && !StdoutStream::is_open())  // before hours of a run whose table nobody would see
    return refuse(line, "stdout: is closed (send it to /dev/null if nobody is to read it)");
  try {
    std::vector<std::string> words = without_help_of_no_command(app, with_default_command(app, line.arguments));
    refuse_empty_values(words);
    std::reverse(words.begin() + 1, words.end());
    words.erase(words.begin());
    app.parse(std::move(words));
    if (!leads(line) && !line.on_all_hosts) return exit_status::done;
    if (!line.chosen) {
      std::cout << app.help();
      return when_said(line, out, exit_status::done);
    }
    return when_said(line, out, line.chosen());
  } catch (const CLI::Success& success) {
    return leads(line) ? when_said(line, out, app.exit(success)) : exit_status::done;
  } catch (const CLI::ParseError& error) {
    return refuse(line, words_error(app, error));
  } catch (const Error& error) {
    refuse(line, with_limit(error));
    if (error.kind() == Error::Kind::usage) return exit_status::usage;
    return nobody_reads(out) ? exit_status::interrupted : exit_status::run_failed;
  } catch (const std::filesystem::filesystem_error& error) {
    refuse(line, fmt::format("{}: {}", error.path1().string(), error.code().message()));
    return error.code().value() == ENAMETOOLONG ? exit_status::usage : exit_status::run_failed;
  } catch (const std::system_error& error) {
    refuse(line, with_limit(error.code().value(), error.what()));
    return exit_status::run_failed;
  } catch (const boost::system::system_error& error) {
    refuse(line, with_limit(error.code().value(), error.what()));
    return exit_status::run_failed;
  } catch (const std::bad_alloc&) {
    refuse(line, with_limit(ENOMEM, "no memory is left"));
    return exit_status::run_failed;
  } catch (const std::exception& error) {
    refuse(line, error.what());
    return exit_status::run_failed;
  }
}

/// One of stdin, stdout and stderr that is closed fails, as it should: else a file that is opened later got its number,
/// and what is said into it.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));  // it gets the lowest
}

/// With the processes that were started together with this one. nullopt: they could not be found, which was said.
std::optional<std::unique_ptr<Hosts>> started_with() {
  try {
    return join_hosts();
  } catch (const Error& error) {
    const auto launch = mpi_launch(environment_variable);
    // All processes of a launch whose size is known fail alike: rank 0 prints the error and ends, whereupon the
    // launcher ends the others.
    if (launch && launch->size > 0 && launch->rank != 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    else say(error.what());
    return std::nullopt;
  }
}

}  // namespace

int run_command_line(int argc, char** argv) {
  hold_closed_streams();
  ::signal(SIGXFSZ, SIG_IGN);  // beyond the limit of file sizes writes fail, as on a full disk
  ::signal(SIGPIPE, SIG_IGN);  // as they do where nobody reads
  StdoutStream out;
  CLI::App app(
      "EDA workload generator for shared file storage: how many file operations and MiB per second a volume "
      "gives chip-design jobs, and at which latency.",
      "edagen");
  app.set_version_flag("--version", fmt::format("edagen {}", program_version_and_commit));
  add_help(app);
  app.require_subcommand(0, 1);
  CommandLine line{app, std::vector<std::string>(argv, argv + argc), {}};
  add_load_commands(line);
  add_report_command(line);
  add_mounts_command(line);
  add_compare_command(line);
  add_check_command(line);
  add_nightly_command(line);
  add_history_command(line);
  add_staleness_command(line);
  add_workloads_command(line);
  add_clean_command(line);
  add_schema_command(line);
  add_completion_command(line);
  app.footer(
      "Exit status: 0 done, 1 the run failed, 2 usage or a bad file (nothing was\n"
      "touched), 3 a regression (check, nightly), 4 no load meets the latency target,\n"
      "5 measured but invalid (the reasons are in the result), 6 cannot tell (check,\n"
      "nightly), 130 interrupted, or the reader of stdout is gone; what was measured\n"
      "until then is kept.");
  LoggingOptions().apply();  // of commands without such options
  const auto hosts = started_with();
  if (!hosts) return exit_status::usage;
  line.hosts = hosts->get();
  int status = parse_and_run(app, line, out);
  if (line.hosts == nullptr) return status;
  const Hosts::End end = line.hosts->conclude(status, line.error);
  for (const std::string& error : end.errors) say(error);
  return end.status;
}

}  // namespace edagen
