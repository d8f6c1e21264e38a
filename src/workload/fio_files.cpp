#include "workload/fio_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "base/words.hpp"

namespace edagen {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t most_files = 1'000'000'000;
constexpr Bytes largest_file = std::int64_t{16} * 1024 * GiB;

class JobFiles {
 public:
  JobFiles(FioReader& reader, FioEngine::Kind engine, bool random, const std::array<FioBlocks, 2>& blocks)
      : reader_(reader), engine_(engine), random_(random), blocks_(blocks) {}

  FioFiles files() {
    const FioWord* const names = reader_.word("filename");
    std::vector<std::string> paths;
    std::set<std::string> met;
    if (names != nullptr)
      for (const std::string& path : fio_paths(*names))
        if (met.insert(path).second) paths.push_back(path);  // fio opens each once
    const std::int64_t asked = std::max<std::int64_t>(1, reader_.number("nrfiles", 1));
    files_.count = paths.empty() ? asked : std::ssize(paths);
    if (!paths.empty() && reader_.word("nrfiles") != nullptr && asked < files_.count)
      reader_.note("nrfiles", fmt::format("all {} files count here; fio takes {} where it reads nrfiles after filename",
                                          files_.count, asked));
    if (paths.empty() && reader_.text("filename_format", "$filenum").find("$filenum") == std::string::npos)
      files_.count = 1;  // all have one name
    if (files_.count > most_files)
      reader_.refuse("nrfiles", fmt::format("{} files; a proc has up to {}",
                                            format_count(static_cast<double>(files_.count)), format_count(most_files)));
    files_.dataset = {{"data_files", files_.count}};
    files_.dataset["file_size"] = file_size();
    shared_files(paths);
    if (files_.count > 1) order_of_files();
    return files_;
  }

 private:
  ordered_json file_size() {
    const FioWord *const total = reader_.word("size"), *const each = reader_.word("filesize");
    for (const FioWord* const word : {total, each})
      if (word != nullptr && word->text().ends_with('%') && (each == nullptr || word->text() != "100%"))
        word->refuse(fmt::format("'{}' is a share of files that exist; edagen makes its own", word->text()),
                     "give bytes");
    files_.shared.offset = offset();
    if (each != nullptr) {
      FioRange range = fio_range(each->text(), *each, true);
      if (has_increment() && reader_.number("numjobs", 1) > 1)
        reader_.refuse("offset_increment",
                       "beside filesize each proc of fio works from its own offset to the end of the file; the procs "
                       "of edagen use whole files",
                       "size alone, for a part for each proc");
      range.low -= files_.shared.offset, range.high -= files_.shared.offset;  // what fio uses of them
      range.low = in_blocks(range.low), range.high = in_blocks(range.high);
      check_size("filesize", range.low, range.high);
      files_.shared.file_size = range.low + (range.high - range.low) / 2;
      if (range.low == range.high) return range.low;
      if (!random_ && smallest_block() > 1)
        reader_.note("filesize", "sizes are not rounded to blocks: the last op of a file may be shorter");
      return {{"uniform", {{"low", range.low}, {"high", range.high}}}};
    }
    if (total == nullptr || total->text() == "0")
      reader_.refuse("size", "is needed: edagen makes the files", "the size, such as size=4g");
    Bytes size = fio_number(*total) / files_.count;
    // Jobs with one filename see one file, whatever their blocks are.
    if (reader_.word("filename") == nullptr) size = in_blocks(size);
    else if (!random_ && size != in_blocks(size))
      reader_.note("size", fmt::format("a file of {} is no multiple of the block: the last op of a file is shorter",
                                       format_bytes(size)));
    check_size("size", size, size);
    return files_.shared.file_size = size;
  }
  void check_size(const char* option, Bytes low, Bytes high) {
    if (high > largest_file)
      reader_.refuse(
          option, fmt::format("a file of {}; edagen's are up to {}", format_bytes(high), format_bytes(largest_file)));
    if (low < 1) reader_.refuse(option, "leaves less than a byte for a file");
    if (engine_ == FioEngine::Kind::stat) return;
    const Bytes block = std::max(blocks_[0].largest, blocks_[1].largest);
    if (low < block)
      reader_.refuse(option,
                     fmt::format("a file of {} does not hold a block of {}", format_bytes(low), format_bytes(block)));
  }

  /// Without the part of a block at the end, which fio leaves out.
  Bytes in_blocks(Bytes size) const {
    return smallest_block() > 0 && size > smallest_block() ? round_down(size, smallest_block()) : size;
  }

