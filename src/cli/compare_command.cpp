// compare: the same load on volumes, or on one export under several mount tunings, in interleaved repeats.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <iostream>

#include "commands.hpp"
#include "edagen/compare/comparison.hpp"
#include "edagen/core/error.hpp"
#include "edagen/core/version.hpp"
#include "edagen/mounts/mount_info.hpp"
#include "edagen/mounts/tuning.hpp"
#include "edagen/report/comparison_text.hpp"
#include "edagen/result/measured.hpp"
#include "edagen/result/result_file.hpp"
#include "exit_status.hpp"
#include "load_session.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "series_options.hpp"
#include "signals.hpp"

namespace edagen {
namespace {

struct Variant {
  std::string name;
  std::string place;               ///< a directory or sim:NAME; empty for a tuning
  const Tuning* tuning = nullptr;
};

struct CompareOptions {
  LoadOptions load;
  CurveOptions curve;
  std::vector<std::string> volumes;
  std::string exported, tunings = "eda", results;
  std::size_t repeats = 3;
  bool staleness = false;
  std::string staleness_duration = "5s";

  void add_to(CLI::App& app) {
    load.add_to(app);
    curve.add_to(app);
    const char* const group = "Compare";
    app.add_option("--volume", volumes, "NAME=DIR or NAME=sim:MODEL (repeatable): volumes that are there")
        ->transform(not_empty())
        ->group(group);
    app.add_option("--export", exported, "SERVER:/PATH, mounted once for each tuning (needs root)")
        ->transform(not_empty())
        ->group(group);
    app.add_option("--tunings", tunings, "A file of named mount options, or a built-in one")
        ->transform(not_empty())
        ->capture_default_str()
        ->group(group);
    app.add_option("--repeat", repeats, "Runs of each variant, interleaved: A B C, C B A, ...")
        ->transform(whole_number(1, 1000))
        ->capture_default_str()
        ->group(group);
    app.add_flag("--staleness", staleness, "With --export: also how often and how long each tuning shows stale data")->group(group);
    app.add_option("--staleness-duration", staleness_duration, "Of each tuning's staleness measurement")
        ->transform(a_duration())
        ->capture_default_str()
        ->group(group);
    app.add_option("--results", results, "Keep each run's result in this directory; runs that are there are not run again")
        ->transform(not_empty())
        ->group(group);
  }
};

std::vector<Variant> volumes_of(const CompareOptions& options) {
  std::vector<Variant> variants;
  for (const std::string& volume : options.volumes) {
    const auto equals = volume.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == volume.size())
      throw usage_error("--volume", fmt::format("'{}' is not NAME=DIR or NAME=sim:MODEL", volume));
    for (const Variant& other : variants)
      if (other.name == volume.substr(0, equals)) throw usage_error("--volume", fmt::format("'{}' is there twice", other.name));
    variants.push_back({volume.substr(0, equals), volume.substr(equals + 1)});
  }
  return variants;
}

class Comparison {
 public:
  Comparison(CompareOptions& options, std::vector<std::string> arguments)
      : options_(options), arguments_(std::move(arguments)), watch_(options.load.engine_options().stuck_after), by_rate_(options.load.rate.empty()) {
    if (options.volumes.empty() == options.exported.empty())
      throw usage_error("compare", "needs either --volume (twice or more) or --export");
    if (!options.load.mounts.empty() || !options.load.targets.empty())
      throw usage_error("--mount", "does not go with compare", "--volume NAME=DIR");
    if (!options.exported.empty()) {
      tunings_ = load_tunings(options.tunings);
      for (const Tuning& tuning : tunings_) variants_.push_back({tuning.name, "", &tuning});
      if (options.exported.find(":/") == std::string::npos || options.exported.starts_with('-'))
        throw usage_error("--export", fmt::format("'{}' is not SERVER:/PATH", options.exported));
      if (::geteuid() != 0) throw usage_error("--export", "mounting needs root");
      for (const std::string& left : left_over_mounts())
        spdlog::warn("{} was left behind by an earlier comparison: umount {}", left, left);
    } else {
      variants_ = volumes_of(options);
    }
    staleness_duration_ = parse_duration(options.staleness_duration, "--staleness-duration");
    if (options.staleness && options.exported.empty())
      throw usage_error("--staleness", "needs --export", "edagen staleness looks at two mounts that are there");
    if (variants_.size() < 2) throw usage_error("compare", "needs at least two variants");
    if (options.load.dry_run)
      throw usage_error("--dry-run", "is not for compare", "edagen run --dry-run or curve --dry-run shows the plan of one of its runs");
    check_outputs(options.load, watch_);
    if (!options.results.empty()) std::filesystem::create_directories(options.results);
  }

