#include "cli/options.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/definition_file.hpp"
#include "base/number.hpp"
#include "cli/labels.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "result/result_json.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

LoadRate rate_of(const std::string& text) {
  if (text == "max") return ClosedLoop{};
  return OpenLoop{parse_rate(text, "")};
}

std::optional<double> scale_of(const std::string& text) {
  if (text == "auto") return std::nullopt;
  constexpr double largest = 1e6;
  const double factor = number_of(text).value_or(0);
  if (factor <= 0 || factor > largest)
    throw usage_error("", fmt::format("'{}' is not auto, nor a number above 0, such as 0.1, and up to {}", text,
                                      format_count(largest)));
  return factor;
}

Bytes file_size_of(const std::string& text) {
  const Bytes size = parse_bytes(text, "");
  if (size < 1) throw usage_error("", "is below 1 byte");
  return size;
}

/// Whether the model of a simulated volume is a file: FILE.json, also with a query, FILE.json?nconnect=2.
bool is_model_file(const std::string& model) { return DefinitionFolder::is_path(model.substr(0, model.find('?'))); }

}  // namespace

void LoadOptions::add_to(CLI::App& app) {
  add_load_to(app);
  add_files_to(app);
  add_run_to(app);
  add_outputs_to(app);
}

void LoadOptions::add_load_to(CLI::App& app) {
  OptionGroup load(app, "Load");
  load.word(
      "--phase", {"functional", "physical", "mixed"}, [this](const std::string& text) { phase = text; },
      "EDA load: functional (metadata, small random I/O), physical (large sequential I/O) or mixed (both)");
  load.text("--workload NAME|FILE", workload,
            "Another workload: a built-in one (edagen workloads lists them) or a JSON file");
  load.number("--clients", base.clients, whole_number(1, 100'000),
              "Number of clients (groups of procs); client i uses mount or target i mod M of the M that are given");
  auto* const sets =
      load.number("--job-sets", job_sets, whole_number(1, 100'000),
                  "Job sets per client, of 5 procs each in the EDA workloads; default: 1 (simulated curves and "
                  "comparisons: 200)");
  load.number("--procs", procs, whole_number(1, 100'000), "Procs per client, instead of --job-sets")->excludes(sets);
  load.parsed(
      "--rate RATE|max", [this](const std::string& text) { rate = rate_of(text); },
      "Op rate of all procs together in ops/s, as 20k; max: closed loop; default: the workload's own; in a comparison "
      "that at the latency target");
  load.choice("--arrivals", arrivals,
              "Times between the intended starts of a proc: uniform or poisson; default: uniform");
  load.number("--io-depth", io_depth, whole_number(1, deepest_io),
              "I/O depth: ops in flight of each proc that only reads and writes; default: the workload's own");
  load.number("--read-percent PERCENT", read_percent, percentage(),
              "Reads in percent of all reads and writes; default: the workload's own");
  load.duration("--warmup", warmup, Nanos(0), "Time under load before the measurement starts");
  load.duration("--duration", duration, std::chrono::milliseconds(100),
                "Time that is measured, such as 90s or 1h30m; a number alone is in seconds");
  load.number("--seed", base.seed, whole_number(), "Seed of the random numbers; the same seed gives the same ops");
}

void LoadOptions::add_volume_to(CLI::App& app) {
  OptionGroup files(app, "Files");
  files.texts("--mount DIR", mounts,
              "Directory to test (repeatable); default: a new one in $TMPDIR, removed at the end");
  const auto take = [this](const std::string& text) {
    if (text.empty()) throw usage_error("", "is empty");
    if (!take_target(text))
      throw usage_error("", fmt::format("'{}' is not nfs://HOST/EXPORT, posix:DIR or one sim:NAME", text));
  };
  files.parsed_each("--target URI", take,
                    "nfs://HOST/EXPORT: NFS clients of edagen's own load it (repeatable); sim:NAME or sim:FILE.json: a "
                    "simulated volume; posix:DIR: as --mount (repeatable)");
}

bool LoadOptions::take_target(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string scheme = text.substr(0, colon), rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (rest.empty()) return false;
  if (scheme == "posix") mounts.push_back(rest);
  else if (scheme == "nfs") exports.push_back(parse_nfs_url(text, ""));
  else if (scheme == "sim" && model.empty()) model = rest;
  else return false;
  return true;
}

bool LoadOptions::has_volume_of(const LoadOptions& other) const {
  const auto normal = [](const std::string& path) {  // of "/a", "/a/" and "/a/.": "/a/"
    return (std::filesystem::path(path) / "").lexically_normal();
  };
  return std::ranges::equal(mounts, other.mounts, {}, normal, normal) && model == other.model &&
         std::ranges::equal(exports, other.exports, {}, &NfsUrl::text, &NfsUrl::text);
}

void LoadOptions::set_volume_of(const LoadOptions& other) {
  mounts = other.mounts;
  exports = other.exports;
  model = other.model;
}

void LoadOptions::add_files_to(CLI::App& app) {
  add_volume_to(app);
  OptionGroup files(app, "Files");
  files
      .parsed(
          "--dataset-scale FACTOR|auto", [this](const std::string& text) { base.dataset_scale = scale_of(text); },
          "Number of files as a factor of the workload's own, such as 0.1; auto: 1 where that fits, else less")
      ->default_str("auto");
  files.parsed(
      "--file-size SIZE", [this](const std::string& text) { base.file_size = file_size_of(text); },
      "Size of every data file, no less than the smallest read and write; k, M, G, T, with or without B or "
      "iB, are powers of 1024");
  files.flag("--keep-dataset", base.keep_dataset, "Do not remove the dataset at the end");
  files.flag("--reuse-dataset", base.reuse_dataset,
             "Use the dataset that an earlier run has kept, and keep it again; foreign files in it are refused");

  const char* const caches = "Caches";
  auto* const all_direct = app.add_flag_callback(
      "--direct", [this] { direct = true; }, "Use O_DIRECT for all reads and writes");
  app.add_flag_callback(
         "--buffered", [this] { direct = false; }, "Never use O_DIRECT, not even where the workload asks for it")
      ->excludes(all_direct->group(caches))
      ->group(caches);
  OptionGroup group(app, caches);
  group.choice("--fsync", fsync,
               "Flush written files: none, close (before each close, and at the end), end (of the run; the time "
               "counts); default: the workload's own");
  group.flag("--drop-caches", drop_caches,
             "Drop the dataset from this host's caches before each load point (as root: all caches of the kernel)");
  group.text(
      "--before-point COMMAND", base.before_point.command,
      "Shell command that is run before each load point, such as one that drops the server's caches. A search runs it "
      "at its start, and before each load point that is to demonstrate an answer");
}

void LoadOptions::add_run_to(CLI::App& app) {
  OptionGroup run(app, "Execution");
  run.choice("--io-engine", base.io_engine,
             "How an I/O depth above 1 is kept: io_uring, threads, or auto (io_uring where it is allowed)");
  run.number("--max-errors", base.max_errors, whole_number(),
             "End the run when more ops than this have failed; default: 1 % of the ops, at least 10");
  run.duration("--stuck-after", base.stuck_after, least_stuck_after,
               "Report an op that has not returned after this time");
  run.number("--max-workers", base.max_workers, whole_number(1, 100'000),
             "Maximum number of threads, and so of blocking ops in flight");
  run.word(
         "--spin", {"on", "off"}, [this](const std::string& text) { base.spin = text == "on"; },
         "on: threads wake shortly before an op is due and spin, with real-time priority where allowed, so that ops "
         "begin in time; costs up to one processor. off: threads sleep until an op is due")
      ->default_str("on");
  run.flag("--dry-run", dry_run, "Print the plan and touch nothing");
}

void LoadOptions::add_outputs_to(CLI::App& app) {
  OptionGroup output(app, "Output");
  output.text("--json FILE", json, "Write the result document to a file; - is stdout");
  output.text("--csv FILE", csv, "Write the load points (of a comparison: the runs) as CSV; - is stdout");
  output.text("--html FILE", html, "Write a report with plots: one HTML file that needs no others; - is stdout");
  output.text("--journal FILE", journal,
              "Write a journal, a JSON line per interval as it ends, with each kind of op; - is stdout");
  output.parsed_each(
      "--label KEY=TEXT", [this](const std::string& text) { add_label(base.labels, text, ""); },
      "Words on storage, network or clients for the result (repeatable), as in storage='24 x 4 TB NVMe'");
  output.text("--label-file FILE", label_file,
              "A file of labels, a line KEY=TEXT for each; --label overrides the file");
  live.add_to(app);
  logging.add_to(app);
}

void LoadOptions::resolve_relative_to(const std::string& directory) {
  const auto resolve = [&](std::string& path) {
    if (!path.starts_with('/')) path = (std::filesystem::path(directory) / path).lexically_normal().string();
  };
  std::ranges::for_each(mounts, resolve);
  if (is_model_file(model)) resolve(model);
  if (DefinitionFolder::is_path(workload)) resolve(workload);
  if (!label_file.empty()) resolve(label_file);
  base.before_point.directory = directory;
}

Volume LoadOptions::volume() const {
  if (!model.empty() && (!mounts.empty() || !exports.empty()))
    throw usage_error("--target", "a simulated volume and a real one cannot be combined");
  if (!exports.empty() && !mounts.empty())
    throw usage_error("--target", "nfs:// and mounts cannot be combined in one run",
                      "compare takes both: --volume NAME=...");
  if (!model.empty()) return load_volume(model);
  if (!exports.empty()) return NfsExports{exports};
  if (mounts.empty()) return FreshDirectory{};
  return MountDirectories{mounts};
}

RunPlan LoadOptions::plan(std::vector<std::string> command) const {
  RunPlan plan = base;
  plan.command = std::move(command);
  plan.labels = with_labels_of(base.labels, label_file);
  if (!label_file.empty()) plan.inputs.push_back(label_file);
  plan.workload = load_workload();
  plan.volume = volume();
  plan.inputs.insert(plan.inputs.end(), plan.workload.files.begin(), plan.workload.files.end());
  if (is_model_file(model)) plan.inputs.push_back(model.substr(0, model.find('?')));
  plan.procs_per_client =
      procs.value_or(job_sets.value_or(1) * static_cast<std::uint64_t>(plan.workload.procs_per_job_set()));
  plan.outputs = outputs<Result>();
  plan.journal = journal_place();
  plan.written_meanwhile = live.places();
  return plan;
}

void LoadOptions::check_simulated() const {
  for (const auto& [name, given] : {std::pair("--drop-caches", drop_caches),
                                    {"--before-point", !base.before_point.command.empty()},
                                    {"--direct", direct == true},
                                    {"--buffered", direct == false},
                                    {"--fsync", fsync.has_value()},
                                    {"--io-engine", base.io_engine != IoEngine::automatic}})
    if (given) throw usage_error(name, "has no effect on a simulated volume");
}

WorkloadSpec LoadOptions::load_workload() const {
  if (phase.empty() && workload.empty())
    throw usage_error("--phase", "functional, physical or mixed is needed",
                      "or --workload NAME; edagen workloads lists them");
  if (!phase.empty() && !workload.empty())
    throw usage_error("--phase",
                      fmt::format("is short for --workload eda_{}, and --workload {} is given, too", phase, workload),
                      "leave one of them out");
  WorkloadSpec spec = edagen::load_workload(workload.empty() ? "eda_" + phase : workload);
  bool any_queues = false;
  for (ProcSpec& kind : spec.proc_kinds) {
    any_queues = any_queues || kind.queueable();
    if (io_depth && kind.queueable()) kind.io.depth = *io_depth;
    if (direct) kind.io.direct = *direct;
    if (direct == false) kind.direct_percent = 0;
    if (fsync) kind.io.fsync = *fsync;
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
  if (rate) load.rate = *rate;
  else if (!plan.workload.closed_loop()) load.rate = OpenLoop{plan.own_ops_per_sec()};
  if (auto* const open = std::get_if<OpenLoop>(&load.rate)) open->arrivals = arrivals_on(plan);
  load.warmup = warmup;
  load.duration = duration;
  return load;
}

Arrivals LoadOptions::arrivals_on(const RunPlan& plan) const {
  const bool is_station = plan.model() && plan.model()->station;
  return arrivals.value_or(is_station ? Arrivals::poisson : Arrivals::uniform);
}

bool LoadOptions::streams_to_terminal() const {
  return (journal == "-" || live.to_stdout()) && ::isatty(STDOUT_FILENO) == 1;
}

namespace {

std::string page_of(const Result& result) { return html_text({result}); }
std::string page_of(const ComparisonResult& result) { return html_text({}, {result}); }

}  // namespace

template <class What>
std::vector<Output<What>> LoadOptions::outputs() const {
  std::vector<Output<What>> all;
  if (!json.empty()) all.push_back({{"--json", json}, json_text<What>, true});
  if (!csv.empty()) all.push_back({{"--csv", csv}, [](const What& what) { return csv_text(what); }});
  if (!html.empty()) all.push_back({{"--html", html}, [](const What& what) { return page_of(what); }});
  return all;
}
template std::vector<Output<Result>> LoadOptions::outputs() const;
template std::vector<Output<ComparisonResult>> LoadOptions::outputs() const;

std::optional<Place> LoadOptions::journal_place() const {
  return journal.empty() ? std::nullopt : std::optional<Place>({"--journal", journal});
}

}  // namespace edagen
