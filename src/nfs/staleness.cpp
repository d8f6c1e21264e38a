#include "nfs/staleness.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "base/beneath.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t files = 4;
constexpr Nanos write_every = std::chrono::milliseconds(100);
constexpr Nanos look_every = std::chrono::milliseconds(5);
constexpr Nanos create_every = std::chrono::milliseconds(500);
constexpr std::size_t most_created = 200;  ///< in a longer experiment they are created less often

/// One thing that is looked at: since when it is known to be newer than what the reader sees.
struct Watched {
  TimePoint changed_at{};
  bool behind = false;

  void look(StaleLooks& looks, bool stale, TimePoint at) {
    ++looks.looks;
    if (stale) {
      ++looks.stale;
      behind = true;
    } else if (behind) {
      looks.periods.push_back({at - changed_at, true});
      behind = false;
    }
  }
  void change(TimePoint at) {
    if (!behind) changed_at = at;  // else it has been old since the change before
  }
  void end(StaleLooks& looks, TimePoint at) const {
    if (behind) looks.periods.push_back({at - changed_at, false});
  }
};

[[noreturn]] void fail(const std::string& path) { throw run_error(path, std::strerror(errno)); }

/// The stem with the number of this process, or with another one when a process of the same number has left its
/// directory: one that was killed in a container, or one of another host.
std::string free_name(const std::string& directory, const char* stem) {
  struct stat info {};
  std::string name = fmt::format("{}-{}", stem, ::getpid());
  for (int again = 1; ::lstat((directory + "/" + name).c_str(), &info) == 0; ++again)
    name = fmt::format("{}-{}-{}", stem, ::getpid(), again);
  return name;
}

/// A directory of the writer's, which the reader sees as `seen`.
struct Folder {
  std::string path, seen;
  Descriptor descriptor;

  /// Makes it. `parent`: a descriptor, or AT_FDCWD with a whole path as `name`.
  Folder(int parent, const std::string& name, std::string its_path, std::string its_seen)
      : path(std::move(its_path)), seen(std::move(its_seen)) {
    if (::mkdirat(parent, name.c_str(), 0755) != 0) fail(path);
    descriptor = Descriptor(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!descriptor) fail(path);
  }
  Folder(const Folder& parent, const std::string& name)
      : Folder(parent.descriptor.get(), name, parent.path + "/" + name, parent.seen + "/" + name) {}

  void remove(const std::string& file) const { ::unlinkat(descriptor.get(), file.c_str(), 0); }
  void remove_folder(const std::string& name) const { ::unlinkat(descriptor.get(), name.c_str(), AT_REMOVEDIR); }
};

std::string name_of(std::size_t number) { return fmt::format("f{}", number); }

/// Files that are written again and again, and how the reader looks at one: true when it sees an old version.
class Written {
 public:
  Written(const Folder& parent, const char* name, StaleLooks& looks, StuckWatch::Thread& self)
      : self_(self), folder_(parent, name), looks_(looks) {
    for (std::size_t i = 0; i < files; ++i) write(i);
  }
  ~Written() {
    for (std::size_t i = 0; i < files; ++i) folder_.remove(name_of(i));
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;

  /// A version has a size of its own, so that stat shows it.
  static std::size_t size_of(std::uint64_t version) { return 64 + version % 4000; }

  void write(std::size_t file) {
    const std::uint64_t version = ++versions_[file];
    std::vector<char> data(size_of(version), 'x');
    std::memcpy(data.data(), &version, sizeof version);
    const std::string name = name_of(file);
    self_.call_started("writing", folder_.path, name);
    Descriptor fd = open_beneath(folder_.descriptor.get(), name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (!fd || !write_durably(std::move(fd), {data.data(), data.size()})) fail(folder_.path + "/" + name);
    watched_[file].change(now());
  }

  /// `shows(path, version)`: the reader sees that version.
  void look(bool (*shows)(const std::string&, std::uint64_t)) {
    for (std::size_t i = 0; i < files; ++i) {
      const std::string path = folder_.seen + "/" + name_of(i);
      self_.call_started("looking at", path);
      watched_[i].look(looks_, !shows(path, versions_[i]), now());
    }
  }
  void end() const {
    for (const Watched& each : watched_) each.end(looks_, now());
  }

 private:
  StuckWatch::Thread& self_;
  Folder folder_;
  StaleLooks& looks_;
  std::array<std::uint64_t, files> versions_{};
  std::array<Watched, files> watched_{};
};

bool stat_shows(const std::string& path, std::uint64_t version) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && static_cast<std::size_t>(info.st_size) == Written::size_of(version);
}

bool read_shows(const std::string& path, std::uint64_t version) {
  std::uint64_t seen = 0;
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return fd && ::read(fd.get(), &seen, sizeof seen) == sizeof seen && seen == version;
}

/// Files that are created, each in a directory of its own that is there before: to look for one, or to create it, does
/// not refresh what is known of another's.
class Created {
 public:
  Created(const Folder& parent, std::size_t number, StaleLooks& looks, StuckWatch::Thread& self)
      : self_(self), folder_(parent, "lookups"), looks_(looks) {
    for (std::size_t i = 0; i < number; ++i) {
      self_.call_started("making", folder_.path, name_of(i));
      places_.push_back({Folder(folder_, name_of(i)).seen + "/" + file, {}});
    }
    look_up_next();
  }
  ~Created() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const Descriptor place = place_of(i);
      if (place) ::unlinkat(place.get(), file, 0);
      folder_.remove_folder(name_of(i));
    }
  }
  Created(const Created&) = delete;
  Created& operator=(const Created&) = delete;

  void create() {
    if (next_ == places_.size()) return;
    const std::string path = folder_.path + "/" + name_of(next_);
    self_.call_started("creating", path, file);
    const Descriptor place = place_of(next_);
    if (!place || !open_beneath(place.get(), file, O_WRONLY | O_CREAT | O_EXCL, 0644)) fail(path + "/" + file);
    places_[next_].watched.change(now());
    // The last one is looked at until the next is there, the others until they are found.
    std::erase_if(awaited_, [&](std::size_t at) { return !places_[at].watched.behind; });
    awaited_.push_back(next_++);
    look_up_next();
  }
  void look() {
    for (const std::size_t at : awaited_) places_[at].watched.look(looks_, !found(places_[at]), now());
  }
  void end() const {
    for (const std::size_t at : awaited_) places_[at].watched.end(looks_, now());
  }

 private:
  static constexpr const char* file = "new";
  struct Place {
    std::string path;  ///< of the file, as the reader sees it
    Watched watched;
  };

  Descriptor place_of(std::size_t number) const {
    return open_beneath(folder_.descriptor.get(), name_of(number).c_str(), O_RDONLY | O_DIRECTORY);
  }
  bool found(const Place& place) {
    self_.call_started("looking at", place.path);
    struct stat info {};
    return ::stat(place.path.c_str(), &info) == 0;
  }
  /// The reader looks up the name before it is there, as builds do: the client may remember that it is not.
  void look_up_next() {
    if (next_ < places_.size()) found(places_[next_]);
  }

  StuckWatch::Thread& self_;
  Folder folder_;
  StaleLooks& looks_;
  std::vector<Place> places_;
  std::size_t next_ = 0;  ///< whose file is created next
  std::vector<std::size_t> awaited_;
};

