#include "cli/fio_words.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/shell_word.hpp"

namespace edagen {

std::string text_of(const FioNote& note) {
  static const std::map<std::string, std::string> ours{
      {"size", "--duration"},    {"loops", "--duration"},       {"number_ios", "--duration"},
      {"io_size", "--duration"}, {"steadystate", "--duration"}, {"filename", "--mount"},
      {"randseed", "--seed"},    {"randrepeat", "--seed"},      {"allrandrepeat", "--seed"},
      {"thinktime", "--rate"},   {"iodepth", "--io-depth"},     {"latency_target", "edagen curve --latency-target"}};
  const auto option = ours.find(note.option);
  return fmt::format("[{}] {}: {}", note.job, note.option, note.what) +
         (option == ours.end() ? "" : fmt::format(" ({})", option->second));
}

std::string client_text(const std::string& hosts) {
  return fmt::format("client: '{}': edagen is started on many hosts by mpirun (mpirun --host A,B edagen ...)", hosts);
}

std::string command_for(const FioImport& import, const std::string& workload) {
  std::string command = "edagen --workload " + shell_word(workload);
  if (import.duration) command += " --duration " + *import.duration;
  if (import.warmup) command += " --warmup " + *import.warmup;
  if (import.arrivals) command += " --arrivals " + *import.arrivals;
  for (const std::string& directory : import.directories) command += " --mount " + shell_word(directory);
  if (import.drop_caches) command += " --drop-caches";
  return command;
}

}  // namespace edagen
