#include "workload/fio_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "edagen/workload.hpp"
#include "workload/fio_engine.hpp"
#include "workload/fio_option.hpp"
#include "workload/fio_reader.hpp"
#include "workload/fio_refusals.hpp"
#include "workload/fio_transfer.hpp"

namespace edagen {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t most_procs = 1000;
constexpr double lowest_rate = 1e-6, highest_rate = 1e9;

class Job : private FioReader {
 public:
  Job(const FioSection& section, FioImport& import) : FioReader(section, import) {}

  FioPart part() {
    FioRefusalList refused;
    refused.attempt([&] { engine(); });
    for (const auto& named : section().words) refused.attempt([&] { check_word(named.first, named.second); });
    refused.throw_any();
    pattern();
    procs();
    mix();
    files_ = fio_files(*this, engine_->kind, random_, blocks_);
    made()["dataset"] = files_.dataset;
    part_.shared = files_.shared;
    random_access();
    io();
    data();
    times();
    places();
    return std::move(part_);
  }

 private:
  ordered_json& made() { return part_.workload; }

  /// Checks the name and the value, and notes or refuses an option that does not depend on others.
  void check_word(const std::string& name, const FioWord& word) {
    const FioOption* const option = fio_option(name);
    if (option == nullptr) word.refuse("is no option of fio", fio_option_hint(name));
    if (!changes_default(*option, word)) return;
    if (option->use == FioOption::Use::refused) word.refuse(option->remark);
    if (option->use == FioOption::Use::noted) note(name, fmt::format("'{}': {}", word.text(), option->remark));
  }

  void engine() {
    const std::string name = text("ioengine", "psync");
    engine_ = fio_engine(name);
    if (engine_ == nullptr) refuse("ioengine", fmt::format("'{}' is no engine of fio", name), fio_engine_hint(name));
    if (engine_->kind == FioEngine::Kind::refused) refuse("ioengine", fmt::format("'{}': {}", name, engine_->remark));
    if (*engine_->remark != '\0') note("ioengine", fmt::format("'{}': {}", name, engine_->remark));
  }

  /// Reads the ops and the offsets of "randread:8".
  void pattern() {
    struct Pattern {
      const char* name;
      bool random, reads, writes;
    };
    constexpr std::array patterns{Pattern{"read", false, true, false},    Pattern{"write", false, false, true},
                                  Pattern{"rw", false, true, true},       Pattern{"readwrite", false, true, true},
                                  Pattern{"randread", true, true, false}, Pattern{"randwrite", true, false, true},
                                  Pattern{"randrw", true, true, true}};
    const std::string rw = text("rw", "read"), name = rw.substr(0, rw.find(':'));
    const auto* const found = std::ranges::find(patterns, name, [](const Pattern& p) { return std::string(p.name); });
    if (found == patterns.end())
      refuse("rw",
             name.find("trim") == std::string::npos ? fmt::format("'{}' is none of fio's patterns", rw)
                                                    : fmt::format("'{}': edagen has no trims", rw),
             "read, write, rw, randread, randwrite or randrw");
    random_ = found->random, active_ = {found->reads, found->writes};
    only_writes_ = !found->reads;
    const auto colon = rw.find(':');
    const std::string modifier = colon == std::string::npos ? "" : rw.substr(colon + 1);
    if (!random_ && !modifier.empty() && modifier != "0")
      refuse("rw", fmt::format("'{}': edagen's sequential ops go forward and leave no holes", rw));
    if (random_ && !modifier.empty() && fio_number(modifier, *word("rw")) != 1)
      refuse("rw", fmt::format("'{}': edagen has no random places with several ops each", rw));
  }

  void procs() {
    part_.procs = number("numjobs", 1);
    if (part_.procs < 1 || part_.procs > most_procs)
      refuse("numjobs", fmt::format("{} procs; a workload has 1 to {}", part_.procs, most_procs),
             "fewer, on more hosts or in more job sets");
    made() = {{"schema", "edagen.workload/1"}, {"name", fio_safe_name(section().name)}, {"phase", "custom"}};
    made()["description"] = fmt::format("[{}] of {}", section().name, source());
    made()["procs_per_job_set"] = part_.procs;
  }
  /// The name of the file in "/x/jobs.fio:12 [a]".
  std::string source() const {
    const std::string file = section().where.substr(0, section().where.find(" ["));
    const std::string name = file.substr(file.rfind('/') + 1);
    return name.substr(0, name.rfind(':'));
  }

