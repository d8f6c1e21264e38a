#include "nightly/night_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/beneath.hpp"
#include "base/directory_tree.hpp"
#include "base/free_space.hpp"
#include "base/rfc3339.hpp"
#include "base/text_file.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"
#include "session/measured.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

constexpr Bytes least_room = 64 * MiB;

std::string folder_name(std::string night) {
  std::ranges::replace(night, ':', '-');
  return night;
}

/// "2026-01-31T01:00:00Z" of "2026-01-31T01-00-00Z"; empty when it is none: not a folder of ours.
std::string night_of_folder(std::string name) {
  if (name.size() != 20) return "";
  for (const std::size_t i : {13u, 16u}) {
    if (name[i] != '-') return "";
    name[i] = ':';
  }
  constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
  for (std::size_t i = 0; i < form.size(); ++i)
    if (form[i] == 'd' ? name[i] < '0' || name[i] > '9' : name[i] != form[i]) return "";
  return name;
}

/// A second later.
std::string after(const std::string& night) {
  const std::optional<std::time_t> time = parse_rfc3339(night);
  return time ? rfc3339(*time + 1) : night;
}

/// Whether a file is of the run `stem`: its result, report or journal, or one of these while it is written.
bool is_of_run(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  constexpr std::string_view part = ".part";
  if (name.ends_with(part)) {  // .json.PID.part
    name.remove_suffix(part.size());
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot + 1 == name.size() ||
        name.find_first_not_of("0123456789", dot + 1) != std::string_view::npos)
      return false;
    name = name.substr(0, dot);
  }
  return name == ".json" || name == ".html" || name == ".jsonl";
}

Bytes size_in(int folder, const std::string& name) {
  struct stat info {};
  const bool is_file = ::fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
  return is_file ? static_cast<Bytes>(info.st_size) : 0;
}

}  // namespace

NightStore::NightStore(const NightPlan& plan)
    : plan_(plan), directory_(made(plan.directory)), results_(directory_, results_folder) {
  lock();
  read();
  note_killed_nights();
  make_room();
  const std::optional<FreeSpace> space = free_space(directory_.path());
  if (space && space->bytes && *space->bytes < double(least_room))
    throw run_error(plan.directory, "has less than " + format_bytes(least_room) + " of room");
  tonight_ = rfc3339_now();
  if (!nights().empty() && tonight_ <= nights().back().started_at) {
    spdlog::warn("the clock ({}) is not after the last night ({}): this one is put after it", tonight_,
                 nights().back().started_at);
    tonight_ = after(nights().back().started_at);
  }
  folder_.emplace(results_, folder_name(tonight_), true);
  marker_ = folder_->open(night_marker, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0644);
}

OwnDirectory NightStore::made(const std::string& path) {
  std::error_code error;
  const fs::path itself = (fs::absolute(path, error) / "").parent_path();  // without slashes at its end
  fs::create_directories(itself.parent_path(), error);
  // Nobody else may write there, whatever the umask is.
  if (::mkdir(itself.c_str(), 0755) != 0 && errno != EEXIST) throw usage_error(path, std::strerror(errno));
  return OwnDirectory(path);
}

void NightStore::lock() {
  lock_ = directory_.open(night_lock, O_RDWR | O_CREAT);
  ::fchmod(lock_.get(), 0600);  // of an earlier version: whoever may read it may lock it
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw usage_error(plan_.directory, "another night is going on here");
  throw usage_error(plan_.directory + "/" + night_lock, std::strerror(errno));
}

void NightStore::read() {
  if (has_too_many_bytes(directory_)) keep_nights(directory_, plan_.keep_nights);
  history_ = read_own_history(directory_);
  if (const std::string words = left_out_in_words(history_); !words.empty())
    spdlog::warn("{}: {}", plan_.directory, words);
}

/// Ascending in time.
std::vector<NightStore::KeptNight> NightStore::kept_nights() const {
  std::vector<KeptNight> all;
  for_each_name(results_.descriptor(), results_.path(), [&](const char* name, unsigned char) {
    KeptNight kept{name, night_of_folder(name), {}, 0};
    if (kept.night.empty()) return;
    const Descriptor folder = open_beneath(results_.descriptor(), name, O_RDONLY | O_DIRECTORY);
    if (!folder || ::faccessat(folder.get(), night_marker, F_OK, AT_SYMLINK_NOFOLLOW) != 0) return;
    kept.files = written_files(folder.get(), kept);
    for (const std::string& file : kept.files) kept.bytes += size_in(folder.get(), file);
    all.push_back(std::move(kept));
  });
  std::ranges::sort(all, {}, &KeptNight::night);
  return all;
}