  int carry_out() {
    const std::string first_target = options_.curve.targets.substr(0, options_.curve.targets.find(','));
    ComparisonResult comparison;
    comparison.edagen_version = std::string(program_version);
    comparison.command = arguments_;
    comparison.host = this_host();
    comparison.started_at = rfc3339_now();
    if (by_rate_) comparison.at_latency_target = first_target;
    SignalWatch signals;
    watch_.end_with(signals.token(), [](const std::string& what) {
      spdlog::error("{} does not return: ending without it", what);
      ::_exit(exit_status::interrupted);
    });
    std::vector<std::vector<RunFigures>> figures(variants_.size());
    int status = exit_status::done;
    for (const std::size_t at : interleaved(variants_.size(), options_.repeats)) {
      const Result result = result_of(at, figures[at].size(), signals.token());
      if (signals.token().stop_requested()) {
        status = exit_status::interrupted;
        break;
      }
      figures[at].push_back(run_figures(result, by_rate_));
      if (stuck_) break;
      spdlog::info("{} ({} of {}): {}", variants_[at].name, figures[at].size(), options_.repeats,
                   figure_text(figures[at].back(), by_rate_));
    }
    std::vector<std::optional<StalenessFigures>> stale(variants_.size());
    for (std::size_t i = 0; options_.staleness && !stuck_ && i < variants_.size() && !signals.token().stop_requested(); ++i)
      stale[i] = staleness_of(*variants_[i].tuning, signals.token());
    clean_up();
    for (std::size_t i = 0; i < variants_.size(); ++i)
      comparison.add(variants_[i].name, variants_[i].tuning ? variants_[i].tuning->options : variants_[i].place, figures[i],
                     stale[i]);
    comparison.finished_at = rfc3339_now();
    comparison.status = stuck_                               ? Status::failed
                        : status == exit_status::interrupted ? Status::interrupted
                                                             : Status::complete;
    if (status == exit_status::done && !comparison.valid()) status = exit_status::invalid;
    StuckWatch::Thread self(watch_);
    self.begins("writing --json", options_.load.json);
    if (!options_.load.json.empty()) write_text(options_.load.json, dumped(to_json(comparison), 2) + "\n", "--json");
    text_stream(options_.load) << comparison_text(comparison) << std::flush;
    if (stuck_) ::_exit(status);  // threads in stuck ops still use it
    return status;
  }

 private:
  std::string file_of(std::size_t variant, std::size_t repeat) const {
    std::string name = variants_[variant].name;
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '=') c = '_';
    return options_.results.empty() ? "" : fmt::format("{}/{}-{}-{}.json", options_.results, variant + 1, name, repeat + 1);
  }

  Result result_of(std::size_t variant, std::size_t repeat, std::stop_token stop) {
    const std::string file = file_of(variant, repeat);
    if (!file.empty() && std::filesystem::exists(file)) return read_result(file);
    const Result result = run(variants_[variant], repeat, stop);
    if (!file.empty() && !stop.stop_requested()) write_text(file, dumped(to_json(result), 2) + "\n", "--results");
    return result;
  }

