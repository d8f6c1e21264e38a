#include "workload/fio_sections.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <sstream>

#include "edagen/error.hpp"
#include "workload/fio_option.hpp"
#include "workload/fio_refusals.hpp"
#include "workload/fio_term.hpp"

namespace edagen {
namespace {

constexpr std::size_t longest_line = 4096, longest_name = 128, most_options = 200, most_sections = 100;
constexpr int deepest_include = 8;

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

/// Replaces ${NAME} by the variable of the environment.
std::string with_variables(std::string text, const FioWord& word, const FioHost& host) {
  for (std::size_t at = 0; (at = text.find("${", at)) != std::string::npos;) {
    const auto end = text.find('}', at);
    if (end == std::string::npos) word.refuse(fmt::format("'{}' has a '${{' without an end", text));
    const std::string name = text.substr(at + 2, end - at - 2);
    const char* const value = host.variable ? host.variable(name) : nullptr;
    if (value == nullptr)
      word.refuse(fmt::format("${{{}}} is not in the environment", name), fmt::format("{}=VALUE edagen ...", name));
    text.replace(at, end + 1 - at, value);
    at += std::string_view(value).size();
    if (text.size() > longest_line) word.refuse(fmt::format("is longer than {} characters", longest_line));
  }
  return text;
}

double no_unit(const std::string& unit, const FioWord& word) {
  if (!unit.empty()) word.refuse(fmt::format("'{}' has a unit in what is calculated", word.text()));
  return 1;
}

/// Replaces $ncpus, $mb_memory and $pagesize, and computes products with them, as fio does by bc.
std::string with_keywords(std::string text, FioWord word, const FioHost& host) {
  bool replaced = false;
  for (const auto& [name, value] :
       {std::pair{"$ncpus", host.cpus}, {"$mb_memory", host.memory_mb}, {"$pagesize", host.page_bytes}})
    for (std::size_t at = 0; (at = text.find(name)) != std::string::npos; replaced = true)
      text.replace(at, std::string_view(name).size(), std::to_string(value));
  if (!replaced || text.find_first_of("*/+-") == std::string::npos || text.starts_with('(')) return text;
  word.value = text;
  return fmt::format("{:.0f}", std::trunc(fio_term(text, word, no_unit)));
}

/// Pairs of options for one setting: the later word overrules the earlier one.
const std::map<std::string, std::string> opposites{
    {"direct", "buffered"}, {"buffered", "direct"}, {"rwmixread", "rwmixwrite"}, {"rwmixwrite", "rwmixread"}};

using Words = std::map<std::string, FioWord>;

/// Options with a value for each direction.
const std::set<std::string> of_directions{"ba", "bs", "bsrange", "bssplit", "percentage_random", "rate", "rate_iops"};

/// The value of an option that is given again. As in fio, it keeps the files that were named before, and the values of
/// directions that the later word leaves out.
std::string with_earlier(const std::string& name, const FioWord& word, const FioWord& earlier) {
  if (name == "filename") return earlier.text() + ":" + word.text();
  if (!of_directions.contains(name)) return word.text();
  const FioDirections now = fio_directions(word), before = fio_directions(earlier);
  if (now[0] && now[1]) return word.text();
  return now[0].value_or(before[0].value_or("")) + "," + now[1].value_or(before[1].value_or(""));
}

void put(Words& words, FioWord word, const FioHost& host, FioRefusalList& refused) {
  refused.attempt([&] {
    if (word.value) word.value = with_keywords(with_variables(*word.value, word, host), word, host);
  });
  const std::string written = word.option.substr(word.option.starts_with("--") ? 2 : 0);
  const FioOption* const known = fio_option(written);
  const std::string name = known == nullptr || known->name().empty() ? written : known->name();
  if (words.size() == most_options && !words.contains(name))
    throw usage_error(word.where, fmt::format("more than {} options in a section", most_options));
  if (const auto opposite = opposites.find(name); opposite != opposites.end()) words.erase(opposite->second);
  if (const auto earlier = words.find(name);
      earlier != words.end() && earlier->second.value && word.value && !word.value->empty())
    refused.attempt([&] { word.value = with_earlier(name, word, earlier->second); });
  words[name] = std::move(word);
}

int kb_base_of(const Words& words) {
  const auto base = words.find("kb_base");
  return base != words.end() && base->second.text() == "1000" ? 1000 : 1024;
}

/// Applies kb_base to all values of its section of a file, wherever it stands there.
void use_kb_base(Words& words, const std::string& section_where) {
  const int base = kb_base_of(words);
  for (auto& [name, word] : words)
    if (word.where.ends_with(section_where)) word.kb_base = base;
}

class JobFile {
 public:
  JobFile(const FioHost& host, Words global) : host_(host), global_(std::move(global)) {}

