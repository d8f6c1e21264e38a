#include "target/posix_worker.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/beneath.hpp"
#include "target/file_io.hpp"
#include "target/memory_fault.hpp"

namespace edagen {
namespace {

/// The size of transfers that cp and editors use for whole files.
constexpr Bytes whole_file_chunk = 128 * KiB;

/// The unit of offsets of mappings: 64 KiB on some hosts.
Bytes page_size() {
  static const Bytes size = ::sysconf(_SC_PAGESIZE);
  return size;
}

Bytes worker_buffer_size(const ProcSpec& spec) {
  return std::max(spec.largest_transfer(), whole_file_chunk) + spec.io.direct_block;  // direct I/O rounds up
}

OpResult failure(int error) { return {.error = error, .bytes_read = 0, .bytes_written = 0}; }
OpResult outcome(int returned) { return failure(returned == 0 ? 0 : errno); }

/// Opens directory `index` of the dataset below the root; the number after the last is the proc's own directory.
Descriptor open_directory(const ProcPlace& place, const NameWriter& names, std::uint64_t index) {
  char path[longest_path];
  char* end = std::copy(place.directory.begin(), place.directory.end(), path);
  if (index < place.files.dataset().directories) {
    *end++ = '/';
    end = names.write_directory(index, end);
  }
  *end = 0;
  return open_beneath(place.root, path, O_PATH | O_DIRECTORY);
}

/// Changes the mode of the file of an O_PATH descriptor, which has no fchmod(2). Returns 0 or an errno.
int change_mode(int fd, mode_t mode) {
  constexpr long fchmodat2 = 452;  // since Linux 6.6, on every architecture except alpha
  static std::atomic<bool> missing{false};
  if (!missing.load(std::memory_order_relaxed)) {
    if (::syscall(fchmodat2, fd, "", mode, AT_EMPTY_PATH) == 0) return 0;
    missing = errno == ENOSYS;
  }
  struct stat info {};
  if (::fstat(fd, &info) != 0) return errno;
  if (S_ISLNK(info.st_mode)) return ELOOP;
  char path[32];
  std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return ::chmod(path, mode) == 0 ? 0 : errno;
}

/// Changes the mode of a file that is no link and has nothing mounted on it. Returns 0 or an errno.
int change_mode(int directory, const char* name, mode_t mode) {
  const Descriptor file = open_beneath(directory, name, O_PATH);
  return file ? change_mode(file.get(), mode) : errno;
}

/// Returns 0 or an errno.
int lock_and_unlock(int fd, const Op& op) {
  struct flock range {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = op.offset;
  range.l_len = op.length;
  if (::fcntl(fd, F_OFD_SETLK, &range) != 0) return errno;
  range.l_type = F_UNLCK;
  return ::fcntl(fd, F_OFD_SETLK, &range) != 0 ? errno : 0;
}

void write_all(OpResult& result, int fd, const char* data, Bytes length) {
  transfer(result, result.bytes_written, length, short_write_error,
           [&](Bytes done) { return ::write(fd, data + done, static_cast<std::size_t>(length - done)); });
}

}  // namespace

OpResult PosixWorker::carry_out(std::uint32_t index, const Op& op) {
  using enum OpKind;
  Proc& proc = shared_.procs[index];
  switch (op.kind) {
    case open: return open_session(proc, op);
    case close: return close_session(proc, op);
    case read_file: return read_whole(proc, op);
    case write_file: return write_whole(proc, op);
    case write_append: return append(proc, op);
    case copyfile: return copy(proc, op);
    case read_rand:
    case write_rand:
    case rmw:
    case read_seq:
    case write_seq:
    case lock:
    case fsync: return positioned(proc, op);
    case mmap_read:
    case mmap_write: return map(proc, op);
    case statfs:
    case readdir: return on_directory(proc, op);
    case stat:
    case access:
    case create:
    case unlink:
    case rename:
    case mkdir:
    case rmdir:
    case chmod:
    case truncate:
    case symlink:
    case readlink:
    case link: return on_name(proc, op);
  }
  return failure(ENOSYS);
}

// --- descriptors and buffers

int PosixWorker::directory(Proc& proc, std::uint64_t index, Descriptor& passing) {
  return proc.directories.get(index, passing, [&] { return open_directory(*proc.place, proc.names, index); });
}

int PosixWorker::directory_of(Proc& proc, NameRef name, Descriptor& passing) {
  return directory(proc, proc.names.directory_of(name), passing);
}

int PosixWorker::other_directory_of(Proc& proc, NameRef name, Descriptor& passing) {
  const std::uint64_t index = proc.names.directory_of(name);
  if (const int kept = proc.directories.find(index); kept >= 0) return kept;
  passing = open_directory(*proc.place, proc.names, index);
  return passing.get();
}

Descriptor PosixWorker::open_name(Proc& proc, NameRef name, int flags, int& error) {
  Descriptor passing;
  const int directory = directory_of(proc, name, passing);
  proc.names.write_leaf(name, leaf_);
  Descriptor fd = directory < 0 ? Descriptor() : open_beneath(directory, leaf_, flags, 0644);
  error = fd ? 0 : errno;
  return fd;
}

/// Opens a directory of the dataset, or the proc's own, to list its names.
Descriptor PosixWorker::open_listed(Proc& proc, NameRef name, int& error) {
  Descriptor passing;
  const int above = directory(proc, proc.place->files.dataset().directories, passing);
  proc.names.write(name, leaf_);
  Descriptor fd = above < 0 ? Descriptor() : open_beneath(above, leaf_, O_RDONLY | O_DIRECTORY);
  error = fd ? 0 : errno;
  return fd;
}

/// Returns 0 or the first errno.
int PosixWorker::close_handle(const Proc& proc, OpenHandle& handle) {
  const bool syncs = std::exchange(handle.written, false) && proc.place->spec->io.fsync == FsyncWhen::close;
  const int lost = handle.fd && syncs && ::fsync(handle.fd.get()) != 0 ? errno : 0;
  const int failed = handle.fd.close();
  return lost != 0 ? lost : failed;
}

int PosixWorker::ensure_open(Proc& proc, OpenHandle& handle, const Op& op, int flags) {
  if (handle.fd && handle.file == op.name.index && handle.flags == flags) return 0;
  if (const int lost = close_handle(proc, handle)) return lost;
  int error = 0;
  handle.fd = open_name(proc, op.name, flags, error);
  handle.file = op.name.index;
  handle.flags = flags;
  return error;
}

Payload& PosixWorker::payload(const Proc& proc) {
  const ProcSpec* spec = proc.place->spec;
  if (buffers_of_ != spec) {
    payload_ = &payloads_
                    .try_emplace(spec, worker_buffer_size(*spec), spec->duplicate_percent, spec->compressible_percent,
                                 static_cast<std::uint64_t>(now().time_since_epoch().count()) ^
                                     reinterpret_cast<std::uintptr_t>(this))
                    .first->second;
    buffers_of_ = spec;
  }
  return *payload_;
}

char* PosixWorker::read_buffer(const Proc& proc) {
  const Bytes needed = worker_buffer_size(*proc.place->spec);
  if (read_buffer_size_ < needed) {
    read_buffer_ = allocate_io_buffer(needed);
    read_buffer_size_ = needed;
  }
  return read_buffer_.get();
}

// --- ops on data

OpResult PosixWorker::open_session(Proc& proc, const Op& op) {
  OpenHandle& handle = op.writing ? proc.writing : proc.reading;
  handle.fd.close();  // open only when the close before has failed
  OpResult result = failure(ensure_open(proc, handle, op, open_flags(*proc.place, op)));
  if (!shared_.budget.keeps_files) note(result, close_handle(proc, handle));
  return result;
}

OpResult PosixWorker::close_session(Proc& proc, const Op& op) {
  OpenHandle& handle = op.writing ? proc.writing : proc.reading;
  if (!handle.fd && shared_.budget.keeps_files)  // a proc's first op
    if (const int error = ensure_open(proc, handle, op, open_flags(*proc.place, op))) return failure(error);
  return failure(close_handle(proc, handle));
}

/// Reads, writes, locks or syncs at the op's place in a file that stays open between ops.
OpResult PosixWorker::positioned(Proc& proc, const Op& op) {
  OpenHandle& handle = op.kind == OpKind::read_seq    ? proc.reading
                       : op.kind == OpKind::write_seq ? proc.writing
                                                      : proc.random;
  OpResult result = failure(ensure_open(proc, handle, op, open_flags(*proc.place, op)));
  if (result.error != 0) return result;
  const int fd = handle.fd.get();
  if (op.kind == OpKind::fsync && ::fsync(fd) != 0) note(result, errno);
  if (op.kind == OpKind::lock) note(result, lock_and_unlock(fd, op));
  if (reads_extent(op) || op.kind == OpKind::rmw) read_extent(result, op, fd, read_buffer(proc));
  if ((writes_extent(op) || op.kind == OpKind::rmw) && result.error == 0) {
    handle.written = true;
    write_extent(result, op, fd, payload(proc).stretch(op.length));
    commit(result, op, fd);
  }
  if (!shared_.budget.keeps_files) note(result, close_handle(proc, handle));
  return result;
}

OpResult PosixWorker::read_whole(Proc& proc, const Op& op) {
  OpResult result;
  Descriptor file = open_name(proc, op.name, open_flags(*proc.place, op), result.error);
  if (!file) return result;
  char* const buffer = read_buffer(proc);
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, whole_file_chunk);
    if (got < 0) note(result, errno);
    if (got <= 0) break;
    result.bytes_read += got;
  }
  if (result.bytes_read < op.length) note(result, short_read_error);
  note(result, file.close());
  return result;
}

