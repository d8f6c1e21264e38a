#include "nfs/staleness.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

#include "base/beneath.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t files = 4;
constexpr Nanos write_every = std::chrono::milliseconds(100);
constexpr Nanos look_every = std::chrono::milliseconds(5);
constexpr Nanos create_every = std::chrono::milliseconds(500);

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
      looks.periods.record(at - changed_at);
      behind = false;
    }
  }
  void change(TimePoint at) {
    if (!behind) changed_at = at;  // else it has been old since the change before
  }
  void end(StaleLooks& looks, TimePoint at) {
    if (behind) looks.periods.record(at - changed_at);
  }
};

class Experiment {
 public:
  Experiment(const std::string& writer, const std::string& reader, StuckWatch& watch)
      : self_(watch),
        name_(fmt::format("edagen.staleness-{}", ::getpid())),
        writer_(writer + "/" + name_),
        reader_(reader + "/" + name_) {
    self_.begins("making", writer_);
    if (::mkdir(writer_.c_str(), 0755) != 0) fail(writer_);
    folder_ = Descriptor(::open(writer_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder_) fail(writer_);
    for (std::size_t i = 0; i < files; ++i) write(i);
  }
  ~Experiment() {
    self_.begins("removing", writer_);
    for (std::size_t i = 0; i < files; ++i) ::unlinkat(folder_.get(), name_of(i).c_str(), 0);
    for (std::size_t i = 0; i <= created_; ++i) ::unlinkat(folder_.get(), created_name(i).c_str(), 0);
    ::rmdir(writer_.c_str());
  }

  Staleness run(Nanos duration, const std::stop_token& stop) {
    const TimePoint start = now(), end = start + duration;
    TimePoint next_write = start + write_every, next_create = start + create_every;
    probe_next();
    for (TimePoint at = start; at < end && !stop.stop_requested(); at = now()) {
      if (at >= next_write) {
        write(turn_++ % files);
        next_write += write_every;
      }
      if (at >= next_create) {
        create();
        next_create += create_every;
      }
      look();
      self_.rests();
      std::this_thread::sleep_for(look_every);
    }
    for (std::size_t i = 0; i < files; ++i)
      attributes_[i].end(seen_.attributes, now()), data_[i].end(seen_.data, now());
    lookup_.end(seen_.lookups, now());
    return seen_;
  }

 private:
  [[noreturn]] static void fail(const std::string& path) { throw run_error(path, std::strerror(errno)); }
  static std::string name_of(std::size_t file) { return fmt::format("f{}", file); }
  static std::string created_name(std::size_t n) { return fmt::format("new{}", n); }
  /// A version has a size of its own, so that stat tells it.
  static std::size_t size_of(std::uint64_t version) { return 64 + version % 4000; }

  void write(std::size_t file) {
    const std::uint64_t version = ++versions_[file];
    std::vector<char> data(size_of(version), 'x');
    std::memcpy(data.data(), &version, sizeof version);
    const std::string name = name_of(file);
    self_.begins("writing", writer_, name);
    Descriptor fd = open_beneath(folder_.get(), name.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (!fd || ::write(fd.get(), data.data(), data.size()) != static_cast<ssize_t>(data.size()) ||
        ::fsync(fd.get()) != 0 || fd.close() != 0)
      fail(writer_ + "/" + name);
    attributes_[file].change(now());
    data_[file].change(now());
  }

  /// The reader asks for the name before it is there, as builds do: the client may remember that it is not.
  void probe_next() {
    struct stat info {};
    const std::string name = created_name(created_);
    self_.begins("looking at", reader_, name);
    ::stat((reader_ + "/" + name).c_str(), &info);
  }

  void create() {
    lookup_.end(seen_.lookups, now());
    const std::string name = created_name(created_);
    self_.begins("creating", writer_, name);
    if (!open_beneath(folder_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0644)) fail(writer_ + "/" + name);
    lookup_ = {now(), false};
    awaited_ = true;
    awaited_name_ = reader_ + "/" + name;
    ++created_;
    probe_next();
  }

  void look() {
    struct stat info {};
    for (std::size_t i = 0; i < files; ++i) {
      const std::string name = reader_ + "/" + name_of(i);
      self_.begins("looking at", name);
      const std::size_t size = size_of(versions_[i]);
      const bool there = ::stat(name.c_str(), &info) == 0;
      attributes_[i].look(seen_.attributes, !there || static_cast<std::size_t>(info.st_size) != size, now());
      std::uint64_t version = 0;
      const Descriptor fd(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
      const bool read = fd && ::read(fd.get(), &version, sizeof version) == sizeof version;
      data_[i].look(seen_.data, !read || version != versions_[i], now());
    }
    self_.begins("looking at", awaited_name_);
    if (awaited_) lookup_.look(seen_.lookups, ::stat(awaited_name_.c_str(), &info) != 0, now());
  }

  StuckWatch::Thread self_;
  std::string name_, writer_, reader_;
  Descriptor folder_;  ///< the writer's
  std::array<std::uint64_t, files> versions_{};
  std::array<Watched, files> attributes_{}, data_{};
  Watched lookup_;
  bool awaited_ = false;
  std::string awaited_name_;
  std::size_t created_ = 0, turn_ = 0;
  Staleness seen_;
};

}  // namespace

Staleness measure_staleness(const std::string& writer, const std::string& reader, Nanos duration, StuckWatch& watch,
                            const std::stop_token& stop) {
  return Experiment(writer, reader, watch).run(duration, stop);
}

}  // namespace edagen