  double read_percent() const {
    const FioWord *const read = word("rwmixread"), *const write = word("rwmixwrite");
    if (write != nullptr) return 100 - static_cast<double>(fio_percent(write->text(), *write));
    return read == nullptr ? 50 : static_cast<double>(fio_percent(read->text(), *read));
  }

  /// Makes the op mix, sizes and rates. In fio, rates hold for each direction, whatever the mix is.
  void mix() {
    std::array<double, 2> weight{read_percent(), 100 - read_percent()}, rate{};
    for (const std::size_t direction : {0u, 1u}) {
      if (!active_[direction]) weight[direction] = 0;
      else if (!active_[1 - direction]) weight[direction] = 100;
    }
    active_ = {weight[0] > 0, weight[1] > 0};
    for (const std::size_t direction : {0u, 1u}) {
      if (!active_[direction]) continue;
      blocks_[direction] = fio_blocks(section(), settings_of(direction));
      rate[direction] = fio_ops_per_second(section(), direction, blocks_[direction]);
    }
    const bool paced = rate[0] + rate[1] > 0;
    if (paced && ((active_[0] && rate[0] == 0) || (active_[1] && rate[1] == 0)))
      refuse(word("rate") != nullptr ? "rate" : "rate_iops",
             fmt::format("only {} have a rate; a proc of edagen has one for all its ops",
                         rate[0] > 0 ? "reads" : "writes"),
             "rates for both, or a job for each");
    const double total = rate[0] + rate[1];
    if (paced && (total < lowest_rate || total > highest_rate))
      refuse(word("rate") != nullptr ? "rate" : "rate_iops",
             fmt::format("{:g} ops/s of a proc; edagen's rates are {:g} to {:g}", total, lowest_rate, highest_rate));
    const bool mixes_sizes = (active_[0] && blocks_[0].smallest < blocks_[0].largest) ||
                             (active_[1] && blocks_[1].smallest < blocks_[1].largest);
    if (paced && mixes_sizes && word("rate_iops") != nullptr)
      note("rate_iops", fmt::format("fio counts ops of the smallest size: {:.3g} ops/s of all sizes", total));
    made()["ops_per_sec_per_proc"] = paced ? ordered_json(total) : ordered_json("max");
    made()["op_mix"] = op_mix(paced ? rate : weight);
    if (engine_->kind == FioEngine::Kind::stat) return;
    if (active_[0]) made()["transfer"]["read"] = blocks_[0].json;
    if (active_[1]) made()["transfer"]["write"] = blocks_[1].json;
  }
  /// With bs_is_seq_rand random ops have the sizes of writes, and sequential ops those of reads.
  std::size_t settings_of(std::size_t direction) const {
    return is_set("bs_is_seq_rand") ? (random_ ? 1 : 0) : direction;
  }

  ordered_json op_mix(const std::array<double, 2>& weight) {
    ordered_json ops = ordered_json::object();
    if (engine_->kind == FioEngine::Kind::stat) return {{"stat", 100}};
    if (engine_->kind == FioEngine::Kind::mapped) {
      if (!random_) note("rw", "the places that are mapped are random here");
      if (active_[0]) ops["mmap_read"] = weight[0];
      if (active_[1]) ops["mmap_write"] = weight[1];
      return ops;
    }
    const FioWord* const percentage = word("percentage_random");
    const FioDirections random = percentage != nullptr ? fio_directions(*percentage) : FioDirections{};
    for (const std::size_t direction : {0u, 1u}) {
      if (!active_[direction]) continue;
      const std::string stem = direction == 0 ? "read_" : "write_";
      const auto share = random[direction] ? fio_percent(*random[direction], *percentage) : 100;
      const double at_random = random_ ? weight[direction] * static_cast<double>(share) / 100 : 0;
      if (at_random > 0) ops[stem + "rand"] = at_random;
      if (at_random < weight[direction]) ops[stem + "seq"] = weight[direction] - at_random;
    }
    if (ops.contains("read_rand") || ops.contains("write_rand")) {
      if (ops.contains("read_seq") || ops.contains("write_seq")) {
        if (is_set("bs_is_seq_rand")) refuse("bs_is_seq_rand", "has no equivalent beside percentage_random");
        note("percentage_random", "sequential ops go on where the last sequential one was, not the last random one");
      }
    } else {
      random_ = false;
    }
    return ops;
  }

