// The yardstick: the same system calls on the same kind of files in a bare loop, without a generator.
//   bare_loop WORK DIRECTORY THREADS SECONDS [timed]
// WORK: stat, read_rand, write_rand, functional, build. Each thread has a directory and files of its own. With "timed"
// each op reads the clock twice and counts a histogram bucket. Prints operations per second.
#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/parts/random.hpp"

namespace {

using edagen::Random;
constexpr std::size_t transfer = 8192;
constexpr std::size_t big_file = 64 << 20;
constexpr int files = 1000, directories = 20;
constexpr std::size_t small_file = 16 << 10;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}
void check(bool good, const char* what) {
  if (!good) fail(what);
}

struct Counter {
  std::uint64_t ops = 0;
  std::uint64_t buckets[64 * 64] = {};
};

/// Calls op(i) until the time is over.
template <class Op>
void repeat(std::atomic<bool>& stop, Counter& counter, bool timed, Op op) {
  while (!stop.load(std::memory_order_relaxed)) {
    for (int i = 0; i < 32; ++i) {
      if (timed) {
        const auto start = edagen::now();
        op();
        const auto ns = static_cast<std::uint64_t>((edagen::now() - start).count());
        ++counter.buckets[static_cast<std::size_t>(std::bit_width(ns)) * 64 + (ns & 63)];
      } else {
        op();
      }
    }
    counter.ops += 32;
  }
}

std::vector<std::string> names_of(char letter) {
  std::vector<std::string> names;
  for (int i = 0; i < files; ++i) names.push_back(fmt::format("d{:03}/{}{:06}", i % directories, letter, i));
  return names;
}

void write_whole(int directory, const char* name, const char* data, std::size_t size) {
  const int fd = ::openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  check(fd >= 0, name);
  if (size > 0) check(::write(fd, data, size) == static_cast<ssize_t>(size), "write");
  ::close(fd);
}

/// The op mix of eda_functional with fixed sizes, on names and places drawn as its workload file says: every call
/// succeeds, stat and access see all files, reads and writes go through a descriptor for 64 ops, renames replace a file
/// that the next write_file fills again.
void functional(int directory, std::atomic<bool>& stop, Counter& counter, bool timed) {
  constexpr std::size_t read_size = 10000, write_size = 3500, page = 4096;
  constexpr int flags = O_CLOEXEC | O_NOFOLLOW;
  const auto data_names = names_of('f'), empty_names = names_of('e');
  std::vector<char> buffer(128 << 10, 'x');
  struct stat info;
  for (const auto& name : data_names) write_whole(directory, name.c_str(), buffer.data(), small_file);
  for (const auto& name : empty_names) write_whole(directory, name.c_str(), nullptr, 0);
  Random random(7);
  // The empty files are a ring of which the second half is there at first: [oldest, newest).
  std::size_t oldest = files / 2, newest = files;
  for (std::size_t i = 0; i < oldest; ++i) ::unlinkat(directory, empty_names[i].c_str(), 0);
  std::size_t emptied = files;  // the data file that a rename has replaced, if any
  bool dir_there = false;
  int fd = -1, left = 0;
  const auto empty_name = [&](std::size_t place) { return empty_names[place % files].c_str(); };
  const auto data_file = [&] {
    std::size_t file = random.below(files);
    return file == emptied ? (file + 1) % files : file;
  };
  const auto data_name = [&] { return data_names[data_file()].c_str(); };
  const auto any_name = [&] {
    const std::size_t draw = random.below(files + newest - oldest);
    return draw < files ? data_names[draw].c_str() : empty_name(oldest + draw - files);
  };
  const auto place = [&](std::size_t length) {
    return static_cast<off_t>(random.below((small_file - length) / page + 1) * page);
  };
  const auto random_file = [&] {
    if (left-- == 0) {
      ::close(fd);
      fd = ::openat(directory, data_name(), O_RDWR | flags);
      check(fd >= 0, "open");
      left = 63;
    }
    return fd;
  };
  const auto commit = [&](int file) {
    if (random.below(100) < 15) ::fsync(file);
  };
  repeat(stop, counter, timed, [&] {
    const auto draw = random.below(200);
    if (draw < 78) check(::fstatat(directory, any_name(), &info, AT_SYMLINK_NOFOLLOW) == 0, "stat");
    else if (draw < 108) check(::faccessat(directory, any_name(), R_OK, 0) == 0, "access");
    else if (draw < 138) {
      const int file = random_file();
      check(::pwrite(file, buffer.data(), write_size, place(write_size)) == write_size, "pwrite");
      commit(file);
    } else if (draw < 158) {
      const std::size_t chosen = emptied < files ? std::exchange(emptied, files) : random.below(files);
      const int file = ::openat(directory, data_names[chosen].c_str(), O_WRONLY | O_CREAT | O_TRUNC | flags, 0644);
      check(::write(file, buffer.data(), small_file) == small_file, "write");
      commit(file);
      ::close(file);
    } else if (draw < 174) {
      check(::pread(random_file(), buffer.data(), read_size, place(read_size)) >= 0, "pread");
    } else if (draw < 188) {
      const int file = ::openat(directory, data_name(), O_RDONLY | flags);
      while (::read(file, buffer.data(), buffer.size()) > 0) {
      }
      ::close(file);
    } else if (draw < 194) {
      // 2 of 3 create; at the ends of the ring the other one, as the mix is in balance.
      const bool creates = newest == oldest || (draw < 192 && newest - oldest < files);
      if (creates) {
        const int file = ::openat(directory, empty_name(newest++), O_WRONLY | O_CREAT | O_EXCL | flags, 0644);
        check(file >= 0, "create");
        ::close(file);
      } else {
        check(::unlinkat(directory, empty_name(oldest++), 0) == 0, "unlink");
      }
    } else if (draw < 196 && newest > oldest) {
      const std::size_t over = data_file();
      check(::renameat(directory, empty_name(oldest++), directory, data_names[over].c_str()) == 0, "rename");
      emptied = over;
    } else if (draw < 198) {
      if (dir_there) ::unlinkat(directory, "d000/m", AT_REMOVEDIR);
      else ::mkdirat(directory, "d000/m", 0755);
      dir_there = !dir_there;
    } else {
      check(::fchmodat(directory, any_name(), 0644, 0) == 0, "chmod");
    }
  });
}