  std::vector<FioSection> sections(const std::string& text, const std::string& where) {
    read(text, where, 0);
    end_section();
    refused_.throw_any();
    if (sections_.empty()) throw usage_error(where, "has no job section");
    return std::move(sections_);
  }

 private:
  void read(const std::string& text, const std::string& where, int depth) {
    std::istringstream lines(text);
    int number = 0;
    for (std::string raw; std::getline(lines, raw);) {
      const std::string at = fmt::format("{}:{}", where, ++number);
      const std::string line = trimmed(std::string_view(raw).substr(0, raw.find_first_of(";#")));
      if (line.empty()) continue;
      if (line.size() > longest_line)
        throw usage_error(at, fmt::format("a line is longer than {} characters", longest_line));
      if (line.front() == '[') {
        if (depth > 0) throw usage_error(at, "an included file has a section");
        begin_section(line, at);
      } else if (current_ == nullptr) {
        throw usage_error(at, "an option before the first [section]");
      } else if (line.starts_with("include") && line.find_first_of(" \t=") == 7) {
        include(trimmed(std::string_view(line).substr(8)), where, at, depth);
      } else {
        const auto equals = line.find('=');
        FioWord word{trimmed(std::string_view(line).substr(0, equals)), std::nullopt, at + " " + title_};
        if (equals != std::string::npos) word.value = trimmed(std::string_view(line).substr(equals + 1));
        put(*current_, std::move(word), host_, refused_);
      }
    }
  }

  void begin_section(const std::string& line, const std::string& at) {
    if (line.back() != ']' || line.size() < 3) throw usage_error(at, "is not a section like [name]");
    const std::string name = line.substr(1, line.size() - 2);
    if (name.size() > longest_name)
      throw usage_error(at, fmt::format("a name is longer than {} characters", longest_name));
    if (sections_.size() == most_sections) throw usage_error(at, fmt::format("more than {} sections", most_sections));
    end_section();
    title_ = line;
    const bool is_global = name.starts_with("global");
    if (!is_global) sections_.push_back({name, at + " " + line, global_, false});
    current_ = is_global ? &global_ : &sections_.back().words;
  }

  void end_section() {
    if (current_ != nullptr) use_kb_base(*current_, " " + title_);
    current_ = nullptr;
  }

  void include(const std::string& path, const std::string& from, const std::string& at, int depth) {
    if (depth == deepest_include) throw usage_error(at, "files include each other without end");
    if (!host_.read_file) throw usage_error(at, "include is not followed here", "put the options here");
    const auto slash = from.rfind('/');
    // fio looks in the current directory first.
    const bool found = path.starts_with('/') || (host_.has_file && host_.has_file(path));
    const bool beside = !found && slash != std::string::npos;
    const std::string file = beside ? from.substr(0, slash + 1) + path : path;
    read(host_.read_file(file), file, depth + 1);
  }

  const FioHost& host_;
  Words global_;
  std::vector<FioSection> sections_;
  Words* current_ = nullptr;
  std::string title_;
  FioRefusalList refused_;
};

}  // namespace

const FioWord* FioSection::find(const std::string& option) const {
  const auto found = words.find(option);
  return found == words.end() ? nullptr : &found->second;
}

std::vector<FioSection> fio_file_sections(const std::string& text, const std::string& where, const FioHost& host,
                                          std::map<std::string, FioWord> global) {
  return JobFile(host, std::move(global)).sections(text, where);
}

namespace {

/// Options of fio's program, not of its jobs, with the number of their values.
const std::map<std::string, int> program_options{
    {"output", 1},       {"output-format", 1},  {"bandwidth-log", 0},  {"minimal", 0},
    {"append-terse", 0}, {"terse-version", 1},  {"showcmd", 0},        {"readonly", 0},
    {"eta", 1},          {"eta-interval", 1},   {"eta-newline", 1},    {"status-interval", 1},
    {"section", 1},      {"alloc-size", 1},     {"warnings-fatal", 0}, {"max-jobs", 1},
    {"client", 1},       {"idle-prof", 1},      {"inflate-log", 1},    {"trigger-file", 1},
    {"trigger", 1},      {"trigger-remote", 1}, {"aux-path", 1},       {"trigger-timeout", 1},
    {"debug", 1},        {"parse-only", 0},     {"latency-log", 0},    {"merge-blktrace-only", 0},
    {"daemonize", 1},    {"remote-config", 1}};

/// An option of a command line, with its value in the same word or in the next.
struct Argument {
  std::string option;
  std::optional<std::string> value;
  bool lacks_value = false;
};

class Arguments {
 public:
  explicit Arguments(const std::vector<std::string>& words) : words_(words) {
    while (at_ < words_.size() && (words_[at_] == "sudo" || words_[at_] == "fio" || words_[at_].ends_with("/fio")))
      ++at_;
  }
  bool done() const { return at_ == words_.size(); }
  bool is_option() const { return words_[at_].size() > 1 && words_[at_].front() == '-'; }
  std::string word() { return words_[at_++]; }