OpResult PosixWorker::write_whole(Proc& proc, const Op& op) {
  OpResult result;
  const int flags = (open_flags(*proc.place, op) & ~O_ACCMODE) | O_WRONLY | O_CREAT | O_TRUNC;
  Descriptor file = open_name(proc, op.name, flags, result.error);
  if (!file) return result;
  while (result.bytes_written < op.length && result.error == 0) {
    const Bytes length = std::min(whole_file_chunk, op.length - result.bytes_written);
    write_all(result, file.get(), payload(proc).stretch(length), length);
  }
  commit(result, op, file.get());
  note(result, file.close());
  return result;
}

OpResult PosixWorker::append(Proc& proc, const Op& op) {
  OpResult result;
  Descriptor file = open_name(proc, op.name, O_WRONLY | O_APPEND | (op.truncating ? O_TRUNC : 0), result.error);
  if (!file) return result;
  write_all(result, file.get(), payload(proc).stretch(op.length), op.length);
  commit(result, op, file.get());
  note(result, file.close());
  return result;
}

OpResult PosixWorker::copy(Proc& proc, const Op& op) {
  OpResult result;
  Descriptor from = open_name(proc, op.name, O_RDONLY, result.error);
  if (!from) return result;
  Descriptor to = open_name(proc, op.other, O_WRONLY | O_TRUNC, result.error);
  if (!to) return result;
  char* const buffer = read_buffer(proc);
  while (result.error == 0) {
    const ssize_t got = ::read(from.get(), buffer, whole_file_chunk);
    if (got < 0) note(result, errno);
    if (got <= 0) break;
    result.bytes_read += got;
    write_all(result, to.get(), buffer, got);
  }
  if (result.bytes_read < op.length) note(result, short_read_error);
  commit(result, op, to.get());
  note(result, from.close());
  note(result, to.close());
  return result;
}

