#include "workload/fio_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "edagen/workload.hpp"

namespace edagen {
namespace {

using nlohmann::ordered_json;
using Options = std::map<std::string, std::string>;

/// Options that change nothing of what is done to the storage, or ask for what edagen always does.
const std::set<std::string> meant_anyway{"group_reporting",
                                         "thread",
                                         "name",
                                         "description",
                                         "norandommap",
                                         "time_based",
                                         "fallocate",
                                         "eta",
                                         "output",
                                         "output-format",
                                         "write_bw_log",
                                         "write_iops_log",
                                         "write_lat_log",
                                         "log_avg_msec",
                                         "refill_buffers",
                                         "scramble_buffers",
                                         "gtod_reduce",
                                         "clocksource",
                                         "iodepth_batch",
                                         "iodepth_batch_submit",
                                         "iodepth_batch_complete",
                                         "iodepth_batch_complete_min",
                                         "iodepth_batch_complete_max",
                                         "iodepth_low",
                                         "hipri",
                                         "registerfiles",
                                         "fixedbufs",
                                         "sqthread_poll",
                                         "create_serialize",
                                         "disable_lat",
                                         "disable_clat",
                                         "disable_slat",
                                         "percentile_list",
                                         "overwrite",
                                         "lat_percentiles",
                                         "clat_percentiles",
                                         "unlink",
                                         "bandwidth-log",
                                         "status-interval"};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r"), last = text.find_last_not_of(" \t\r");
  return first == std::string_view::npos ? "" : std::string(text.substr(first, last - first + 1));
}

constexpr std::int64_t largest_whole = 1'000'000'000'000;
constexpr std::size_t longest_line = 1024, longest_name = 128, most_options = 200, most_sections = 100;

struct Section {
  std::string name;
  Options options;  ///< with those of [global] before it
};

std::vector<Section> sections_of(const std::string& text, const std::string& where) {
  std::vector<Section> sections;
  Options global;
  Options* current = nullptr;
  std::istringstream lines(text);
  int number = 0;
  for (std::string raw; std::getline(lines, raw);) {
    ++number;
    const std::string line = trimmed(raw.substr(0, raw.find_first_of(";#")));
    if (line.empty()) continue;
    const std::string at = fmt::format("{}:{}", where, number);
    if (line.size() > longest_line)
      throw usage_error(at, fmt::format("a line is longer than {} characters", longest_line));
    if (line.front() == '[') {
      if (line.back() != ']' || line.size() < 3) throw usage_error(at, "is not a section like [name]");
      const std::string name = line.substr(1, line.size() - 2);
      if (name.size() > longest_name)
        throw usage_error(at, fmt::format("a name is longer than {} characters", longest_name));
      if (sections.size() == most_sections) throw usage_error(at, fmt::format("more than {} sections", most_sections));
      if (name != "global") sections.push_back({name, global});
      current = name == "global" ? &global : &sections.back().options;
      continue;
    }
    if (current == nullptr) throw usage_error(at, "an option before the first [section]");
    if (line.starts_with("include ")) throw usage_error(at, "include is not followed", "put its options here");
    if (current->size() == most_options)
      throw usage_error(at, fmt::format("more than {} options in a section", most_options));
    const auto equals = line.find('=');
    (*current)[trimmed(line.substr(0, equals))] = equals == std::string::npos ? "1" : trimmed(line.substr(equals + 1));
  }
  if (sections.empty()) throw usage_error(where, "has no job section");
  return sections;
}

class Job {
 public:
  Job(Section section, const std::string& where, FioImport& import)
      : name_(section.name), options_(std::move(section.options)), where_(where), import_(import) {}

  ordered_json workload() {
    ordered_json made = {{"schema", "edagen.workload/1"}, {"name", safe_name()}, {"phase", "custom"}};
    made["description"] = fmt::format("[{}] of {}", name_, where_.substr(where_.rfind('/') + 1));
    made["procs_per_job_set"] = std::max<std::int64_t>(1, whole("numjobs").value_or(1));
    made["ops_per_sec_per_proc"] = "max";
    mix(made);
    sizes(made);
    rate(made);
    io(made);
    data(made);
    run_options();
    for (const auto& [option, value] : options_)
      if (!meant_anyway.contains(option)) note(option, fmt::format("'{}' has no equivalent", value));
    return made;
  }

