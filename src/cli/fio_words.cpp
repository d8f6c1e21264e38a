#include "cli/fio_words.hpp"

#include <fmt/format.h>

#include <map>

#include "base/words.hpp"
#include "workload/fio_option.hpp"

namespace edagen {

namespace {

using Equivalents = std::map<std::string, std::string>;

/// "" when there is none.
std::string equivalent(const Equivalents& all, const std::string& option) {
  const auto found = all.find(option);
  return found == all.end() ? "" : found->second;
}

}  // namespace

std::string text_of(const FioNote& note) {
  static const Equivalents ours{
      {"size", "--duration"},    {"loops", "--duration"},       {"number_ios", "--duration"},
      {"io_size", "--duration"}, {"steadystate", "--duration"}, {"filename", "--mount"},
      {"randseed", "--seed"},    {"randrepeat", "--seed"},      {"allrandrepeat", "--seed"},
      {"thinktime", "--rate"},   {"iodepth", "--io-depth"},     {"latency_target", "edagen curve --latency-target"}};
  const std::string option = equivalent(ours, note.option);
  return fmt::format("[{}] {}: {}", note.job, note.option, note.what) +
         (option.empty() ? "" : fmt::format(" ({})", option));
}

std::string fio_word_hint(const std::string& word) {
  static const Equivalents ours{{"runtime", "--duration TIME"},
                                {"ramp_time", "--warmup TIME"},
                                {"size", "--file-size SIZE, the size of each file"},
                                {"filesize", "--file-size SIZE"},
                                {"nrfiles", "--dataset-scale FACTOR"},
                                {"directory", "--mount DIR"},
                                {"filename", "--mount DIR, a directory"},
                                {"output", "--json FILE"},
                                {"output-format", "--json FILE"},
                                {"status-interval", "--interval-csv FILE"},
                                {"eta", "--progress WHEN"},
                                {"loops", "--repeat N"},
                                {"numjobs", "--procs N"},
                                {"iodepth", "--io-depth N"},
                                {"ioengine", "--io-engine ENGINE"},
                                {"rwmixread", "--read-percent PERCENT"},
                                {"rate_iops", "--rate RATE"},
                                {"randseed", "--seed N"},
                                {"invalidate", "--drop-caches"},
                                {"fsync_on_close", "--fsync close"},
                                {"end_fsync", "--fsync end"},
                                {"client", "--clients N for simulated clients; mpirun starts edagen on each host"},
                                {"latency_target", "edagen curve --latency-target TIME"}};
  const FioOption* const option = fio_option(word);
  std::string here = equivalent(ours, word);
  if (here.empty() && option != nullptr) here = equivalent(ours, option->name());
  if (!here.empty()) return "fio's; here: " + here;
  return option == nullptr ? "" : "fio's; edagen workloads import-fio makes a workload file of fio's options";
}

std::string client_text(const std::string& hosts) {
  return fmt::format("client: '{}': edagen is started on many hosts by mpirun (mpirun --host A,B edagen ...)", hosts);
}

std::string command_for(const FioImport& import, const std::string& workload) {
  std::string command = "edagen --workload " + shell_word(workload);
  if (import.duration) command += " --duration " + *import.duration;
  if (import.warmup) command += " --warmup " + *import.warmup;
  if (import.arrivals) command += " --arrivals " + *import.arrivals;
  if (import.clients > 1) command += fmt::format(" --clients {}", import.clients);
  for (const std::string& directory : import.directories) command += " --mount " + shell_word(directory);
  if (import.drop_caches) command += " --drop-caches";
  return command;
}

}  // namespace edagen
