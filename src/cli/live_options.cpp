#include "cli/live_options.hpp"

#include <spdlog/spdlog.h>

#include <array>
#include <memory>

#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "live/metrics_text.hpp"

namespace edagen {
namespace {

/// The text is made once for each change, for all readers.
MetricsServer::Text text_of(const LiveRun& run) {
  struct Kept {
    std::uint64_t version = ~std::uint64_t{0};
    std::shared_ptr<const std::string> text;
  };
  return [&run, texts = std::array<Kept, 2>()](bool open) mutable {
    const std::uint64_t version = run.version();
    Kept& entry = texts[open ? 1 : 0];
    if (!entry.text || entry.version != version)
      entry = {version, std::make_shared<const std::string>(
                            metrics_text(run.state(), open ? MetricsFormat::open_metrics : MetricsFormat::prometheus))};
    return entry.text;
  };
}

}  // namespace

void LiveOptions::add_to(CLI::App& app) {
  OptionGroup output(app, "Output");
  output.parsed(
      "--metrics [ADDRESS:]PORT", [this](const std::string& text) { metrics = parse_endpoint(text, ""); },
      "Serve metrics for Prometheus while running, at http://ADDRESS:PORT/metrics; a PORT alone is on "
      "127.0.0.1");
  output.parsed(
      "--metrics-file FILE",
      [this](const std::string& text) {
        if (text.empty() || text == "-") throw usage_error("", text.empty() ? "is empty" : "'-' is no file");
        metrics_file = text;
      },
      "Keep the metrics in a file for node_exporter's textfile collector: DIRECTORY/edagen.prom");
  output.text("--interval-csv FILE", interval_csv, "Write a line of CSV for each interval as it ends; - is stdout");
  output.text("--hdr-log FILE", hdr_log,
              "Write the latencies of each interval that is measured as a HdrHistogram log; - is stdout");
}

std::vector<Place> LiveOptions::places() const {
  std::vector<Place> all;
  for (const auto& [name, path] :
       {std::pair("--metrics-file", &metrics_file), {"--interval-csv", &interval_csv}, {"--hdr-log", &hdr_log}})
    if (!path->empty()) all.push_back({name, *path});
  return all;
}

std::vector<Nanos> latency_targets(const RunPlan& plan) {
  const auto* const curve = std::get_if<CurvePlan>(&plan.measurement);
  return curve ? curve->targets : std::vector<Nanos>();
}

std::vector<Nanos> latency_targets(const ComparisonPlan& plan) { return latency_targets(plan.variants.front().plan); }

LiveOutputs::LiveOutputs(const LiveOptions& options, const LiveRun& run, const EventSink& emit, Nanos stuck_after,
                         std::stop_token stop)
    : stop_(std::move(stop)), stream_watch_(emit, stuck_after), file_watch_(emit, stuck_after) {
  stream_watch_.end_with(stop_);
  if (!options.interval_csv.empty())
    interval_csv_.emplace(Place{"--interval-csv", options.interval_csv}, stream_watch_);
  if (!options.hdr_log.empty()) hdr_log_.emplace(Place{"--hdr-log", options.hdr_log}, stream_watch_);
  if (options.metrics) {
    metrics_.emplace(*options.metrics, "--metrics " + to_string(*options.metrics), text_of(run));
    spdlog::info("metrics are at {}", metrics_->url());
  }
  if (!options.metrics_file.empty())
    metrics_file_.emplace(Place{"--metrics-file", options.metrics_file}, run, file_watch_);
}

void LiveOutputs::observe(const Event& event) {
  if (interval_csv_) interval_csv_->observe(event);
  if (hdr_log_) hdr_log_->observe(event);
}

std::vector<const Stream*> LiveOutputs::streams() const {
  std::vector<const Stream*> all;
  if (interval_csv_) all.push_back(&interval_csv_->stream());
  if (hdr_log_) all.push_back(&hdr_log_->stream());
  return all;
}

std::vector<std::string> LiveOutputs::write_failures() const {
  std::vector<std::string> all;
  for (const Stream* const stream : streams())
    if (std::string failure = stream->write_failure(); !failure.empty()) all.push_back(std::move(failure));
  return all;
}

bool LiveOutputs::finish() {
  file_watch_.end_with(stop_);  // not before: the session may end whatever becomes of this file
  bool whole = !metrics_file_ || metrics_file_->finish();
  StuckWatch::Thread self(stream_watch_);
  for (const Stream* const stream : streams()) {
    self.call_started("storing", stream->name());
    const std::string lost = stream->lost_in_storage();
    if (lost.empty()) continue;
    spdlog::error("{}: {}", stream->name(), lost);
    whole = false;
  }
  return whole;
}

}  // namespace edagen