OpResult PosixWorker::map(Proc& proc, const Op& op) {
  const bool writes = op.kind == OpKind::mmap_write;
  OpResult result;
  Descriptor file = open_name(proc, op.name, writes ? O_RDWR : O_RDONLY, result.error);
  if (!file) return result;
  const Bytes start = round_down(op.offset, page_size());
  const auto length = static_cast<std::size_t>(op.offset - start + op.length);
  void* const map = ::mmap(nullptr, length, writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file.get(), start);
  if (map == MAP_FAILED) return failure(errno);
  char* const bytes = static_cast<char*>(map) + (op.offset - start);
  const bool whole = writes ? copy_guarded(bytes, payload(proc).stretch(op.length), static_cast<std::size_t>(op.length))
                            : copy_guarded(read_buffer(proc), bytes, static_cast<std::size_t>(op.length));
  if (!whole) note(result, bus_error);
  else (writes ? result.bytes_written : result.bytes_read) = op.length;
  if (op.commit && whole && ::msync(map, length, MS_SYNC) != 0) note(result, errno);
  if (::munmap(map, length) != 0) note(result, errno);
  note(result, file.close());
  return result;
}

// --- ops on names

OpResult PosixWorker::on_name(Proc& proc, const Op& op) {
  Descriptor passing;
  const int directory = directory_of(proc, op.name, passing);
  if (directory < 0) return failure(errno);
  const char* const name = leaf_;
  proc.names.write_leaf(op.name, leaf_);
  switch (op.kind) {
    case OpKind::stat: {
      struct stat info;
      return outcome(::fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW));
    }
    case OpKind::access: return outcome(::faccessat(directory, name, R_OK, AT_SYMLINK_NOFOLLOW));
    case OpKind::create: {
      OpResult result;
      Descriptor file = open_beneath(directory, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
      if (!file) return failure(errno);
      note(result, file.close());
      return result;
    }
    case OpKind::unlink: return outcome(::unlinkat(directory, name, 0));
    case OpKind::mkdir: return outcome(::mkdirat(directory, name, 0755));
    case OpKind::rmdir: return outcome(::unlinkat(directory, name, AT_REMOVEDIR));
    case OpKind::chmod: return failure(change_mode(directory, name, static_cast<mode_t>(op.length)));
    case OpKind::rename:
    case OpKind::link: {
      Descriptor other_passing;
      const int other = other_directory_of(proc, op.other, other_passing);
      if (other < 0) return failure(errno);
      proc.names.write_leaf(op.other, other_leaf_);
      return outcome(op.kind == OpKind::rename ? ::renameat(directory, name, other, other_leaf_)
                                               : ::linkat(other, other_leaf_, directory, name, 0));
    }
    case OpKind::symlink:
      proc.names.write_leaf(op.other, other_leaf_);
      return outcome(::symlinkat(other_leaf_, directory, name));
    case OpKind::readlink: {
      char target[NameWriter::longest];
      return failure(::readlinkat(directory, name, target, sizeof target) < 0 ? errno : 0);
    }
    case OpKind::truncate: {
      OpResult result;
      Descriptor file = open_beneath(directory, name, O_WRONLY);
      if (!file) return failure(errno);
      if (::ftruncate(file.get(), op.length) != 0) note(result, errno);
      note(result, file.close());
      return result;
    }
    default: return failure(ENOSYS);
  }
}

OpResult PosixWorker::on_directory(Proc& proc, const Op& op) {
  OpResult result;
  if (op.kind == OpKind::statfs) {
    Descriptor passing;
    const int own = directory(proc, proc.place->files.dataset().directories, passing);
    struct statfs info;
    return own < 0 ? failure(errno) : outcome(::fstatfs(own, &info));
  }
  Descriptor listed = open_listed(proc, op.name, result.error);
  if (!listed) return result;
  long got = 0;
  do {
    got = ::syscall(SYS_getdents64, listed.get(), read_buffer(proc), 32 * KiB);
  } while (got > 0);
  if (got < 0) note(result, errno);
  note(result, listed.close());
  return result;
}

}  // namespace edagen