 private:
  /// Takes an option, under any of its names.
  std::optional<std::string> take(std::initializer_list<const char*> names) {
    std::optional<std::string> value;
    for (const char* const name : names)
      if (const auto found = options_.find(name); found != options_.end()) {
        value = found->second;
        options_.erase(found);
      }
    return value;
  }
  [[noreturn]] void refuse(const std::string& option, const std::string& what, const std::string& hint = "") const {
    throw usage_error(fmt::format("{} [{}] {}", where_, name_, option), what, hint);
  }
  void note(const std::string& option, const std::string& what) { import_.notes.push_back({name_, option, what}); }

  std::optional<std::int64_t> whole(const char* option) {
    const auto value = take({option});
    if (!value) return std::nullopt;
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (error != std::errc() || stop != value->data() + value->size() || number < 0 || number > largest_whole)
      refuse(option, fmt::format("'{}' is not a whole number from 0 to {}", *value, largest_whole));
    return number;
  }
  double percent(const std::string& option, const std::string& text) const {
    double number = 0;
    const auto [stop, error] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || stop != text.data() + text.size() || !(number >= 0 && number <= 100))
      refuse(option, fmt::format("'{}' is not a share of 0 to 100", text));
    return number;
  }
  bool is_set(const char* option) { return whole(option).value_or(0) != 0; }

  Bytes size(const std::string& option, const std::string& text) const {
    try {
      if (const Bytes bytes = parse_bytes(text, ""); bytes > 0) return bytes;
    } catch (const Error&) {
    }
    refuse(option, fmt::format("'{}' is not a size", text));
  }

  std::string safe_name() const {
    std::string name = name_;
    for (char& c : name)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
    return name;
  }

  void mix(ordered_json& made) {
    const std::string rw = take({"rw", "readwrite"}).value_or("read");
    engine_ = take({"ioengine"}).value_or("psync");
    const bool mapped = engine_ == "mmap";
    if (engine_ == "filestat") {
      made["op_mix"]["stat"] = 100;
      return;
    }
    random_ = rw.starts_with("rand");
    if (engine_.starts_with("file") || engine_.starts_with("net") || engine_ == "null" || engine_ == "cpuio")
      refuse("ioengine", fmt::format("'{}' does no I/O on files that a workload could express", engine_));
    double reads = 0;
    if (rw == "read" || rw == "randread") reads = 100;
    else if (rw == "rw" || rw == "readwrite" || rw == "randrw") reads = mixed_share();
    else if (rw != "write" && rw != "randwrite")
      refuse("rw", fmt::format("'{}' has no equivalent", rw), "read, write, rw, randread, randwrite or randrw");
    reads_ = reads > 0;
    writes_ = reads < 100;
    if (mapped && !random_) note("rw", "mmap is random with us");
    const char* const read = mapped ? "mmap_read" : random_ ? "read_rand" : "read_seq";
    const char* const write = mapped ? "mmap_write" : random_ ? "write_rand" : "write_seq";
    if (reads_) made["op_mix"][read] = reads;
    if (writes_) made["op_mix"][write] = 100 - reads;
    if (random_ && !options_.contains("norandommap"))
      note("norandommap",
           "blocks are drawn independently of each other, as with it; fio without it covers each block once first");
  }
  double mixed_share() {
    const auto read = whole("rwmixread"), write = whole("rwmixwrite");
    return static_cast<double>(write ? 100 - *write : read.value_or(50));
  }

  /// Of "4k-64k".
  ordered_json range_of(const char* option, const std::string& text) {
    const auto dash = text.find('-');
    if (dash == std::string::npos) refuse(option, fmt::format("'{}' is not low-high", text));
    return {{"uniform", {{"low", size(option, text.substr(0, dash))}, {"high", size(option, text.substr(dash + 1))}}}};
  }

