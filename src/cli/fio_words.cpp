#include "cli/fio_words.hpp"

#include <fmt/format.h>

#include <map>

#include "cli/shell_word.hpp"

namespace edagen {

std::string text_of(const FioNote& note) {
  static const std::map<std::string, std::string> ours{
      {"size", "--duration"},   {"filename", "--mount"},     {"stonewall", "--job"}, {"randseed", "--seed"},
      {"randrepeat", "--seed"}, {"allrandrepeat", "--seed"}, {"thinktime", "--rate"}};
  const auto option = ours.find(note.option);
  return fmt::format("[{}] {}: {}", note.job, note.option, note.what) +
         (option == ours.end() ? "" : fmt::format(" ({})", option->second));
}

std::string command_for(const FioImport& import, const std::string& workload) {
  std::string command = "edagen --workload " + shell_word(workload);
  if (import.duration) command += " --duration " + *import.duration;
  if (import.warmup) command += " --warmup " + *import.warmup;
  if (import.directory) command += " --mount " + shell_word(*import.directory);
  if (import.drop_caches) command += " --drop-caches";
  return command;
}

}  // namespace edagen