class Experiment {
 public:
  Experiment(const std::string& writer, const std::string& reader, StuckWatch& watch)
      : self_(watch), folder_(made(writer, reader)) {}
  ~Experiment() {
    self_.call_started("removing", folder_.path);
    for (const char* const name : {"attributes", "data", "lookups"}) folder_.remove_folder(name);
    ::rmdir(folder_.path.c_str());
  }
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  Staleness run(Nanos duration, const std::stop_token& stop) {
    Staleness seen;
    Written attributes(folder_, "attributes", seen.attributes, self_), data(folder_, "data", seen.data, self_);
    const Nanos created_every = std::max(create_every, duration / static_cast<int>(most_created));
    Created lookups(folder_, static_cast<std::size_t>(duration / created_every), seen.lookups, self_);
    const TimePoint start = now(), end = start + duration;
    TimePoint next_write = start + write_every, next_create = start + created_every;
    std::size_t turn = 0;
    for (TimePoint at = start; at < end && !stop.stop_requested(); at = now()) {
      if (at >= next_write) {
        attributes.write(turn % files);
        data.write(turn++ % files);
        next_write += write_every;
      }
      if (at >= next_create) {
        lookups.create();
        next_create += created_every;
      }
      attributes.look(stat_shows);
      data.look(read_shows);
      lookups.look();
      self_.pause();
      std::this_thread::sleep_for(look_every);
    }
    attributes.end();
    data.end();
    lookups.end();
    self_.call_started("removing", folder_.path);
    return seen;
  }

 private:
  Folder made(const std::string& writer, const std::string& reader) {
    self_.call_started("looking at", writer);
    const std::string name = free_name(writer, "edagen.staleness"), path = writer + "/" + name;
    self_.call_started("making", path);
    return {AT_FDCWD, path, path, reader + "/" + name};
  }

  StuckWatch::Thread self_;
  Folder folder_;
};

}  // namespace

void check_same_directory(const std::string& writer, const std::string& reader, StuckWatch& watch) {
  constexpr Nanos longest_wait = std::chrono::seconds(2), look_every_so_long = std::chrono::milliseconds(20);
  StuckWatch::Thread self(watch);
  self.call_started("looking at", writer);
  const std::string name = free_name(writer, "edagen.staleness-check");
  const std::string made = writer + "/" + name, seen = reader + "/" + name;
  self.call_started("making", made);
  if (::mkdir(made.c_str(), 0755) != 0) fail(made);
  self.call_started("looking at", seen);
  struct stat info {};
  bool found = false;
  for (const TimePoint end = now() + longest_wait; !found && now() < end;) {
    found = ::stat(seen.c_str(), &info) == 0;
    if (!found) std::this_thread::sleep_for(look_every_so_long);
  }
  self.call_started("removing", made);
  ::rmdir(made.c_str());
  if (!found)
    throw usage_error(reader, fmt::format("does not show what is made in {}", writer),
                      "the same directory of one export, on two mounts with nosharecache");
}

Staleness measure_staleness(const std::string& writer, const std::string& reader, Nanos duration, StuckWatch& watch,
                            const std::stop_token& stop) {
  return Experiment(writer, reader, watch).run(duration, stop);
}

}  // namespace edagen