  Bytes smallest_block() const {
    const Bytes reads = blocks_[0].smallest, writes = blocks_[1].smallest;
    return reads == 0 || writes == 0 ? std::max(reads, writes) : std::min(reads, writes);
  }

  Bytes offset() const {
    const FioWord* const word = reader_.word("offset");
    if (word != nullptr && word->text() == "0%") return 0;
    if (word != nullptr && word->text().ends_with('%'))
      word->refuse(fmt::format("'{}' is a share of files that exist; edagen makes its own", word->text()),
                   "give bytes");
    return reader_.number("offset", 0);
  }
  bool has_increment() const {
    const FioWord* const word = reader_.word("offset_increment");
    if (word == nullptr) return false;
    const std::string text = word->text();
    return fio_number(text.substr(0, text.size() - (text.ends_with('%') ? 1 : 0)), *word) > 0;
  }

  /// fio's procs share files of one name; a name may have the number of the proc.
  void shared_files(const std::vector<std::string>& paths) {
    const std::string format = reader_.text("filename_format", "$jobname.$jobnum.$filenum");
    files_.shared.sequential = !random_;
    if (!paths.empty()) {
      for (const std::string& path : paths) files_.shared.paths.push_back(in_one_spelling(path));
      for (const std::string& path : files_.shared.paths) files_.shared.name += path + ":";
    } else {
      std::string first = replaced(format, "$jobname", reader_.section().name);
      for (const char* const number : {"$jobnum", "$filenum"}) first = replaced(first, number, "0");
      files_.shared.paths = {in_one_spelling(first)};
      files_.shared.by_proc = format.find("$jobnum") != std::string::npos;
      const bool of_job = format.find("$jobname") != std::string::npos;
      files_.shared.name = reader_.text("directory", "") + ":" + format + (of_job ? reader_.section().name : "");
    }
    if (has_increment() && reader_.number("numjobs", 1) > 1) {
      files_.shared.name = "";  // procs work on parts of their own
      reader_.note("offset_increment", fmt::format("'{}': each proc has a file of its own for its part",
                                                   reader_.text("offset_increment", "")));
    }
    if (files_.shared.offset > 0)
      reader_.note("offset", fmt::format("'{}': files are as large as what is used of them, and used from their start",
                                         reader_.text("offset", "")));
  }

  std::string in_one_spelling(const std::string& path) const {
    const FioWord* const directory = reader_.word("directory");
    const std::string file = directory == nullptr ? path : fio_paths(*directory).front() + "/" + path;
    return std::filesystem::path(file).lexically_normal().string();
  }

  /// The number of ops after which the next file has its turn, as in "random:8".
  void order_of_files() {
    const std::string type = reader_.text("file_service_type", "roundrobin"), order = type.substr(0, type.find(':'));
    if (engine_ != FioEngine::Kind::blocking && engine_ != FioEngine::Kind::queueing) return;
    const auto colon = type.find(':');
    if ((order == "random" || order == "roundrobin") && colon != std::string::npos)
      files_.ops_per_open = std::clamp<std::int64_t>(
          fio_number(type.substr(colon + 1), *reader_.word("file_service_type")), 1, fio_many_ops);
    else files_.ops_per_open = order == "sequential" ? blocks_per_file() : 1;
    if (!random_)
      reader_.note("file_service_type",
                   order == "sequential" ? "'sequential': the next file is a random one here; fio takes them in turn"
                                         : fmt::format("'{}': a file is read or written to its end, and the next is a "
                                                       "random one",
                                                       type));
    else if (order != "random")
      reader_.note("file_service_type", fmt::format("'{}': the next file is a random one here", type));
    if (random_) reader_.note("nrfiles", "a file is opened when its turn comes; fio keeps all of them open");
  }
  std::int64_t blocks_per_file() const {
    const double block = std::max({blocks_[0].mean, blocks_[1].mean, 1.0});
    return std::clamp<std::int64_t>(std::llround(static_cast<double>(files_.shared.file_size) / block), 1,
                                    fio_many_ops);
  }

  FioReader& reader_;
  FioEngine::Kind engine_;
  bool random_;
  const std::array<FioBlocks, 2>& blocks_;
  FioFiles files_;
};

}  // namespace

FioFiles fio_files(FioReader& reader, FioEngine::Kind engine, bool random, const std::array<FioBlocks, 2>& blocks) {
  return JobFiles(reader, engine, random, blocks).files();
}

}  // namespace edagen
