#include "cli/options.hpp"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/definition_file.hpp"
#include "cli/labels.hpp"
#include "cli/option_checks.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "result/result_json.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

/// A message, which may quote paths and names of whatever origin, on its one line.
class InertText final : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& to) override {
    const std::string text = one_line({message.payload.data(), message.payload.size()}, 4000);
    to.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<InertText>(); }
};

}  // namespace

void TalkOptions::add_to(CLI::App& app) {
  app.add_option("--progress", progress, "Show progress while running: auto (on a terminal), always, never")
      ->transform(one_of({"auto", "always", "never"}))
      ->group("Output");
  app.add_option("--color", color, "Colors in messages: auto (on a terminal), always, never")
      ->transform(one_of({"auto", "always", "never"}))
      ->group("Output");
  auto* const few = app.add_flag("-q,--quiet", quiet, "Print only errors and results")->group("Output");
  app.add_flag("-v,--verbose", verbose, "Print more messages, and each block of a search")
      ->excludes(few)
      ->group("Output");
}

void TalkOptions::apply(bool dated) const {
  const auto mode = color == "always"  ? spdlog::color_mode::always
                    : color == "never" ? spdlog::color_mode::never
                                       : spdlog::color_mode::automatic;
  auto logger = std::make_shared<spdlog::logger>("edagen", std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode));
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<InertText>('*').set_pattern((dated ? "%Y-%m-%dT%H:%M:%S%z edagen: " : "edagen: ") + of_host +
                                                  "%^%*%$");
  logger->set_formatter(std::move(formatter));
  logger->set_level(!of_host.empty() && !quiet ? spdlog::level::warn
                    : quiet                    ? spdlog::level::err
                    : verbose                  ? spdlog::level::debug
                                               : spdlog::level::info);
  spdlog::set_default_logger(std::move(logger));
}

bool TalkOptions::live_line() const {
  if (quiet || progress == "never") return false;
  return progress == "always" || ::isatty(STDERR_FILENO) == 1;
}

bool LoadOptions::streams_to_terminal() const {
  return (journal == "-" || live.to_stdout()) && ::isatty(STDOUT_FILENO) == 1;
}