void work(const std::string& what, int directory, std::atomic<bool>& stop, Counter& counter, bool timed) {
  for (int i = 0; i < directories; ++i) ::mkdirat(directory, fmt::format("d{:03}", i).c_str(), 0755);
  Random random(1);
  if (what == "stat") {
    const auto names = names_of('e');
    for (const auto& name : names) write_whole(directory, name.c_str(), nullptr, 0);
    struct stat info;
    repeat(stop, counter, timed, [&] {
      check(::fstatat(directory, names[random.below(files)].c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0, "stat");
    });
  } else if (what == "read_rand" || what == "write_rand") {
    std::vector<char> data(big_file, 'x');
    write_whole(directory, "d000/f", data.data(), big_file);
    const int fd = ::openat(directory, "d000/f", O_RDWR | O_CLOEXEC);
    const auto place = [&] { return static_cast<off_t>(random.below(big_file / transfer) * transfer); };
    if (what == "read_rand")
      repeat(stop, counter, timed, [&] { check(::pread(fd, data.data(), transfer, place()) == transfer, "pread"); });
    else
      repeat(stop, counter, timed, [&] { check(::pwrite(fd, data.data(), transfer, place()) == transfer, "pwrite"); });
  } else if (what == "functional") {
    functional(directory, stop, counter, timed);
  } else if (what == "build") {
    std::vector<char> data(small_file, 'x');
    for (std::uint64_t i = 0; !stop.load(std::memory_order_relaxed); ++i, ++counter.ops)
      write_whole(directory, fmt::format("d{:03}/f{:06}", i % directories, i).c_str(), data.data(), small_file);
  } else {
    fail(what.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::string what = argv[1], root = argv[2];
  const int threads = std::atoi(argv[3]);
  const double seconds = std::atof(argv[4]);
  const bool timed = argc > 5 && std::string(argv[5]) == "timed";
  std::atomic<bool> stop{false};
  std::vector<Counter> counters(static_cast<std::size_t>(threads));
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t)
    running.emplace_back([&, t] {
      ::prctl(PR_SET_KEEPCAPS, 1);
      ::prctl(PR_SET_KEEPCAPS, 0);
      const std::string mine = fmt::format("{}/t{}", root, t);
      ::mkdir(mine.c_str(), 0755);
      const int directory = ::open(mine.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      check(directory >= 0, mine.c_str());
      work(what, directory, stop, counters[static_cast<std::size_t>(t)], timed);
    });
  const auto total = [&] {
    std::uint64_t ops = 0;
    for (const Counter& counter : counters) ops += __atomic_load_n(&counter.ops, __ATOMIC_RELAXED);
    return ops;
  };
  if (what != "build") std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const std::uint64_t before = total();
  const auto start = edagen::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const std::uint64_t ops = total() - before;
  const double elapsed = edagen::to_seconds(edagen::now() - start);
  stop = true;
  for (auto& thread : running) thread.join();
  fmt::print("{:.0f}\n", static_cast<double>(ops) / elapsed);
}
