#include "live/metrics_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/version.hpp"
#include "edagen/error.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

/// In quotes, with what the formats escape escaped; UTF-8, whatever it was.
std::string quoted(const std::string& text) { return dumped(Document(one_line(text, std::string::npos))); }

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "NaN"; }

/// As OpenMetrics writes the bounds of buckets: with a point or an exponent.
std::string bound_text(Nanos bound) {
  std::string text = number(to_seconds(bound));
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

class Metrics {
 public:
  explicit Metrics(MetricsFormat format) : open_(format == MetricsFormat::open_metrics) {}

  /// What follows is of this family. `unit`: the end of its name, where it has one.
  void family(std::string_view name, std::string_view type, std::string_view help, std::string_view unit = "") {
    name_ = name;
    suffix_ = type == "counter" ? "_total" : "";
    const std::string named = name_ + (open_ ? "" : suffix_);
    text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", named, help, named, type);
    if (open_ && !unit.empty()) text_ += fmt::format("# UNIT {} {}\n", named, unit);
  }
  void sample(const Labels& labels, double value) { line(suffix_, labels, number(value)); }
  void sample(const Labels& labels, std::uint64_t value) { line(suffix_, labels, fmt::format("{}", value)); }
  void histogram(Labels labels, const BoundedHistogram& histogram, const std::vector<Nanos>& bounds) {
    const Labels alone = labels;
    labels.emplace_back("le", "");
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
      below += histogram.counts[i];
      labels.back().second = i < bounds.size() ? bound_text(bounds[i]) : "+Inf";
      line("_bucket", labels, fmt::format("{}", below));
    }
    line("_sum", alone, number(histogram.seconds));
    line("_count", alone, fmt::format("{}", histogram.count));
  }
  /// A summary without quantiles.
  void sum(const Labels& labels, double seconds, std::uint64_t count) {
    line("_sum", labels, number(seconds));
    line("_count", labels, fmt::format("{}", count));
  }
  std::string finished() && { return std::move(text_) + (open_ ? "# EOF\n" : ""); }

 private:
  void line(std::string_view suffix, const Labels& labels, const std::string& value) {
    text_ += name_;
    text_ += suffix;
    for (std::size_t i = 0; i < labels.size(); ++i)
      text_ += fmt::format("{}{}={}", i == 0 ? "{" : ",", labels[i].first, quoted(labels[i].second));
    text_ += labels.empty() ? " " : "} ";
    text_ += value;
    text_ += '\n';
  }

  const bool open_;
  std::string text_, name_, suffix_;
};

std::uint64_t of_bytes(std::int64_t bytes) { return static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 0)); }

void add_kinds(Metrics& metrics, const LiveState& state) {
  const auto each = [&](auto f) {
    for (const OpKind kind : all_op_kinds()) {
      const KindTotals& total = state.totals[static_cast<std::size_t>(kind)];
      if (total.operations > 0 || total.service.count > 0) f(Labels{{"op", std::string(to_string(kind))}}, total);
    }
  };
  metrics.family("edagen_ops", "counter", "Ops that have ended, failed ones included, in warm-ups and windows.");
  each([&](const Labels& labels, const KindTotals& kind) { metrics.sample(labels, kind.operations); });
  metrics.family("edagen_op_errors", "counter", "Ops that have failed.");
  each([&](const Labels& labels, const KindTotals& kind) { metrics.sample(labels, kind.errors); });
  metrics.family("edagen_read_bytes", "counter", "Bytes that ops have read.", "bytes");
  each([&](const Labels& labels, const KindTotals& kind) { metrics.sample(labels, of_bytes(kind.bytes_read)); });
  metrics.family("edagen_written_bytes", "counter", "Bytes that ops have written.", "bytes");
  each([&](const Labels& labels, const KindTotals& kind) { metrics.sample(labels, of_bytes(kind.bytes_written)); });
  metrics.family("edagen_response_seconds", "histogram", "From the intended start of an op to its end.", "seconds");
  each([&](const Labels& labels, const KindTotals& kind) { metrics.histogram(labels, kind.response, state.bounds); });
  metrics.family("edagen_service_seconds", "histogram", "From the actual start of an op to its end.", "seconds");
  each([&](const Labels& labels, const KindTotals& kind) { metrics.histogram(labels, kind.service, state.bounds); });
}

