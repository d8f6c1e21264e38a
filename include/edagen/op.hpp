// A file operation (its kind, object and extent) and its result.
// Plain values; safe to copy between threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace edagen {

/// A kind may be added anywhere before the last one: kinds without weight in a workload change no op of it.
enum class OpKind : std::uint8_t {
  open,
  close,
  read_file,
  read_seq,
  read_rand,
  mmap_read,
  write_file,
  write_seq,
  write_rand,
  write_append,
  mmap_write,
  rmw,
  copyfile,
  stat,
  access,
  statfs,
  create,
  unlink,
  rename,
  mkdir,
  rmdir,
  readdir,
  chmod,
  truncate,
  symlink,
  readlink,
  link,
  lock,
  fsync
};
inline constexpr std::size_t op_kind_count = static_cast<std::size_t>(OpKind::fsync) + 1;

/// The name used in workload files and results.
std::string_view to_string(OpKind kind);
/// The op kind with this name; nullopt when there is none.
std::optional<OpKind> parse_op_kind(std::string_view name);
/// All kinds, in declaration order.
const std::array<OpKind, op_kind_count>& all_op_kinds();

/// The class of the name that an op works on. Names of a class are numbered from 0 within one proc.
enum class NameClass : std::uint8_t {
  none,        ///< the proc's own directory
  data,        ///< a data file: part of the dataset, never empty
  empty,       ///< a file of the changing population: created, appended to, renamed, unlinked
  symlink,     ///< a symbolic link to a data file
  hard_link,   ///< a hard link to a data file
  made_dir,    ///< a directory that mkdir makes and rmdir removes
  dataset_dir  ///< a directory of the dataset
};
inline constexpr std::size_t name_class_count = 7;

struct NameRef {
  NameClass cls = NameClass::none;
  std::uint64_t index = 0;
  friend auto operator<=>(const NameRef&, const NameRef&) = default;
};

struct Op {
  OpKind kind = OpKind::stat;
  bool commit = false;      ///< fsync after the write
  bool direct = false;      ///< through a descriptor opened with O_DIRECT
  bool sync = false;        ///< through a descriptor opened with O_SYNC
  bool writing = false;     ///< open and close: for writing
  bool replacing = false;   ///< rename: over an existing name
  bool truncating = false;  ///< write_append: start the file anew (log rotation)
  NameRef name;
  NameRef other;            ///< rename: the new name; copyfile: the destination; link, symlink: the target
  std::int64_t offset = 0;  ///< bytes
  std::int64_t length = 0;  ///< bytes; chmod: the mode
  friend bool operator==(const Op&, const Op&) = default;
};

/// Errors that are no errno values, but count beside them.
inline constexpr int short_read_error = 4096;   ///< fewer bytes than the file must have
inline constexpr int short_write_error = 4097;  ///< the file system took fewer bytes than given
inline constexpr int bus_error = 4098;          ///< SIGBUS while touching a mapping

struct OpResult {
  int error = 0;  ///< 0, an errno value, or one of the above
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  bool lost_race = false;  ///< another proc was removing or rewriting the shared file: the op counts as done
};

/// The result of an op that did everything.
OpResult success_of(const Op& op);

/// "ENOSPC", "SHORT_READ"...; "E1234" for a number without a name.
std::string_view error_name(int error);

}  // namespace edagen