/// The files that the night wrote, as its marker and its line name its runs: what else is there is the user's.
std::vector<std::string> NightStore::written_files(int folder, const KeptNight& kept) const {
  const std::string path = results_.path() + "/" + kept.folder;
  std::set<std::string> stems;
  const Descriptor marker = open_own_file(folder, night_marker, O_RDONLY, path);
  std::istringstream lines(read_text_file(marker.get(), path + "/" + night_marker, largest_definition));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) stems.insert(line);
  for (const std::vector<Night>* const nights : {&history_.nights, &history_.ahead})
    for (const Night& night : *nights)
      for (const NightMeasurement& measurement : night.measurements)
        for (const NightRun& run : measurement.runs)
          if (night.started_at == kept.night) stems.insert(fs::path(run.file).stem().string());
  std::vector<std::string> files;
  for_each_name(folder, path, [&](const char* name, unsigned char) {
    if (std::ranges::any_of(stems, [&](const std::string& stem) { return !stem.empty() && is_of_run(name, stem); }))
      files.emplace_back(name);
  });
  return files;
}

/// Removes what a night wrote, and its folder when nothing else is in it.
void NightStore::remove_results(const KeptNight& kept) const {
  const std::string path = results_.path() + "/" + kept.folder;
  const Descriptor folder = open_beneath(results_.descriptor(), kept.folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (!folder) return;
  for (const std::string& file : kept.files) ::unlinkat(folder.get(), file.c_str(), 0);
  ::unlinkat(folder.get(), night_marker, 0);
  if (::unlinkat(results_.descriptor(), kept.folder.c_str(), AT_REMOVEDIR) == 0) return;
  if (errno == ENOTEMPTY || errno == EEXIST) spdlog::info("{} stays: it holds files that no night wrote", path);
  else spdlog::warn("{}: {}", path, std::strerror(errno));
}

/// Results without a line are of a night that did not end. What it has measured stays as long as that of others. The
/// line of results that are older than all lines was too old to be kept: a night that did not end is noted by the next.
void NightStore::note_killed_nights() {
  std::set<std::string> known;
  for (const std::vector<Night>* const all : {&history_.nights, &history_.ahead})
    for (const Night& night : *all) known.insert(night.started_at);
  for (const KeptNight& kept : kept_nights()) {
    if (known.contains(kept.night) || (!nights().empty() && kept.night < nights().front().started_at)) continue;
    spdlog::warn("the night of {} did not end", kept.night);
    const Descriptor folder = open_beneath(results_.descriptor(), kept.folder.c_str(), O_RDONLY | O_DIRECTORY);
    for (const std::string& file : kept.files)
      if (file.ends_with(".part")) ::unlinkat(folder.get(), file.c_str(), 0);
    Night killed;
    killed.started_at = kept.night;
    killed.status = Status::incomplete;
    killed.host = this_host().name;
    killed.kernel = this_host().kernel;
    append_night(directory_, killed);
    add_nights(history_, {std::move(killed)});
  }
}

void NightStore::make_room() const {
  std::vector<KeptNight> kept = kept_nights();
  const auto is_ahead = [&](const KeptNight& each) {
    return std::ranges::find(history_.ahead, each.night, &Night::started_at) != history_.ahead.end();
  };
  std::stable_partition(kept.begin(), kept.end(), is_ahead);  // else those of a clock that ran ahead stayed for ever
  Bytes bytes = 0;
  for (const KeptNight& each : kept) bytes += each.bytes;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {  // the last one stays, whatever its size
    if (kept.size() - i <= plan_.keep_results && bytes <= plan_.keep_results_bytes) break;
    remove_results(kept[i]);
    bytes -= kept[i].bytes;
  }
  if (nights().size() > plan_.keep_nights || has_too_many_bytes(directory_)) keep_nights(directory_, plan_.keep_nights);
}

NightStore::RunFiles NightStore::begin_run(const std::string& measurement, std::size_t reference, std::size_t run) {
  const std::string stem = fmt::format("{}{}{}-{}", measurement, reference > 0 ? "-reference" : "",
                                       reference > 1 ? std::to_string(reference) : "", run);
  const std::string line = stem + "\n";
  if (!write_all(marker_.get(), line)) throw run_error(folder_->path() + "/" + night_marker, std::strerror(errno));
  return {folder_->path() + "/" + stem, fmt::format("{}/{}/{}", results_folder, folder_name(tonight_), stem), stem,
          folder_->descriptor()};
}

void NightStore::remove_journal(const RunFiles& run) const {
  const std::string result = run.stem + ".json", journal = run.stem + ".jsonl";
  if (size_in(run.folder, result) > 0) ::unlinkat(run.folder, journal.c_str(), 0);
}

void NightStore::keep(const Night& night) {
  append_night(directory_, night);
  history_.nights.push_back(night);
  try {
    make_room();
  } catch (const Error& error) {  // the night is in the history all the same, and the next one makes room
    spdlog::warn("{}", error.what());
  }
}

}  // namespace edagen