void add_clients(Metrics& metrics, const LiveState& state) {
  std::map<Labels, ClientTotal> all;
  for (const auto& [mounts, clients] : state.clients_totals)
    for (std::size_t i = 0; i < clients.size(); ++i) {
      Labels labels;
      if (clients.size() <= most_client_metrics) labels.emplace_back("client", std::to_string(i));
      if (!mounts.empty()) labels.emplace_back("mount", mounts[i % mounts.size()]);
      all[std::move(labels)].merge(clients[i]);
    }
  metrics.family("edagen_client_ops", "counter", "Ops of a client that have ended.");
  for (const auto& [labels, client] : all) metrics.sample(labels, client.counts.operations);
  metrics.family("edagen_client_errors", "counter", "Ops of a client that have failed.");
  for (const auto& [labels, client] : all) metrics.sample(labels, client.counts.errors);
  metrics.family("edagen_client_bytes", "counter", "Bytes that ops of a client have read and written.", "bytes");
  for (const auto& [labels, client] : all) metrics.sample(labels, of_bytes(client.counts.bytes));
  metrics.family("edagen_client_response_seconds", "summary",
                 "From the intended start of an op of a client to its end; outstanding ops count with their age.",
                 "seconds");
  for (const auto& [labels, client] : all) metrics.sum(labels, client.response_seconds, client.timed_responses);
  metrics.family("edagen_client_service_seconds", "summary", "From the actual start of an op of a client to its end.",
                 "seconds");
  for (const auto& [labels, client] : all) metrics.sum(labels, client.service_seconds, client.timed_services);
}

void add_load_point(Metrics& metrics, const LiveState& state) {
  metrics.family("edagen_stage", "gauge", "1 for what edagen does now, 0 for the others.");
  for (std::size_t i = 0; i < enum_names<Stage>.size(); ++i)
    metrics.sample({{"stage", std::string(enum_names<Stage>[i])}},
                   std::uint64_t{static_cast<std::size_t>(state.stage) == i});
  metrics.family("edagen_load_points", "counter", "Load points that were measured.");
  metrics.sample({}, state.load_points);
  if (state.runs == 0) return;
  metrics.family("edagen_load_point", "gauge", "Number of the current load point, from 1, and what it is for.");
  metrics.sample({{"purpose", state.purpose}}, std::uint64_t{state.point});
  if (state.requested_ops_per_sec) {
    metrics.family("edagen_requested_ops_per_second", "gauge", "Op rate that the current load point asks for.");
    metrics.sample({}, *state.requested_ops_per_sec);
  }
  metrics.family("edagen_generator_lag_mean_seconds", "gauge",
                 "Mean delay of starts that is the generator's own, in the last interval.", "seconds");
  metrics.sample({}, state.generator_lag.mean.count() / 1e3);
  if (state.estimates.empty()) return;
  const auto estimates = [&](const char* name, const char* help, auto value) {
    metrics.family(name, "gauge", help);
    for (const auto& [target, answer] : state.estimates)
      metrics.sample({{"target_seconds", number(to_seconds(target))}}, static_cast<double>(value(answer)));
  };
  estimates("edagen_estimate_ops_per_second", "Op rate at the latency target, as the search knows it by now.",
            [](const AtTarget& answer) { return answer.ops_per_sec; });
  estimates("edagen_estimate_low_ops_per_second", "Lower end of the 95 % interval of the estimate.",
            [](const AtTarget& answer) { return answer.low; });
  estimates("edagen_estimate_high_ops_per_second", "Upper end of the 95 % interval of the estimate.",
            [](const AtTarget& answer) { return answer.high; });
  estimates("edagen_estimate_valid", "1 when the estimate would be a valid answer.",
            [](const AtTarget& answer) { return answer.invalid.empty() ? 1 : 0; });
}

}  // namespace

std::string metrics_text(const LiveState& state, MetricsFormat format) {
  Metrics metrics(format);
  metrics.family("edagen_run_info", "gauge", "What is measured.");
  metrics.sample({{"version", std::string(program_version)}, {"workload", state.workload}}, std::uint64_t{1});
  metrics.family("edagen_running", "gauge", "1 while edagen is at work, 0 when the figures are the last ones.");
  metrics.sample({}, std::uint64_t{state.stage != Stage::is_over});
  metrics.family("edagen_dataset_built_ratio", "gauge", "Share of the dataset that is there.", "ratio");
  const bool is_built =
      state.runs > 0 && state.stage != Stage::builds_dataset;  // each run of a comparison may build one
  metrics.sample({}, is_built ? 1.0 : state.build.directories > 0 ? state.build.share() : 0.0);
  add_load_point(metrics, state);
  add_kinds(metrics, state);
  add_clients(metrics, state);
  metrics.family("edagen_ops_outstanding", "counter", "Ops that had not ended when the wait for them was over.");
  metrics.sample({}, state.outstanding);
  return std::move(metrics).finished();
}

}  // namespace edagen