  void random_access() {
    if (engine_->kind == FioEngine::Kind::stat || (!random_ && engine_->kind != FioEngine::Kind::mapped)) return;
    const FioWord* const boundary = word("ba");
    const FioDirections boundaries = boundary != nullptr ? fio_directions(*boundary) : FioDirections{};
    std::array<Bytes, 2> alignment{};
    for (const std::size_t direction : {0u, 1u}) {
      if (!active_[direction]) continue;
      alignment[direction] =
          boundaries[direction] ? fio_number(*boundaries[direction], *boundary) : blocks_[direction].smallest;
      if (alignment[direction] < 1 || alignment[direction] > GiB) refuse("ba", "is not 1 byte to 1 GiB");
    }
    const bool both = active_[0] && active_[1];
    const Bytes least = both ? std::min(alignment[0], alignment[1]) : std::max(alignment[0], alignment[1]);
    if (both && alignment[0] != alignment[1])
      note("ba", fmt::format("reads and writes both begin at multiples of {}", format_bytes(least)));
    made()["access"] = {{"alignment", least}, {"ops_per_open", files_.count > 1 ? files_.ops_per_open : fio_many_ops}};
    const FioWord* const distribution = word("random_distribution");
    if (!is_set("norandommap") && boundary == nullptr && (distribution == nullptr || distribution->text() == "random"))
      note("norandommap",
           "blocks are drawn independently of each other, as if this option were there; fio covers each block once "
           "first");
  }

  // --- how

