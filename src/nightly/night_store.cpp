#include "nightly/night_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

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
  std::tm parts{};
  if (::strptime(night.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts) == nullptr) return night;
  const std::time_t time = ::timegm(&parts) + 1;
  ::gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

struct Kept {
  fs::path folder;
  std::string night;
  Bytes bytes = 0;
};

/// Ascending in time.
std::vector<Kept> kept_results(const std::string& directory) {
  std::vector<Kept> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory + "/" + results_folder, error)) {
    Kept kept{entry.path(), night_of_folder(entry.path().filename().string())};
    if (kept.night.empty() || !entry.is_directory(error) || entry.is_symlink(error)) continue;
    if (!fs::exists(entry.path() / night_marker, error)) continue;
    for (const auto& file : fs::directory_iterator(entry.path(), error))
      if (file.is_regular_file(error)) kept.bytes += static_cast<Bytes>(file.file_size(error));
    all.push_back(std::move(kept));
  }
  std::ranges::sort(all, {}, &Kept::night);
  return all;
}

/// What a night wrote, and the folder when nothing else is in it.
void remove_results(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (const auto& file : fs::directory_iterator(folder, error)) {
    const fs::path ending = file.path().extension();
    const bool is_ours = ending == ".json" || ending == ".html" || ending == ".jsonl" || ending == ".part";
    if (file.is_regular_file(error) && !file.is_symlink(error) && is_ours) ours.push_back(file.path());
  }
  ours.push_back(folder / night_marker);
  for (const fs::path& file : ours) fs::remove(file, error);
  if (!fs::remove(folder, error) || error) spdlog::warn("{}: {}", folder.string(), error.message());
}

}  // namespace

NightStore::NightStore(const NightPlan& plan) : plan_(plan) {
  lock();
  read();
  note_killed_nights();
  make_room();
  struct statvfs space {};
  if (::statvfs(plan.directory.c_str(), &space) == 0 &&
      static_cast<double>(space.f_bavail) * static_cast<double>(space.f_frsize) < double(least_room))
    throw run_error(plan.directory, "has less than " + format_bytes(least_room) + " of room");
  tonight_ = rfc3339_now();
  if (!nights().empty() && tonight_ <= nights().back().started_at) {
    spdlog::warn("the clock ({}) is not after the last night ({}): this one is put after it", tonight_,
                 nights().back().started_at);
    tonight_ = after(nights().back().started_at);
  }
  std::error_code error;
  if (!fs::create_directory(folder_of(tonight_), error))
    throw run_error(folder_of(tonight_), error ? error.message() : "is there already");
  const std::string mark = folder_of(tonight_) + "/" + night_marker;
  if (!Descriptor(::open(mark.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)))
    throw run_error(mark, std::strerror(errno));
}

void NightStore::lock() {
  std::error_code error;
  fs::create_directories(plan_.directory + "/" + results_folder, error);
  if (error) throw usage_error(plan_.directory, error.message());
  const std::string path = plan_.directory + "/" + night_lock;
  lock_ = Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (!lock_) throw usage_error(path, std::strerror(errno));
  if (::flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) return;
  if (errno == EWOULDBLOCK) throw usage_error(plan_.directory, "another night is going on here");
  throw usage_error(path, std::strerror(errno));
}

void NightStore::read() {
  std::error_code error;
  if (!fs::exists(plan_.directory + "/" + nights_file, error)) return;
  if (has_too_many_bytes(plan_.directory)) keep_nights(plan_.directory, plan_.keep_nights);
  history_ = read_history(plan_.directory);
  if (const std::string words = left_out_in_words(history_); !words.empty())
    spdlog::warn("{}: {}", plan_.directory, words);
}

/// Results without a line are of a night that did not end. What it has measured stays as long as that of others.
void NightStore::note_killed_nights() {
  std::set<std::string> known;
  for (const std::vector<Night>* const all : {&history_.nights, &history_.ahead})
    for (const Night& night : *all) known.insert(night.started_at);
  for (const Kept& kept : kept_results(plan_.directory)) {
    if (known.contains(kept.night)) continue;
    spdlog::warn("the night of {} did not end", kept.night);
    std::error_code ignored;
    for (const auto& file : fs::directory_iterator(kept.folder, ignored))
      if (file.path().extension() == ".part") fs::remove(file.path(), ignored);
    Night killed;
    killed.started_at = kept.night;
    killed.status = Status::incomplete;
    killed.host = this_host().name;
    killed.kernel = this_host().kernel;
    append_night(plan_.directory, killed);
    add_nights(history_, {std::move(killed)});
  }
}

void NightStore::make_room() const {
  std::vector<Kept> kept = kept_results(plan_.directory);
  const auto is_ahead = [&](const Kept& each) {
    return std::ranges::find(history_.ahead, each.night, &Night::started_at) != history_.ahead.end();
  };
  std::stable_partition(kept.begin(), kept.end(), is_ahead);  // else those of a clock that ran ahead stayed for ever
  Bytes bytes = 0;
  for (const Kept& each : kept) bytes += each.bytes;
  for (std::size_t i = 0; i + 1 < kept.size(); ++i) {  // the last one stays, whatever its size
    if (kept.size() - i <= plan_.keep_results && bytes <= plan_.keep_results_bytes) break;
    remove_results(kept[i].folder);
    bytes -= kept[i].bytes;
  }
  if (nights().size() > plan_.keep_nights || has_too_many_bytes(plan_.directory))
    keep_nights(plan_.directory, plan_.keep_nights);
}

std::string NightStore::folder_of(const std::string& night) const {
  return fmt::format("{}/{}/{}", plan_.directory, results_folder, folder_name(night));
}

std::string NightStore::result_name(const std::string& measurement, bool reference, std::size_t run) const {
  return fmt::format("{}/{}/{}{}-{}", results_folder, folder_name(tonight_), measurement, reference ? "-reference" : "",
                     run);
}

void NightStore::keep(const Night& night) {
  append_night(plan_.directory, night);
  history_.nights.push_back(night);
  make_room();
}

}  // namespace edagen