  void sizes(ordered_json& made) {
    const std::int64_t files = std::max<std::int64_t>(1, whole("nrfiles").value_or(1));
    const auto total = take({"size"}), each = take({"filesize"});
    if (!total && !each) refuse("size", "is needed", "the file's size, such as size=4g");
    const auto is_range = [](const std::string& text) { return text.find('-') != std::string::npos; };
    for (const auto& text : {total, each})
      if (text && (text->ends_with('%') || (text == total && is_range(*text))))
        refuse("size", fmt::format("'{}' has no equivalent", *text), "give bytes");
    made["dataset"] = {{"data_files", files}};
    made["dataset"]["file_size"] = !each             ? ordered_json(size("size", *total) / files)
                                   : is_range(*each) ? range_of("filesize", *each)
                                                     : ordered_json(size("filesize", *each));

    const std::string blocks = take({"bs", "blocksize"}).value_or("4k");
    if (!reads_ && !writes_) return;
    const auto split = take({"bssplit"}), range = take({"bsrange", "blocksize_range"});
    const auto side = [&](std::size_t which) -> ordered_json {
      const std::string& list = split ? *split : range ? *range : blocks;
      const auto comma = list.find(',');
      const std::string mine = comma == std::string::npos || which == 0
                                   ? list.substr(0, comma)
                                   : list.substr(comma + 1, list.find(',', comma + 1) - comma - 1);
      if (split) return split_sizes(mine);
      if (range) return range_of("bsrange", mine);
      return size("bs", mine);
    };
    if (reads_) made["transfer"]["read"] = side(0);
    if (writes_) made["transfer"]["write"] = side(1);
    const ordered_json& first = made["transfer"][reads_ ? "read" : "write"];
    mean_size_ = first.is_number() ? first.get<double>() : 0;
    if (!random_ && engine_ != "mmap") return;
    const auto align = take({"ba", "blockalign"});
    made["access"] = {{"alignment", align               ? size("blockalign", *align)
                                    : first.is_number() ? first.get<Bytes>()
                                                        : 4 * KiB},
                      {"ops_per_open", files > 1 ? 1 : 1'000'000'000}};
  }
  /// "4k/10:64k/50:32k/40" or, in equal parts, "4k:64k".
  ordered_json split_sizes(const std::string& text) const {
    ordered_json weighted = ordered_json::array();
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ':');) {
      const auto slash = part.find('/');
      const std::string weight = slash == std::string::npos ? "" : part.substr(slash + 1);
      weighted.push_back({{"size", size("bssplit", part.substr(0, slash))},
                          {"weight", weight.empty() ? 1 : percent("bssplit", weight)}});
    }
    return {{"weighted", weighted}};
  }

  void rate(ordered_json& made) {
    if (const auto iops = take({"rate_iops"})) {
      double sum = 0;
      std::istringstream parts(*iops);
      for (std::string part; std::getline(parts, part, ',');)
        if (!part.empty()) sum += static_cast<double>(size("rate_iops", part));
      made["ops_per_sec_per_proc"] = sum;
    } else if (const auto bytes = take({"rate"}); bytes && mean_size_ > 0) {
      made["ops_per_sec_per_proc"] = static_cast<double>(size("rate", bytes->substr(0, bytes->find(',')))) / mean_size_;
    }
  }

  void io(ordered_json& made) {
    ordered_json io = ordered_json::object();
    const auto depth = whole("iodepth");
    const bool queues = engine_ == "libaio" || engine_ == "io_uring" || engine_ == "posixaio";
    if (depth.value_or(1) > 1 && queues) io["depth"] = std::min<std::int64_t>(*depth, deepest_io);
    else if (depth.value_or(1) > 1) note("iodepth", fmt::format("without effect on {}, there as here", engine_));
    if (depth.value_or(1) > deepest_io) note("iodepth", fmt::format("the deepest is {}", deepest_io));
    const auto buffered = whole("buffered");
    if (is_set("direct") || (buffered && *buffered == 0)) io["direct"] = true;
    if (is_set("fsync_on_close")) io["fsync"] = "close";
    if (is_set("end_fsync")) io["fsync"] = "end";
    if (!io.empty()) made["io"] = io;
    if (const auto sync = take({"sync"}); sync && *sync != "0" && *sync != "none") {
      made["write_percent"]["sync"] = 100;
      if (*sync == "dsync") note("sync", "O_SYNC instead of O_DSYNC");
    }
    for (const char* const option : {"fsync", "fdatasync"})
      if (const auto every = whole(option); every && *every > 0) {
        made["write_percent"]["commit"] = 100.0 / static_cast<double>(*every);
        note(option, fmt::format("an fsync within a random one of {} writes, part of its latency", *every));
      }
  }