void LoadOptions::add_to(CLI::App& app) {
  const char* const load = "Load";
  app.add_option("--phase", phase,
                 "EDA load: functional (metadata, small random I/O), physical (large sequential I/O) or mixed (both)")
      ->transform(one_of({"functional", "physical", "mixed"}))
      ->group(load);
  app.add_option("--workload", workload,
                 "Another workload: a built-in NAME (edagen workloads lists them) or a FILE.json")
      ->transform(not_empty())
      ->group(load);
  app.add_option("--clients", clients, "Number of simulated NFS clients; client i uses mount i mod M of the M mounts")
      ->transform(whole_number(1, 100'000))
      ->capture_default_str()
      ->group(load);
  auto* const sets =
      app.add_option("--job-sets", job_sets,
                     "Job sets per client, of 5 procs each in the EDA workloads; default: 1, and 200 on a simulated "
                     "volume for a curve without --sweep and for a comparison")
          ->transform(whole_number(1, 100'000))
          ->group(load);
  app.add_option("--procs", procs, "Procs per client, instead of --job-sets")
      ->transform(whole_number(1, 100'000))
      ->excludes(sets)
      ->group(load);
  app.add_option("--rate", rate,
                 "Op rate of all procs together in ops/s (20k or 20,000); max: closed loop, as fast as the storage "
                 "answers; default: the workload's own")
      ->transform(a_rate_or_max())
      ->group(load);
  app.add_option("--arrivals", arrivals,
                 "Times between the intended starts of a proc: uniform or poisson; default: uniform")
      ->transform(one_of({"uniform", "poisson"}))
      ->group(load);
  app.add_option("--io-depth", io_depth,
                 "I/O depth: ops in flight of each proc that only reads and writes; default: the workload's own")
      ->transform(whole_number(1, deepest_io))
      ->group(load);
  app.add_option("--read-percent", read_percent,
                 "Reads in percent of all reads and writes; default: the workload's own")
      ->transform(percentage())
      ->group(load);
  app.add_option("--warmup", warmup, "Time under load before the measurement starts")
      ->transform(a_duration())
      ->capture_default_str()
      ->group(load);
  app.add_option("--duration", duration, "Time that is measured, such as 90s or 1h30m")
      ->transform(a_duration())
      ->capture_default_str()
      ->group(load);
  app.add_option("--seed", seed, "Seed of the random numbers; the same seed gives the same ops")
      ->transform(whole_number())
      ->capture_default_str()
      ->group(load);

  const char* const files = "Files";
  app.add_option("--mount", mounts, "Directory to test (repeatable); default: a new one in $TMPDIR, removed at the end")
      ->transform(not_empty())
      ->group(files);
  app.add_option("--target", targets,
                 "posix:DIR, the same as --mount (repeatable); or sim:NAME or sim:FILE.json, a simulated volume")
      ->transform(not_empty())
      ->group(files);
  app.add_option("--dataset-scale", dataset_scale,
                 "Number of files as a factor of the workload's own, such as 0.1; auto: 1 where that fits, else less")
      ->capture_default_str()
      ->group(files);
  app.add_option(
         "--file-size", file_size,
         "Size of every data file, no less than the smallest read and write; k, M, G, T, with or without B or iB, "
         "are powers of 1024")
      ->transform(a_size())
      ->group(files);
  app.add_flag("--keep-dataset", keep_dataset, "Do not remove the dataset at the end")->group(files);
  app.add_flag("--reuse-dataset", reuse_dataset,
               "Use the dataset that an earlier run has kept, and keep it again; one with other files in it is refused")
      ->group(files);

  const char* const io = "Caches";
  auto* const all_direct = app.add_flag_callback(
                                  "--direct", [this] { direct = true; }, "Use O_DIRECT for all reads and writes")
                               ->group(io);
  app.add_flag_callback(
         "--buffered", [this] { direct = false; }, "Never use O_DIRECT, not even where the workload asks for it")
      ->excludes(all_direct)
      ->group(io);
  app.add_option("--fsync", fsync,
                 "Flush written files: none, close (before each close), end (of the run; the time counts); default: "
                 "the workload's own")
      ->transform(one_of(std::vector<std::string>(enum_names<FsyncWhen>.begin(), enum_names<FsyncWhen>.end())))
      ->group(io);
  app.add_flag("--drop-caches", drop_caches,
               "Drop the dataset from this host's caches before each load point (as root: all caches of the kernel)")
      ->group(io);

  const char* const run = "Run";
  app.add_option("--io-engine", io_engine,
                 "How an I/O depth above 1 is kept: io_uring, threads, or auto (io_uring where it is allowed)")
      ->transform(one_of({"auto", "io_uring", "threads"}))
      ->capture_default_str()
      ->group(run);
  app.add_option("--max-errors", max_errors, "End the run when more ops than this have failed; default: 1 % of the ops")
      ->transform(whole_number())
      ->group(run);
  app.add_option("--stuck-after", stuck_after, "Report an op that has not returned after this time")
      ->transform(a_duration())
      ->capture_default_str()
      ->group(run);
  app.add_option("--max-workers", max_workers, "Maximum number of threads, and so of blocking ops in flight")
      ->transform(whole_number(1, 100'000))
      ->capture_default_str()
      ->group(run);
  app.add_option(
         "--spin", spin,
         "on: threads wake shortly before an op is due and spin, with real-time priority where allowed; up to one "
         "processor more, and ops begin in time. off: they sleep until it is due")
      ->transform(one_of({"on", "off"}))
      ->capture_default_str()
      ->group(run);
  app.add_flag("--dry-run", dry_run, "Print the plan and touch nothing")->group(run);

  app.add_option("--json", json, "Write the result document to a file; - is stdout")
      ->transform(not_empty())
      ->group("Output");
  app.add_option("--csv", csv, "Write the load points as CSV; - is stdout")->transform(not_empty())->group("Output");
  app.add_option("--html", html, "Write a report with plots: one HTML file that needs no others")
      ->transform(not_empty())
      ->group("Output");
  app.add_option("--journal", journal,
                 "Write a journal, a JSON line per interval as it ends, with each kind of op; - is stdout")
      ->transform(not_empty())
      ->group("Output");
  app.add_option(
         "--label", labels,
         "What the result is to say of storage, network or clients: KEY=TEXT (repeatable), as in storage='24 x 4 "
         "TB NVMe'")
      ->transform(not_empty())
      ->group("Output");
  app.add_option("--label-file", label_file, "A file of labels, a line KEY=TEXT for each; --label goes first")
      ->transform(not_empty())
      ->group("Output");
  live.add_to(app);
  talk.add_to(app);
}

namespace {

/// Throws Error (usage) on what --mount and --target do not say together.
Volume volume_of(const std::vector<std::string>& mounts, const std::vector<std::string>& targets) {
  MountDirectories directories{mounts};
  std::optional<std::string> model;
  for (const std::string& target : targets) {
    const auto colon = target.find(':');
    const std::string scheme = target.substr(0, colon),
                      rest = colon == std::string::npos ? "" : target.substr(colon + 1);
    if (scheme == "posix" && !rest.empty()) directories.paths.push_back(rest);
    else if (scheme == "sim" && !rest.empty() && !model) model = rest;
    else throw usage_error("--target", fmt::format("'{}' is not posix:DIR or one sim:NAME", target));
  }
  if (model && !directories.paths.empty())
    throw usage_error("--target", "a simulated volume and a real one cannot be combined");
  if (model) return load_volume(*model);
  if (directories.paths.empty()) return FreshDirectory{};
  return directories;
}

std::optional<double> scale_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  constexpr double largest = 1e6;
  double factor = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, factor);
  if (error != std::errc() || stop != end || !(factor > 0) || factor > largest)
    throw usage_error(
        "--dataset-scale",
        fmt::format("'{}' is not auto, nor a number above 0, such as 0.1, and up to {}", text, format_count(largest)));
  return factor;
}

/// The file of a --target sim:FILE.json?nconnect=2; nullopt for a built-in model or a directory.
std::optional<std::string> model_file(const std::string& target) {
  const std::string scheme = "sim:";
  if (!target.starts_with(scheme)) return std::nullopt;
  std::string name = target.substr(scheme.size(), target.find('?') - scheme.size());
  return DefinitionFolder::is_path(name) ? std::optional(std::move(name)) : std::nullopt;
}

}  // namespace

void LoadOptions::put_below(const std::string& directory) {
  const auto put = [&](std::string& path) {
    if (!path.starts_with('/')) path = (std::filesystem::path(directory) / path).lexically_normal().string();
  };
  for (std::string& mount : mounts) put(mount);
  for (std::string& target : targets) {
    const std::size_t begins = target.find(':') + 1;
    std::string path = target.substr(begins);
    if (!target.starts_with("posix:") && !DefinitionFolder::is_path(path.substr(0, path.find('?')))) continue;
    put(path);
    target.replace(begins, std::string::npos, path);
  }
  if (DefinitionFolder::is_path(workload)) put(workload);
  if (!label_file.empty()) put(label_file);
}

RunPlan LoadOptions::plan(std::vector<std::string> command) const {
  RunPlan plan;
  plan.command = std::move(command);
  plan.labels = labels_of(labels, label_file);
  if (!label_file.empty()) plan.inputs.push_back(label_file);
  plan.workload = load_workload();
  plan.volume = volume_of(mounts, targets);
  plan.inputs.insert(plan.inputs.end(), plan.workload.files.begin(), plan.workload.files.end());
  for (const std::string& target : targets)
    if (auto file = model_file(target)) plan.inputs.push_back(std::move(*file));
  plan.clients = clients;
  plan.procs_per_client =
      procs > 0 ? procs
                : std::max<std::uint64_t>(job_sets, 1) * static_cast<std::uint64_t>(plan.workload.procs_per_job_set());
  plan.seed = seed;
  plan.dataset_scale = scale_of(dataset_scale);
  if (!file_size.empty()) {
    plan.file_size = parse_bytes(file_size, "--file-size");
    if (*plan.file_size < 1) throw usage_error("--file-size", "is below 1 byte");
  }
  plan.keep_dataset = keep_dataset;
  plan.reuse_dataset = reuse_dataset;
  plan.io_engine = enum_named<IoEngine>(io_engine).value();
  plan.max_workers = max_workers;
  plan.spin = spin == "on";
  plan.stuck_after = stuck_after_time(stuck_after);
  plan.max_errors = max_errors;
  plan.outputs = outputs();
  plan.journal = journal_place();
  plan.written_meanwhile = live.places();
  return plan;
}

void LoadOptions::check_simulated() const {
  for (const auto& [name, given] : {std::pair("--drop-caches", drop_caches),
                                    {"--direct", direct == true},
                                    {"--buffered", direct == false},
                                    {"--fsync", !fsync.empty()},
                                    {"--io-engine", io_engine != "auto"}})
    if (given) throw usage_error(name, "has no effect on a simulated volume");
}

WorkloadSpec LoadOptions::load_workload() const {
  if (phase.empty() == workload.empty())
    throw usage_error(
        "--phase",
        phase.empty() ? "functional, physical or mixed is needed" : "cannot be given together with --workload",
        "or --workload NAME; edagen workloads lists them");
  WorkloadSpec spec = edagen::load_workload(workload.empty() ? "eda_" + phase : workload);
  bool any_queues = false;
  for (ProcSpec& kind : spec.proc_kinds) {
    any_queues = any_queues || kind.queueable();
    if (io_depth && kind.queueable()) kind.io.depth = *io_depth;
    if (direct) kind.io.direct = *direct;
    if (direct == false) kind.direct_percent = 0;
    if (const auto when = enum_named<FsyncWhen>(fsync)) kind.io.fsync = *when;
    if (read_percent) kind.set_read_percent(*read_percent);
  }
  if (io_depth.value_or(1) > 1 && !any_queues)
    throw usage_error("--io-depth",
                      fmt::format("no proc of '{}' only reads and writes: they do one op at a time", spec.name),
                      "it is for --phase physical or mixed and for fio/ workloads");
  return spec;
}

LoadPoint LoadOptions::load_point(const RunPlan& plan) const {
  LoadPoint load;
  load.sync_after = std::ranges::any_of(plan.workload.proc_kinds,
                                        [](const ProcSpec& kind) { return kind.io.fsync != FsyncWhen::none; });
  load.drop_caches = drop_caches;
  if (rate.empty() ? !plan.workload.closed_loop() : rate != "max")
    load.rate = OpenLoop{rate.empty() ? plan.own_ops_per_sec() : parse_rate(rate, "--rate"), arrivals_on(plan)};
  load.warmup = parse_duration(warmup, "--warmup");
  load.duration = parse_duration(duration, "--duration");
  if (load.duration < std::chrono::milliseconds(100)) throw usage_error("--duration", "is below 100 ms");
  return load;
}

Arrivals LoadOptions::arrivals_on(const RunPlan& plan) const {
  const bool station = plan.model() && plan.model()->station;
  return arrivals == "poisson" || (arrivals.empty() && station) ? Arrivals::poisson : Arrivals::uniform;
}

Nanos stuck_after_time(const std::string& text) {
  const Nanos time = parse_duration(text, "--stuck-after");
  if (time < std::chrono::milliseconds(100)) throw usage_error("--stuck-after", "is below 100 ms");
  return time;
}

namespace {

template <class What>
void add_output(std::vector<Output<What>>& outputs, const char* option, const std::string& path,
                std::function<std::string(const What&)> text, bool is_document = false) {
  if (!path.empty()) outputs.push_back({{option, path}, std::move(text), is_document});
}

}  // namespace

std::vector<Output<Result>> LoadOptions::outputs() const {
  std::vector<Output<Result>> all;
  add_output<Result>(all, "--json", json, json_text<Result>, true);
  add_output<Result>(all, "--csv", csv, [](const Result& result) { return csv_text(result); });
  add_output<Result>(all, "--html", html, [](const Result& result) { return html_text({result}); });
  return all;
}

std::vector<Output<ComparisonResult>> LoadOptions::comparison_outputs() const {
  std::vector<Output<ComparisonResult>> all;
  add_output<ComparisonResult>(all, "--json", json, json_text<ComparisonResult>, true);
  add_output<ComparisonResult>(all, "--csv", csv, [](const ComparisonResult& result) { return csv_text(result); });
  add_output<ComparisonResult>(all, "--html", html,
                               [](const ComparisonResult& result) { return html_text({}, {result}); });
  return all;
}

std::optional<Place> LoadOptions::journal_place() const {
  return journal.empty() ? std::nullopt : std::optional<Place>({"--journal", journal});
}

}  // namespace edagen