  void io() {
    ordered_json io = ordered_json::object();
    const bool direct = is_set("direct") || is_off("buffered") || is_set("atomic");
    if (is_set("atomic")) note("atomic", "writes are direct here, not atomic");
    depth(io, direct);
    if (direct && engine_->kind != FioEngine::Kind::stat) io["direct"] = true;
    const bool moves_blocks = engine_->kind == FioEngine::Kind::blocking || engine_->kind == FioEngine::Kind::queueing;
    const Bytes multiple = made().contains("access") ? made()["access"]["alignment"].get<Bytes>() : 4 * KiB;
    if (direct && moves_blocks && multiple % (4 * KiB) != 0)
      note("direct", fmt::format("ops begin at multiples of {}: the run is refused where direct I/O needs multiples of "
                                 "more, 4 KiB where the file system reports none, as on NFS (ba=4k)",
                                 format_bytes(multiple)));
    else if (direct && moves_blocks && (blocks_[0].smallest % (4 * KiB) != 0 || blocks_[1].smallest % (4 * KiB) != 0))
      note("direct",
           "direct ops are rounded to whole blocks of the file system: 4 KiB where it reports none, as on NFS");
    const bool writes_data = active_[1] && engine_->kind != FioEngine::Kind::stat;
    if (writes_data && is_set("end_fsync")) io["fsync"] = "end";
    if (writes_data && is_set("fsync_on_close")) io["fsync"] = "close";  // which flushes at the end, too
    if (!io.empty()) made()["io"] = io;
    if (writes_data) writes();
  }
  void depth(ordered_json& io, bool direct) {
    const std::int64_t depth = number("iodepth", 1);
    if (depth < 1) refuse("iodepth", "is below 1");
    if (depth == 1) return;
    const bool moves_blocks = engine_->kind == FioEngine::Kind::blocking || engine_->kind == FioEngine::Kind::queueing;
    const bool is_offloaded = moves_blocks && text("io_submit_mode", "inline") == "offload";  // to as many threads
    if (engine_->name == std::string_view("vsync") && !is_offloaded)
      return note("iodepth", "up to so many adjacent ops of vsync are one call in fio; each is a call here");
    if (engine_->kind != FioEngine::Kind::queueing && !is_offloaded)
      return note("iodepth", fmt::format("without effect on {}, there as here", engine_->name));
    io["depth"] = std::min<std::int64_t>(depth, deepest_io);
    if (depth > deepest_io) note("iodepth", fmt::format("'{}': the deepest is {}", depth, deepest_io));
    if (!direct && !is_offloaded && std::string_view(engine_->name).ends_with("aio") &&
        engine_->name != std::string_view("posixaio"))
      note("iodepth", fmt::format("buffered ops of {} are done one at a time on Linux; here {} are in flight",
                                  engine_->name, static_cast<std::int64_t>(io["depth"])));
    if (number("iodepth_batch", 1) != 1)
      note("iodepth_batch", "ops are begun one by one here, as soon as one has ended");
    if (number("iodepth_batch_complete_min", 1) > 1)
      note("iodepth_batch_complete_min", "an op is begun as soon as one has ended here");
    if (const std::int64_t low = number("iodepth_low", 0); low > 0 && low < depth)
      note("iodepth_low", "the queue is kept full here");
  }
  void writes() {
    if (const std::string sync = text("sync", "none"); sync != "0" && sync != "none") {
      made()["write_percent"]["sync"] = 100;
      if (sync == "dsync") note("sync", "O_SYNC instead of O_DSYNC");
    }
    double commits = 0;
    for (const char* const option : {"fsync", "fdatasync"})
      if (const std::int64_t every = number(option, 0); every > 0) {
        const std::int64_t fsyncs = number("fsync", 0);
        if (option == std::string_view("fdatasync") && fsyncs > 0 && every % fsyncs == 0)
          continue;  // one flush for both
        commits = std::max(commits, 100.0 / static_cast<double>(every));
        made()["write_percent"]["commit"] = commits;
        note(option, every == 1 ? "an fsync with each write, part of its latency"
                                : fmt::format("an fsync within a random one of {} writes, part of its latency", every));
      }
    if (only_writes_ && !is_set("overwrite") && engine_->kind != FioEngine::Kind::mapped)
      note("overwrite",
           "files are made before the load and overwritten, as with it; fio without it writes into new files");
  }

  void data() {
    ordered_json data = ordered_json::object();
    const FioWord *const same = word("dedupe_percentage"), *const zeros = word("buffer_compress_percentage");
    if (same != nullptr && changes_default(*fio_option("dedupe_percentage"), *same))
      data["duplicate_percent"] = fio_percent(same->text(), *same);
    if (zeros != nullptr && changes_default(*fio_option("buffer_compress_percentage"), *zeros)) {
      data["compressible_percent"] = fio_percent(zeros->text(), *zeros);
      note("buffer_compress_percentage", "so many percent of the 8 KiB blocks are zeros; the others do not compress");
    }
    const bool pattern = word("buffer_pattern") != nullptr;
    if (data.empty() && (pattern || is_set("zero_buffers")))
      data = {{"compressible_percent", 100}, {"duplicate_percent", 100}};
    if (pattern && data.contains("compressible_percent"))
      note("buffer_pattern", fmt::format("'{}': zeros are written instead", text("buffer_pattern", "")));
    if (!data.empty()) made()["data"] = data;
  }

  // --- when and where

