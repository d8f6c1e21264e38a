// A file system for tests that passes everything through to a directory, and on demand stops all ops for a while,
// fails them, or never answers one.
//   stall_fs SOURCE MOUNTPOINT CONTROL
// CONTROL is a file that is read at each op: "stall MS EVERY_MS" (all ops wait until the stall is over), "delay US"
// (each op takes so much longer), "close MS" (files are closed so much later), "fail ERRNO OP" (OP is write, fsync, or
// flush: files are closed with that error), "hang NAME" (ops on the leaf NAME wait until the file says otherwise),
// "hang NAME OP" (of them OP alone). Runs in the foreground.
#define FUSE_USE_VERSION 31
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

namespace {

using namespace std::chrono;

std::string source, control;
const auto mounted_at = steady_clock::now();

struct Order {
  std::string what, word, op;  ///< op: the one that hangs; empty: all
  long number = 0;
};

Order order() {
  std::ifstream file(control);
  Order now;
  std::string first, second;
  file >> now.what >> first >> second;
  now.number = std::atol(first.c_str());
  now.word = now.what == "hang" ? first : second;
  if (now.what == "hang") now.op = second;
  return now;
}

/// Waits for as long as the op is to hang.
void hang(const char* op, const char* path) {
  const char* const leaf = std::strrchr(path, '/');
  const auto hangs = [&] {
    const Order now = order();
    return now.what == "hang" && leaf != nullptr && now.word == leaf + 1 && (now.op.empty() || now.op == op);
  };
  while (hangs()) std::this_thread::sleep_for(milliseconds(20));
}

/// Waits as ordered; an errno when the op is to fail.
int obey(const char* op, const char* path) {
  const Order now = order();
  if (now.what == "stall") {
    const long every = std::atol(now.word.c_str());
    const long at = duration_cast<milliseconds>(steady_clock::now() - mounted_at).count() % every;
    if (at < now.number) std::this_thread::sleep_for(milliseconds(now.number - at));
  } else if (now.what == "delay") {
    std::this_thread::sleep_for(microseconds(now.number));
  } else if (now.what == "fail" && now.word == op) {
    return static_cast<int>(now.number);
  } else if (now.what == "hang") {
    hang(op, path);
  }
  return 0;
}

std::string full(const char* path) { return source + path; }
int outcome(long result) { return result < 0 ? -errno : static_cast<int>(result); }

#define OBEY(op, path)                    \
  if (const int error = obey(op, path)) { \
    return -error;                        \
  }

int get_attributes(const char* path, struct stat* info, fuse_file_info*) {
  OBEY("stat", path)
  return outcome(::lstat(full(path).c_str(), info));
}
int check_access(const char* path, int mask) {
  OBEY("access", path)
  return outcome(::access(full(path).c_str(), mask));
}
int read_directory(const char* path, void* buffer, fuse_fill_dir_t fill, off_t, fuse_file_info*, fuse_readdir_flags) {
  OBEY("readdir", path)
  const int fd = ::open(full(path).c_str(), O_RDONLY | O_DIRECTORY);
  if (fd < 0) return -errno;
  alignas(8) char entries[32768];
  for (long got; (got = ::syscall(217 /* getdents64 */, fd, entries, sizeof entries)) > 0;)
    for (long at = 0; at < got;) {
      struct Entry {
        std::uint64_t inode;
        std::int64_t offset;
        unsigned short length;
        unsigned char type;
        char name[1];
      };
      const auto* entry = reinterpret_cast<const Entry*>(entries + at);
      fill(buffer, entry->name, nullptr, 0, static_cast<fuse_fill_dir_flags>(0));
      at += entry->length;
    }
  ::close(fd);
  return 0;
}
int make_directory(const char* path, mode_t mode) { return outcome(::mkdir(full(path).c_str(), mode)); }
int remove_directory(const char* path) {
  hang("rmdir", path);
  return outcome(::rmdir(full(path).c_str()));
}
int remove_file(const char* path) {
  OBEY("unlink", path)
  return outcome(::unlink(full(path).c_str()));
}
int rename_file(const char* from, const char* to, unsigned) {
  OBEY("rename", from)
  return outcome(::rename(full(from).c_str(), full(to).c_str()));
}
int change_mode(const char* path, mode_t mode, fuse_file_info*) { return outcome(::chmod(full(path).c_str(), mode)); }
int change_length(const char* path, off_t length, fuse_file_info*) {
  return outcome(::truncate(full(path).c_str(), length));
}
int open_file(const char* path, fuse_file_info* info) {
  OBEY("open", path)
  const int fd = ::open(full(path).c_str(), info->flags & ~O_DIRECT);
  info->fh = static_cast<std::uint64_t>(fd);
  return fd < 0 ? -errno : 0;
}
int create_file(const char* path, mode_t mode, fuse_file_info* info) {
  OBEY("create", path)
  const int fd = ::open(full(path).c_str(), info->flags & ~O_DIRECT, mode);
  info->fh = static_cast<std::uint64_t>(fd);
  return fd < 0 ? -errno : 0;
}
int read_file(const char* path, char* buffer, std::size_t size, off_t offset, fuse_file_info* info) {
  OBEY("read", path)
  return outcome(::pread(static_cast<int>(info->fh), buffer, size, offset));
}
int write_file(const char* path, const char* data, std::size_t size, off_t offset, fuse_file_info* info) {
  OBEY("write", path)
  return outcome(::pwrite(static_cast<int>(info->fh), data, size, offset));
}
/// An errno when the op, which never waits, is to fail.
int ordered_error(const char* op) {
  const Order now = order();
  return now.what == "fail" && now.word == op ? static_cast<int>(now.number) : 0;
}
int flush_file(const char*, fuse_file_info*) { return -ordered_error("flush"); }
int sync_file(const char*, int, fuse_file_info*) { return -ordered_error("fsync"); }
int release_file(const char*, fuse_file_info* info) {
  if (const Order now = order(); now.what == "close") std::this_thread::sleep_for(milliseconds(now.number));
  return outcome(::close(static_cast<int>(info->fh)));
}
int file_system_figures(const char*, struct statvfs* info) { return outcome(::statvfs(source.c_str(), info)); }

void* prepare(fuse_conn_info*, fuse_config* config) {
  config->attr_timeout = config->entry_timeout = config->negative_timeout = 0;
  config->direct_io = 1;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  source = argv[1];
  control = argv[3];
  fuse_operations operations{};
  operations.getattr = get_attributes;
  operations.access = check_access;
  operations.readdir = read_directory;
  operations.mkdir = make_directory;
  operations.rmdir = remove_directory;
  operations.unlink = remove_file;
  operations.rename = rename_file;
  operations.chmod = change_mode;
  operations.truncate = change_length;
  operations.open = open_file;
  operations.create = create_file;
  operations.read = read_file;
  operations.write = write_file;
  operations.flush = flush_file;
  operations.fsync = sync_file;
  operations.release = release_file;
  operations.statfs = file_system_figures;
  operations.init = prepare;
  char name[] = "stall_fs", foreground[] = "-f", *mount_point = argv[2];
  char* arguments[] = {name, foreground, mount_point, nullptr};
  return fuse_main(3, arguments, &operations, nullptr);
}