  Result run(const Variant& variant, std::size_t repeat, std::stop_token stop) {
    LoadOptions load = options_.load;
    std::unique_ptr<TunedMount> mount;
    const bool simulated = variant.place.starts_with("sim:");
    if (variant.tuning) {
      mount = std::make_unique<TunedMount>(options_.exported, *variant.tuning);
      load.mounts = {mount->directory()};
    } else {
      (simulated ? load.targets : load.mounts) = {variant.place};
    }
    load.reuse_dataset = !simulated;  // the first run builds, the others restore
    if (simulated) {
      options_.curve.give_procs(load);
      load.seed += repeat;  // else every repeat is the same run
    }
    auto session = std::make_unique<LoadSession>(load, arguments_);
    Result result = by_rate_ ? session->measure(options_.curve.plan(load, session->setup()), stop)
                             : session->measure(SeriesOptions().series(load, session->setup()), stop);
    if (const std::string id = session->setup().made_dataset(); !id.empty()) made_datasets_[variant.place] = id;
    const Curve& curve = session->curve();
    session->journal().finish(!curve.interrupted || curve.points.empty());
    if (const std::uint64_t stuck = curve.points.empty() ? 0 : curve.points.back().stats.stuck_ops; stuck > 0) {
      spdlog::error("{} ops of {} never returned; ending without them and without the runs that are left", stuck, variant.name);
      spdlog::warn("the datasets were left behind; edagen clean removes them when the storage answers again");
      static_cast<void>(session.release());
      static_cast<void>(mount.release());
      stuck_ = true;
    }
    return result;
  }

  /// Two mounts with caches of their own stand for two clients.
  StalenessFigures staleness_of(const Tuning& tuning, std::stop_token stop) {
    const TunedMount writer(options_.exported, tuning), reader(options_.exported, tuning);
    return staleness_figures(measure_staleness(writer.directory(), reader.directory(), staleness_duration_, stop));
  }

  /// The datasets that were made here go when nobody asked to keep them.
  void clean_up() {
    if (options_.load.keep_dataset || options_.load.reuse_dataset || stuck_) return;
    const auto remove = [&](const std::string& directory, const std::string& id) {
      remove_dataset(dataset_place(check_mounts({directory}).front()), 4, watch_, id);
    };
    try {
      for (const auto& [place, id] : made_datasets_) {
        if (!place.empty()) remove(place, id);
        else remove(TunedMount(options_.exported, tunings_.front()).directory(), id);
      }
    } catch (const Error& error) {
      spdlog::warn("could not remove the dataset: {}", error.what());
    }
  }

  CompareOptions& options_;
  std::vector<std::string> arguments_;
  ToldWatch watch_;
  Nanos staleness_duration_{0};
  bool by_rate_;  ///< the rate at the latency target is compared; else the latency at a rate
  std::vector<Tuning> tunings_;
  std::vector<Variant> variants_;
  std::map<std::string, std::string> made_datasets_;  ///< id by Variant::place
  bool stuck_ = false;  ///< ops of a run never returned: nothing of its volume may be touched again
};

}  // namespace

void add_staleness_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("staleness", "How often and how long one mount shows what another has replaced");
  const auto writer = std::make_shared<std::string>(), reader = std::make_shared<std::string>();
  const auto duration = std::make_shared<std::string>("5s");
  command->add_option("--writer", *writer, "A directory on one mount of the export")
      ->transform(not_empty())
      ->required();
  command->add_option("--reader", *reader, "The same directory on another mount of it (nosharecache)")
      ->transform(not_empty())
      ->required();
  command->add_option("--duration", *duration)->transform(a_duration())->capture_default_str();
  command->callback([&line, writer, reader, duration] {
    line.chosen = [=] {
      check_mounts({*writer});
      check_mounts({*reader});
      const SignalWatch signals;
      std::cout << staleness_text(
          staleness_figures(measure_staleness(*writer, *reader, parse_duration(*duration, "--duration"), signals.token())));
      return exit_status::done;
    };
  });
}

void add_compare_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand("compare", "A against B: volumes, or mount tunings of one export");
  const auto options = std::make_shared<CompareOptions>();
  options->add_to(*command);
  command->callback([&line, options] {
    line.chosen = [&line, options] {
      options->load.talk.apply();
      return Comparison(*options, line.arguments).carry_out();
    };
  });
}

}  // namespace edagen