  /// A time of a job in the form of edagen's options; nullopt when it is 0, which fio takes for no time.
  std::optional<std::string> a_time(const char* option) const {
    if (word(option) == nullptr) return std::nullopt;
    const Nanos time = fio_time(word(option)->text(), *word(option), std::chrono::seconds(1));
    if (time == Nanos(0)) return std::nullopt;
    const auto count = time.count();
    for (const auto& [unit, name] : {std::pair{std::int64_t{1'000'000'000}, "s"}, {1'000'000, "ms"}, {1'000, "us"}})
      if (count % unit == 0) return fmt::format("{}{}", count / unit, name);
    return fmt::format("{}ns", count);
  }
  /// Takes the value of the first job, as edagen has one value for all jobs.
  void first_counts(std::optional<std::string>& first, const std::string& value, const char* option) {
    if (!first) first = value;
    else if (*first != value)
      note(option, fmt::format("'{}' of an earlier job is for all jobs, not '{}'", *first, value));
  }

  void times() {
    if (const auto time = a_time("runtime")) {
      first_counts(import().duration, *time, "runtime");
      if (!is_set("time_based")) note("runtime", "always time-based: the job does not end when its size is done");
    } else {
      note("size", "always time-based: the run ends by its duration, not by the bytes moved");
    }
    if (const auto ramp = a_time("ramp_time")) first_counts(import().warmup, *ramp, "ramp_time");
    if (const FioWord* const delay = word("startdelay"); delay != nullptr) {
      const auto dash = delay->text().find('-');
      Nanos longest{0};
      for (const std::string& part : {delay->text().substr(0, dash),
                                      dash == std::string::npos ? std::string("0") : delay->text().substr(dash + 1)})
        longest = std::max(longest, fio_time(part, *delay, std::chrono::seconds(1)));
      if (longest > Nanos(0)) note("startdelay", fmt::format("'{}': all procs begin together", delay->text()));
    }
    const bool paced = made()["ops_per_sec_per_proc"].is_number();
    if (paced) first_counts(import().arrivals, text("rate_process", "linear"), "rate_process");
    if (is_set("pre_read")) note("pre_read", "files are not read beforehand");
    else if (!is_off("invalidate")) import().drop_caches = true;
    const bool is_buffered = !made().contains("io") || !made()["io"].contains("direct");
    if (is_set("time_based") && is_buffered && active_[0] && !is_off("invalidate") && !is_set("pre_read") &&
        (engine_->kind == FioEngine::Kind::blocking || engine_->kind == FioEngine::Kind::queueing))
      note("invalidate",
           "caches are dropped once, before the load; fio drops those of a file at each pass over it, so that files "
           "which fit in memory are read from the storage each time");
  }

  void places() {
    std::vector<std::string> directories;
    if (const FioWord* const directory = word("directory")) directories = fio_paths(*directory);
    for (std::string& directory : directories)
      while (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    if (std::ssize(directories) > part_.procs)
      directories.resize(static_cast<std::size_t>(part_.procs));  // as in fio, where a proc has one directory
    if (const FioWord* const file = word("filename")) {
      if (directories.size() > 1) directories.resize(1);  // as in fio
      if (directories.empty()) directories = directory_of(*file);
      note("filename", fmt::format("'{}': edagen works on files of its own, below its mounts", file->text()));
    }
    part_.directories = directories;
  }
  /// The directory of all files; none when their names are relative, or those of devices.
  static std::vector<std::string> directory_of(const FioWord& files) {
    std::vector<std::string> found;
    for (const std::string& path : fio_paths(files)) {
      if (path.find('/', 1) == std::string::npos || !path.starts_with('/') || path.starts_with("/dev/")) continue;
      const std::string directory = path.substr(0, path.rfind('/'));
      if (!found.empty() && found.front() != directory)
        files.refuse(
            fmt::format("'{}' is in several directories; a proc of edagen has its files below one mount", files.text()),
            "files of one directory");
      found = {directory};
    }
    return found;
  }

  FioPart part_;
  const FioEngine* engine_ = nullptr;
  bool random_ = false;
  std::array<bool, 2> active_{};  ///< reads, writes
  bool only_writes_ = false;      ///< by the pattern, whatever the mix is
  std::array<FioBlocks, 2> blocks_;
  FioFiles files_;
};

}  // namespace

FioPart fio_part(const FioSection& section, FioImport& import) { return Job(section, import).part(); }

std::string fio_safe_name(const std::string& name) {
  std::string safe = name;
  for (char& c : safe)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  return safe;
}

}  // namespace edagen