  Argument option() {
    const std::string word = words_[at_++];
    const auto equals = word.find('=');
    Argument argument{name_in(word), std::nullopt};
    if (equals != std::string::npos) argument.value = word.substr(equals + 1);
    else if (takes_value(argument.option) && !done() && !(is_option() && is_known(name_in(words_[at_]))))
      argument.value = words_[at_++];
    const FioOption* const known = fio_option(argument.option);
    const bool needs = known != nullptr ? needs_value(*known) : takes_value(argument.option);
    argument.lacks_value = needs && argument.value.value_or("").empty();
    return argument;
  }

 private:
  /// The name of the option that a word begins with.
  static std::string name_in(const std::string& word) {
    const std::string name = word.substr(word.starts_with("--") ? 2 : 1);
    return whole_name(name.substr(0, name.find('=')));
  }
  static bool is_known(const std::string& option) {
    return program_options.contains(option) || fio_option(option) != nullptr;
  }
  /// getopt takes the beginning of a name for the name, unless another name begins so, too.
  static std::string whole_name(const std::string& written) {
    if (is_known(written)) return written;
    std::vector<std::string> names = fio_options_beginning(written);
    for (const auto& [name, values] : program_options)
      if (name.starts_with(written)) names.push_back(name);
    return names.size() == 1 ? names.front() : written;
  }
  static bool takes_value(const std::string& option) {
    if (const auto program = program_options.find(option); program != program_options.end())
      return program->second == 1;
    const FioOption* const known = fio_option(option);
    return known != nullptr && std::string_view(known->type) != "flag";
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
};

}  // namespace

FioCommandLine fio_command_line(const std::vector<std::string>& words, const FioHost& host) {
  FioCommandLine line;
  Words global;
  Words* current = &global;
  std::string title = "fio";
  FioRefusalList refused;
  for (Arguments arguments(words); !arguments.done();) {
    if (!arguments.is_option()) {
      line.files.push_back(arguments.word());
      continue;
    }
    Argument argument = arguments.option();
    if (argument.lacks_value) {
      refused.add(usage_error(title + " --" + argument.option, "has no value"));
      continue;
    }
    if (program_options.contains(argument.option)) {
      if (argument.option == "section") line.jobs.push_back(argument.value.value_or(""));
      if (argument.option == "client") line.client += (line.client.empty() ? "" : ", ") + argument.value.value_or("");
      if (argument.option == "readonly") line.is_readonly = true;
      continue;
    }
    if (fio_option(argument.option) == nullptr) {
      refused.add(usage_error(title + " " + argument.option, "is no option of fio", fio_option_hint(argument.option)));
      continue;
    }
    if (argument.option != "name") {
      // Other than in a file, kb_base is of what follows it.
      put(*current, {"--" + argument.option, argument.value, title, kb_base_of(*current)}, host, refused);
      continue;
    }
    const std::string name = argument.value.value_or("");
    if (name.size() > longest_name)
      throw usage_error("fio name", fmt::format("a name is longer than {} characters", longest_name));
    if (line.sections.size() == most_sections)
      throw usage_error("fio name", fmt::format("more than {} jobs", most_sections));
    title = name.starts_with("global") ? "fio" : "fio [" + name + "]";
    if (!name.starts_with("global")) line.sections.push_back({name, title, global, false});
    current = name.starts_with("global") ? &global : &line.sections.back().words;
  }
  refused.throw_any();
  line.global = std::move(global);
  return line;
}

}  // namespace edagen