  void data(ordered_json& made) {
    if (const auto percent = whole("dedupe_percentage")) made["data"]["duplicate_percent"] = *percent;
    if (const auto percent = whole("buffer_compress_percentage")) {
      made["data"]["compressible_percent"] = *percent;
      note("buffer_compress_percentage", "so many percent of the 8 KiB blocks are zeros; the others do not compress");
    }
    if (is_set("zero_buffers")) made["data"] = {{"compressible_percent", 100}, {"duplicate_percent", 100}};
  }

  /// A time with a unit; nullopt when there is none, or it is 0, which to fio is the same.
  std::optional<std::string> a_time(std::initializer_list<const char*> names) {
    std::optional<std::string> time = take(names);
    if (!time) return std::nullopt;
    if (time->empty()) refuse(*names.begin(), "has no value");
    if (std::isdigit(static_cast<unsigned char>(time->back())) != 0) *time += "s";
    try {
      return parse_duration(*time, "") > Nanos(0) ? time : std::nullopt;
    } catch (const Error&) {
      refuse(*names.begin(), fmt::format("'{}' is not a time", *time), "90, 90s or 2m");
    }
  }
  /// Of several jobs: edagen has one for all.
  void first_counts(std::optional<std::string>& first, const std::string& mine, const char* option) {
    if (!first) first = mine;
    else if (*first != mine)
      note(option, fmt::format("'{}' of an earlier job is for all jobs, not '{}'", *first, mine));
  }

  /// What fio has in the job file and edagen in how a workload is run.
  void run_options() {
    if (const auto time = a_time({"runtime", "timeout"})) {
      first_counts(import_.duration, *time, "runtime");
      if (!options_.contains("time_based"))
        note("runtime", "always time-based: the job does not end when its size is done");
    } else {
      note("size", "always time-based: the run's duration says when it ends, not the bytes moved");
    }
    if (const auto ramp = a_time({"ramp_time"})) first_counts(import_.warmup, *ramp, "ramp_time");
    if (const auto directory = take({"directory"})) {
      if (directory->empty()) refuse("directory", "has no value");
      first_counts(import_.directory, *directory, "directory");
    }
    if (take({"filename"})) note("filename", "edagen works on files of its own, below its mounts");
    if (take({"invalidate"}).value_or("1") != "0") import_.drop_caches = true;
    if (take({"stonewall", "wait_for_previous"})) note("stonewall", "all jobs run at once, or a single one");
    for (const char* const seed : {"randseed", "randrepeat", "allrandrepeat"})
      if (take({seed})) note(seed, "the run's seed says which random numbers");
    if (const auto thinktime = take({"thinktime"}))
      note("thinktime", fmt::format("'{}' has no equivalent; the rate paces", *thinktime));
  }

  std::string name_;
  Options options_;
  const std::string& where_;
  FioImport& import_;
  std::string engine_;
  bool random_ = false, reads_ = false, writes_ = false;
  double mean_size_ = 0;
};

FioImport import_job(const Section& section, const std::string& where) {
  FioImport import;
  import.workload = Job(section, where, import).workload();
  return import;
}

FioImport import_blend(const std::vector<Section>& sections, const std::string& where) {
  FioImport import;
  std::string name = where.substr(where.rfind('/') + 1);
  name = name.substr(0, name.rfind('.')).substr(0, longest_name);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  import.workload = {{"schema", "edagen.workload/1"}, {"name", name.empty() ? "jobs" : name}, {"phase", "custom"}, {
                       "blend",
                       ordered_json::array()
                     }};
  for (const Section& section : sections) {
    ordered_json part = Job(section, where, import).workload();
    const auto procs = part["procs_per_job_set"];
    import.workload["blend"].push_back({{"workload", std::move(part)}, { "procs", procs }});
  }
  return import;
}

}  // namespace

FioImport import_fio(const std::string& text, const std::string& where, const std::string& job) {
  std::vector<Section> sections = sections_of(text, where);
  if (!job.empty()) {
    std::erase_if(sections, [&](const Section& section) { return section.name != job; });
    if (sections.empty()) throw usage_error(where, fmt::format("has no job '{}'", job));
  }
  FioImport import = sections.size() == 1 ? import_job(sections.front(), where) : import_blend(sections, where);
  if (!import.warmup) import.warmup = "0s";  // edagen's own default is another
  return import;
}

}  // namespace edagen
